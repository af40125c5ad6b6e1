// A delivery area with its postcodes, fees and minimum subtotal.

/// A pattern of postcodes: one postcode, or all with the same prefix.
package struct PostcodePattern: Sendable, Hashable {
    private let text: [UInt8]
    private let isPrefix: Bool

    /// A postcode, or a prefix followed by `*`; `*` alone matches every postcode. Nil for anything else.
    package init?(_ pattern: String) {
        isPrefix = pattern.hasSuffix("*")
        let text = (isPrefix ? String(pattern.dropLast()) : pattern).uppercased().utf8.filter {
            $0 != 0x20 && $0 != UInt8(ascii: "-")
        }
        let isAlphanumeric = text.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard isAlphanumeric, text.count <= 12, isPrefix || !text.isEmpty else { return nil }
        self.text = text
    }

    func matches(_ postcode: Postcode) -> Bool {
        isPrefix ? postcode.comparisonKey.utf8.starts(with: text) : postcode.comparisonKey.utf8.elementsEqual(text)
    }
}

/// A delivery fee that applies from a subtotal on.
package struct DeliveryFee: Sendable, Hashable {
    /// The lowest subtotal for this fee.
    package let from: Money
    /// Zero for free delivery.
    package let fee: Money

    package init(from: Money, fee: Money) { (self.from, self.fee) = (from, fee) }
}

/// A delivery area, as staff entered it.
package struct DeliveryArea: Sendable, Hashable {
    package let id: Int64
    /// The title for guests, plain text.
    package let title: String
    /// If several areas match a postcode, the one with the lowest priority value wins, then the one with the lowest
    /// id.
    package let priority: Int
    package let postcodes: [PostcodePattern]
    /// The minimum price of the items, before coupons.
    package let minimumSubtotal: Money
    /// Additional minutes of delivery time.
    package let extraMinutes: Int
    package let isActive: Bool
    /// The fee tiers, highest subtotal first.
    package let fees: [DeliveryFee]

    package init(
        id: Int64, title: String, priority: Int = 0, postcodes: [PostcodePattern], minimumSubtotal: Money = .zero,
        extraMinutes: Int = 0,
        isActive: Bool = true, fees: [DeliveryFee] = []
    ) {
        (self.id, self.title, self.priority, self.postcodes) = (id, title, priority, postcodes)
        (self.minimumSubtotal, self.extraMinutes, self.isActive) = (minimumSubtotal, extraMinutes, isActive)
        self.fees = fees.sorted { $0.from > $1.from }
    }

    /// A copy with another title.
    func titled(_ title: String) -> DeliveryArea {
        DeliveryArea(
            id: id, title: title, priority: priority, postcodes: postcodes, minimumSubtotal: minimumSubtotal,
            extraMinutes: extraMinutes,
            isActive: isActive, fees: fees)
    }

    /// All fees that an order in this area can have.
    var possibleFees: [Money] {
        let reached = fees.filter { $0.from >= minimumSubtotal }.map(\.fee)
        return [fee(for: minimumSubtotal)] + reached
    }

    /// The fee of the highest tier that the subtotal reaches. Below all tiers the lowest one applies; without tiers
    /// delivery is free.
    package func fee(for subtotal: Money) -> Money { (fees.first { $0.from <= subtotal } ?? fees.last)?.fee ?? .zero }
}
