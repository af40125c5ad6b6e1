// The settings of one fulfilment: its duration, its slots and its charges.

/// The service charge: a percentage and a fixed amount, added together.
package struct ServiceCharge: Sendable, Hashable {
    /// The percentage of the subtotal before coupons; nil: none.
    package let percent: Rate?
    package let amount: Money

    package init(percent: Rate? = nil, amount: Money = .zero) { (self.percent, self.amount) = (percent, amount) }

    /// The charge on a subtotal before coupons.
    package func charge(on subtotal: Money) -> Money { (percent.map(subtotal.share) ?? .zero) + amount }
}

/// The settings of one fulfilment.
package struct FulfilmentTerms: Sendable, Hashable {
    package let isOffered: Bool
    /// The minimum time from order to delivery or pickup.
    package let leadMinutes: Int
    /// The length of a slot; nil if orders are only taken for as soon as possible.
    package let slotMinutes: Int?
    /// How many days ahead a slot can be ordered; 0: today only.
    package let horizonDays: Int
    /// The capacity of a slot; nil: unlimited.
    package let ordersPerSlot, itemsPerSlot: Int64?
    /// The fee is charged if the subtotal is below `smallOrderBelow`; zero disables it.
    package let smallOrderBelow, smallOrderFee: Money
    package let serviceCharge: ServiceCharge

    /// The defaults are those of a shop that has configured nothing.
    package init(
        isOffered: Bool = true, leadMinutes: Int = 0, slotMinutes: Int? = nil, horizonDays: Int = 7,
        ordersPerSlot: Int64? = nil,
        itemsPerSlot: Int64? = nil, smallOrderBelow: Money = .zero, smallOrderFee: Money = .zero,
        serviceCharge: ServiceCharge = ServiceCharge()
    ) {
        (self.isOffered, self.leadMinutes, self.slotMinutes, self.horizonDays) = (
            isOffered, leadMinutes, slotMinutes, horizonDays
        )
        (self.ordersPerSlot, self.itemsPerSlot) = (ordersPerSlot, itemsPerSlot)
        (self.smallOrderBelow, self.smallOrderFee, self.serviceCharge) = (smallOrderBelow, smallOrderFee, serviceCharge)
    }
}
