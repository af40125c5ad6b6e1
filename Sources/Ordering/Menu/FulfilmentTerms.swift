// What staff have written about one way of getting an order: how long it takes, which times it can be wanted for, and what it costs more.
// ShopTerms holds one for each. Read next: Times/.

/// What is charged for service: both together.
package struct ServiceCharge: Sendable, Hashable {
    /// Of the subtotal, before coupons; nil: none.
    package let percent: Rate?
    package let amount: Money

    /// Nothing, if nothing is said.
    package init(percent: Rate? = nil, amount: Money = .zero) { (self.percent, self.amount) = (percent, amount) }

    /// On items that cost this before coupons.
    package func charge(on subtotal: Money) -> Money { (percent.map(subtotal.share) ?? .zero) + amount }
}

/// The row of a fulfilment.
package struct FulfilmentTerms: Sendable, Hashable {
    package let isOffered: Bool
    /// How long it takes at least from the order on.
    package let leadMinutes: Int
    /// How long a slot is; nil: orders are for as soon as possible only.
    package let slotMinutes: Int?
    /// How many days ahead of today a slot can be wanted; 0: today.
    package let horizonDays: Int
    /// How much a slot takes; nil: without end.
    package let ordersPerSlot, itemsPerSlot: Int64?
    /// Who orders less pays the fee; nobody does below nothing.
    package let smallOrderBelow, smallOrderFee: Money
    package let serviceCharge: ServiceCharge

    /// The terms; those of a shop that has said nothing, if nothing is said.
    package init(
        isOffered: Bool = true, leadMinutes: Int = 0, slotMinutes: Int? = nil, horizonDays: Int = 7, ordersPerSlot: Int64? = nil,
        itemsPerSlot: Int64? = nil, smallOrderBelow: Money = .zero, smallOrderFee: Money = .zero,
        serviceCharge: ServiceCharge = ServiceCharge()
    ) {
        (self.isOffered, self.leadMinutes, self.slotMinutes, self.horizonDays) = (isOffered, leadMinutes, slotMinutes, horizonDays)
        (self.ordersPerSlot, self.itemsPerSlot) = (ordersPerSlot, itemsPerSlot)
        (self.smallOrderBelow, self.smallOrderFee, self.serviceCharge) = (smallOrderBelow, smallOrderFee, serviceCharge)
    }
}
