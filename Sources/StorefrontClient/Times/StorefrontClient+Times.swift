// Wanted times and delivery conditions.
import Wire

extension StorefrontClient {
    /// Returns the wanted times of a day, and the estimate for as soon as possible.
    /// - Parameters:
    ///   - fulfilment: `delivery` or `pickup`.
    ///   - postcode: The postcode, because a delivery area may take longer; nil: not known yet.
    ///   - date: The date in the shop's time zone, such as `2026-11-23`; nil: today.
    ///   - basketId: A basket. Times at which it is unavailable are omitted; nil: all times.
    public func times(
        fulfilment: String = "delivery", postcode: String? = nil, date: String? = nil, basketId: String? = nil
    ) async throws(StorefrontError) -> TimesBody {
        let query: [(String, String?)] = [
            ("fulfilment", fulfilment), ("postcode", postcode), ("date", date), ("basketId", basketId),
        ]
        return try await transport.read("/v1/times".appending(query: query))
    }

    /// Returns the delivery conditions: whether the shop delivers to a postcode, the fees and the time.
    /// - Parameter postcode: The postcode in any spelling; nil: whether the shop delivers everywhere.
    public func delivery(postcode: String? = nil) async throws(StorefrontError) -> DeliveryBody {
        try await transport.read("/v1/delivery".appending(query: [("postcode", postcode)]))
    }
}
