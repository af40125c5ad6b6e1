// What staff have written of when, where and for how much the shop takes orders. Menu holds it; times, areas, bills and tips are judged by it.
// Read next: FulfilmentTerms.swift, Hours/OpeningHours.swift, Delivery/DeliveryAreas.swift, Taxes/TaxTerms.swift.

/// The terms of the shop.
package struct ShopTerms: Sendable, Hashable {
    /// The most that a tip may be, in percent of the subtotal: 0…1000, as the table takes it.
    package let tipLimitPercent: Int
    /// By whose clocks hours are meant.
    package let zone: ShopZone
    package let opening: OpeningHours
    /// What is wanted before it is refused; nil: the shop takes orders.
    package let pauseUntil: Instant?
    /// For the guest, plain text.
    package let pauseReason: String?
    /// How much longer all takes before `busyUntil`.
    package let busyMinutes: Int
    package let busyUntil: Instant?
    package let areas: DeliveryAreas
    package let taxes: TaxTerms
    /// Who accepts a new order, and within which time.
    package let acceptance: Acceptance
    private let delivery, pickup: FulfilmentTerms

    /// The terms; those of a shop that has said nothing, if nothing is said.
    package init(
        tipLimitPercent: Int = 100, zone: ShopZone = .utc, opening: OpeningHours = OpeningHours(),
        delivery: FulfilmentTerms = FulfilmentTerms(), pickup: FulfilmentTerms = FulfilmentTerms(), pauseUntil: Instant? = nil,
        pauseReason: String? = nil, busyMinutes: Int = 0, busyUntil: Instant? = nil, areas: DeliveryAreas = DeliveryAreas(),
        taxes: TaxTerms = TaxTerms(), acceptance: Acceptance = .byStaff
    ) {
        (self.tipLimitPercent, self.zone, self.opening) = (tipLimitPercent, zone, opening)
        (self.delivery, self.pickup) = (delivery, pickup)
        (self.pauseUntil, self.pauseReason) = (pauseUntil, pauseReason)
        (self.busyMinutes, self.busyUntil) = (busyMinutes, busyUntil)
        (self.areas, self.taxes, self.acceptance) = (areas, taxes, acceptance)
    }

    /// The same with the titles of areas and tax rates as staff have translated them.
    func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> ShopTerms {
        ShopTerms(
            tipLimitPercent: tipLimitPercent, zone: zone, opening: opening, delivery: delivery, pickup: pickup,
            pauseUntil: pauseUntil,
            pauseReason: pauseReason, busyMinutes: busyMinutes, busyUntil: busyUntil,
            areas: areas.titled { text(.deliveryAreas, $0.id).title ?? $0.title },
            taxes: taxes.titled { text(.taxRates, $0.id).title ?? $0.title }, acceptance: acceptance)
    }

    /// Those of a fulfilment.
    package subscript(fulfilment: Fulfilment) -> FulfilmentTerms {
        switch fulfilment {
        case .delivery: delivery
        case .pickup: pickup
        }
    }

    /// Whether an order takes a postcode: where it is brought to an area, and not to everywhere.
    func needsPostcode(_ fulfilment: Fulfilment) -> Bool { fulfilment == .delivery && !areas.isEverywhere }

    /// The highest tip on a basket that costs this, cut to the minor unit.
    package func highestTip(on subtotal: Money) -> Money {
        // At most 1.2 × 10¹⁵ × 1000, which fits.
        Money(proved: min(subtotal.minorUnits * Int64(tipLimitPercent) / 100, Money.highestTip.minorUnits))
    }
}
