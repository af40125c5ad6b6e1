// When something can be had, and where it is delivered: what is told here a checkout accepts. Read next: Checkout/StorefrontClient+Checkout.swift.
import Wire

extension StorefrontClient {
    /// The times that can be wanted on a day, and as soon as possible.
    /// - Parameters:
    ///   - fulfilment: `delivery` or `pickup`.
    ///   - postcode: Where it is brought to, as the way may take longer; nil: not known yet.
    ///   - date: On which they begin, by the shop's clock: `2026-11-23`; nil: today.
    ///   - basketId: What is to be had then: times at which it can't be are left out; nil: anything.
    public func times(
        fulfilment: String = "delivery", postcode: String? = nil, date: String? = nil, basketId: String? = nil
    ) async throws(StorefrontError) -> TimesBody {
        let query: [(String, String?)] = [("fulfilment", fulfilment), ("postcode", postcode), ("date", date), ("basketId", basketId)]
        return try await exchange.read("/v1/times".with(query: query))
    }

    /// Whether a postcode is delivered to, what it costs, and how long it takes.
    /// - Parameter postcode: As people write it; what is none is not delivered to. Nil: whether everything is.
    public func delivery(postcode: String? = nil) async throws(StorefrontError) -> DeliveryBody {
        try await exchange.read("/v1/delivery".with(query: [("postcode", postcode)]))
    }
}
