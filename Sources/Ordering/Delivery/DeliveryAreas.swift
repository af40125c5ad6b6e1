// All delivery areas of the shop, and the lookup by postcode.

/// The delivery areas of the shop.
package struct DeliveryAreas: Sendable, Hashable {
    /// Whether the shop has no areas. It then delivers everywhere for free.
    package let deliversEverywhere: Bool
    /// The active areas. The first one that matches a postcode wins.
    private let active: [DeliveryArea]

    /// Creates the collection from areas in any order.
    package init(_ areas: [DeliveryArea] = []) {
        deliversEverywhere = areas.isEmpty
        active = areas.filter(\.isActive).sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    }

    private init(active: [DeliveryArea], deliversEverywhere: Bool) {
        (self.active, self.deliversEverywhere) = (active, deliversEverywhere)
    }

    /// A copy with other titles.
    func titled(_ title: (DeliveryArea) -> String) -> DeliveryAreas {
        DeliveryAreas(active: active.map { $0.titled(title($0)) }, deliversEverywhere: deliversEverywhere)
    }

    /// The lowest and the highest of these values over all active areas; nil if there is none.
    func range<Value: Comparable>(of values: (DeliveryArea) -> [Value]) -> ClosedRange<Value>? {
        let all = active.flatMap(values)
        guard let least = all.min(), let most = all.max() else { return nil }
        return least...most
    }

    /// The area of a postcode; nil if the shop does not deliver there.
    package func area(for postcode: Postcode) -> DeliveryArea? {
        active.first { $0.postcodes.contains { $0.matches(postcode) } }
    }
}
