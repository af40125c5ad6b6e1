// The settings that decide when, where and for how much the shop takes orders.

/// A fee with the id of its tax rate, if it has one.
struct Fee {
    let kind: TotalKind
    let amount: Money
    let rate: Int64?
}

/// The settings of the shop.
package struct ShopTerms: Sendable, Hashable {
    /// The highest tip in percent of the subtotal: 0…1000, as in the table.
    package let tipLimitPercent: Int
    /// The time zone of all hours.
    package let zone: ShopZone
    package let opening: OpeningHours
    /// Orders wanted before this time are rejected; nil if there is no pause.
    package let pauseUntil: Instant?
    /// The reason for guests, plain text.
    package let pauseReason: String?
    /// The minutes that are added to every estimate until `busyUntil`.
    package let busyMinutes: Int
    package let busyUntil: Instant?
    package let areas: DeliveryAreas
    package let taxes: TaxTerms
    /// How new orders are accepted.
    package let acceptance: Acceptance
    private let delivery, pickup: FulfilmentTerms

    /// The defaults are those of a shop that has configured nothing.
    package init(
        tipLimitPercent: Int = 100, zone: ShopZone = .utc, opening: OpeningHours = OpeningHours(),
        delivery: FulfilmentTerms = FulfilmentTerms(), pickup: FulfilmentTerms = FulfilmentTerms(),
        pauseUntil: Instant? = nil,
        pauseReason: String? = nil, busyMinutes: Int = 0, busyUntil: Instant? = nil,
        areas: DeliveryAreas = DeliveryAreas(),
        taxes: TaxTerms = TaxTerms(), acceptance: Acceptance = .byStaff
    ) {
        (self.tipLimitPercent, self.zone, self.opening) = (tipLimitPercent, zone, opening)
        (self.delivery, self.pickup) = (delivery, pickup)
        (self.pauseUntil, self.pauseReason) = (pauseUntil, pauseReason)
        (self.busyMinutes, self.busyUntil) = (busyMinutes, busyUntil)
        (self.areas, self.taxes, self.acceptance) = (areas, taxes, acceptance)
    }

    /// The settings with translated titles of areas and tax rates.
    func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> ShopTerms {
        ShopTerms(
            tipLimitPercent: tipLimitPercent, zone: zone, opening: opening, delivery: delivery, pickup: pickup,
            pauseUntil: pauseUntil,
            pauseReason: pauseReason, busyMinutes: busyMinutes, busyUntil: busyUntil,
            areas: areas.titled { text(.deliveryAreas, $0.id).title ?? $0.title },
            taxes: taxes.titled { text(.taxRates, $0.id).title ?? $0.title }, acceptance: acceptance)
    }

    /// The settings of a fulfilment.
    package subscript(fulfilment: Fulfilment) -> FulfilmentTerms {
        switch fulfilment {
        case .delivery: delivery
        case .pickup: pickup
        }
    }

    /// The fees on a subtotal, zero amounts included, in the order of their kinds. A delivery without a known area has
    /// no delivery fee.
    func fees(on subtotal: Money, _ fulfilment: Fulfilment, _ area: DeliveryArea?) -> [Fee] {
        let charges = self[fulfilment]
        let smallOrder = subtotal < charges.smallOrderBelow ? charges.smallOrderFee : .zero
        let service = charges.serviceCharge.charge(on: subtotal)
        let fees = [
            Fee(kind: .smallOrderFee, amount: smallOrder, rate: taxes.smallOrderRate),
            Fee(kind: .serviceCharge, amount: service, rate: taxes.serviceRate),
        ]
        guard let area else { return fees }
        return [Fee(kind: .deliveryFee, amount: area.fee(for: subtotal), rate: taxes.deliveryRate)] + fees
    }

    /// Whether an order requires a postcode: for a delivery, unless the shop delivers everywhere.
    func needsPostcode(_ fulfilment: Fulfilment) -> Bool { fulfilment == .delivery && !areas.deliversEverywhere }

    /// The highest tip on this subtotal, rounded down to the minor unit.
    package func highestTip(on subtotal: Money) -> Money {
        // At most 1.2 × 10¹⁵ × 1000, which fits into Int64.
        Money(unchecked: min(subtotal.minorUnits * Int64(tipLimitPercent) / 100, Money.highestTip.minorUnits))
    }
}
