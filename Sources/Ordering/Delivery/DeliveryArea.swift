// Where the shop delivers, and for how much: one of staff's areas. Next: DeliveryAreas.swift, which finds the one of a postcode.

/// Which postcodes belong to an area: one of them, or all that begin alike.
package struct PostcodePattern: Sendable, Hashable {
    private let text: [UInt8]
    private let isPrefix: Bool

    /// A postcode as one writes it, or its beginning with `*` behind it; `*` alone is every postcode. Nil for anything else.
    package init?(_ written: String) {
        isPrefix = written.hasSuffix("*")
        let text = (isPrefix ? String(written.dropLast()) : written).uppercased().utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }
        let isWritten = text.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard isWritten, text.count <= 12, isPrefix || !text.isEmpty else { return nil }
        self.text = text
    }

    func holds(_ postcode: Postcode) -> Bool {
        isPrefix ? postcode.comparable.utf8.starts(with: text) : postcode.comparable.utf8.elementsEqual(text)
    }
}

/// What delivery costs from a subtotal on.
package struct DeliveryFee: Sendable, Hashable {
    /// At exactly this subtotal it holds.
    package let from: Money
    /// Nothing, where it is free.
    package let fee: Money

    package init(from: Money, fee: Money) { (self.from, self.fee) = (from, fee) }
}

/// One of staff's areas.
package struct DeliveryArea: Sendable, Hashable {
    package let id: Int64
    /// For the guest, plain text.
    package let title: String
    /// Of the areas that hold a postcode the one with the lowest counts, then the one with the lowest id.
    package let priority: Int
    package let postcodes: [PostcodePattern]
    /// The least that the items have to come to, before coupons.
    package let minimumSubtotal: Money
    /// How much longer the way takes.
    package let extraMinutes: Int
    package let isActive: Bool
    /// By their subtotals, the highest first.
    package let fees: [DeliveryFee]

    package init(
        id: Int64, title: String, priority: Int = 0, postcodes: [PostcodePattern], minimumSubtotal: Money = .zero, extraMinutes: Int = 0,
        isActive: Bool = true, fees: [DeliveryFee] = []
    ) {
        (self.id, self.title, self.priority, self.postcodes) = (id, title, priority, postcodes)
        (self.minimumSubtotal, self.extraMinutes, self.isActive) = (minimumSubtotal, extraMinutes, isActive)
        self.fees = fees.sorted { $0.from > $1.from }
    }

    /// The same area with this title.
    func titled(_ title: String) -> DeliveryArea {
        DeliveryArea(
            id: id, title: title, priority: priority, postcodes: postcodes, minimumSubtotal: minimumSubtotal,
            extraMinutes: extraMinutes,
            isActive: isActive, fees: fees)
    }

    /// What it may cost, by what can be ordered.
    var possibleFees: [Money] {
        let reached = fees.filter { $0.from >= minimumSubtotal }.map(\.fee)
        return [fee(for: minimumSubtotal)] + reached
    }

    /// The fee of the highest tier that the subtotal reaches, below all of them that of the lowest; nothing where there are none.
    package func fee(for subtotal: Money) -> Money { (fees.first { $0.from <= subtotal } ?? fees.last)?.fee ?? .zero }
}
