// All of staff's areas. ShopTerms holds them; JudgedBasket, and Web's GET /v1/delivery, ask for the one of a postcode.

/// Where the shop delivers.
package struct DeliveryAreas: Sendable, Hashable {
    /// Whether the shop has none: then it delivers everywhere, for nothing.
    package let isEverywhere: Bool
    /// The first that holds a postcode is its area.
    private let active: [DeliveryArea]

    /// These, in any order.
    package init(_ areas: [DeliveryArea] = []) {
        isEverywhere = areas.isEmpty
        active = areas.filter(\.isActive).sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    }

    private init(active: [DeliveryArea], isEverywhere: Bool) {
        (self.active, self.isEverywhere) = (active, isEverywhere)
    }

    /// The same areas with these titles.
    func titled(_ title: (DeliveryArea) -> String) -> DeliveryAreas {
        DeliveryAreas(active: active.map { $0.titled(title($0)) }, isEverywhere: isEverywhere)
    }

    /// From the least to the most that is asked in one of them; nil: the shop delivers nowhere.
    func spread<Value: Comparable>(_ values: (DeliveryArea) -> [Value]) -> ClosedRange<Value>? {
        let all = active.flatMap(values)
        guard let least = all.min(), let most = all.max() else { return nil }
        return least...most
    }

    /// The area that a postcode lies in; nil: the shop has none there.
    package func area(for postcode: Postcode) -> DeliveryArea? { active.first { $0.postcodes.contains { $0.holds(postcode) } } }
}
