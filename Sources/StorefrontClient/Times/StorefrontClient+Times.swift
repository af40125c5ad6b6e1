// When something can be had, and where it is delivered: what is told here a checkout accepts. Read next: Checkout/StorefrontClient+Checkout.swift.
import Wire

extension StorefrontClient {
    /// The times that can be wanted on a day, and as soon as possible.
    /// - Parameters:
    ///   - fulfilment: `delivery` or `pickup`.
    ///   - date: On which they begin, by the shop's clock: `2026-11-23`; nil: today.
    ///   - basketId: What is to be had then: times at which it can't be are left out; nil: anything.
    public func times(
        fulfilment: String = "delivery", date: String? = nil, basketId: String? = nil
    ) async throws(StorefrontError) -> TimesBody {
        try await exchange.read("/v1/times".with(query: [("fulfilment", fulfilment), ("date", date), ("basketId", basketId)]))
    }

    /// Whether a postcode is delivered to, what it costs, and how long it takes.
    public func delivery(postcode: String) async throws(StorefrontError) -> DeliveryBody {
        try await exchange.read("/v1/delivery".with(query: [("postcode", postcode)]))
    }
}
