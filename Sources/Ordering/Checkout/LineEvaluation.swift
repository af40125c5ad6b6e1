// Evaluates the lines and set items of a basket: errors and price changes, with their paths.

/// A line or an item of a set, with its path.
struct LineEvaluation {
    let line: PricedLine
    let path: FieldPath
    /// The paths of the dishes: the line's own, or one for each unit of the set item.
    let dishes: [DishLocation]

    /// All lines and set items of a basket.
    static func all(in basket: PricedBasket) -> [LineEvaluation] {
        basket.lines.map { LineEvaluation(line: $0, path: .line($0.line.id), dishes: [.line($0.line.id)]) }
            + basket.sets.flatMap(items)
    }

    private static func items(of set: PricedSet) -> [LineEvaluation] {
        var counts: [MenuItemID: Int] = [:]
        return set.items.map { item in
            let id = item.line.dish.menuItemID
            let offset = counts[id, default: 0]
            counts[id] = offset + item.line.quantity
            return LineEvaluation(
                line: item, path: .saleItem(set.salesGroupID, id),
                dishes: (1...item.line.quantity).map { .unit(set.salesGroupID, id, offset + $0) })
        }
    }

    /// The errors of the item's availability and of its options.
    var errors: [FieldError] {
        let item = line.itemAvailability.unavailable.map { unavailability in
            switch unavailability.reason {
            case .notServed:
                FieldError(
                    path, .itemNotServedThen,
                    Self.params(["from": line.nextServing?.from, "until": line.nextServing?.until]))
            case .soldOut, .stockShort, .notOffered:
                FieldError(path, .itemSoldOut, Self.params(["until": unavailability.until]))
            }
        }
        return [item].compactMap(\.self) + dishes.flatMap { dish in line.optionErrors.map { $0.moved(to: dish) } }
    }

    private static func params(_ moments: [String: Instant?]) -> [String: FieldParameter] {
        moments.compactMapValues { $0.map { .text($0.rfc3339) } }
    }

    /// The price changes since the line was recorded.
    var priceChanges: [PriceChange] {
        guard let old = line.previousUnitPrice else { return [] }
        let item =
            line.isItemPriceChanged
            ? PriceChange.amount(path, old: old, new: line.line.unitPrice, cause: .menuPrice) : nil
        let options = line.changedOptions
        return [item].compactMap(\.self)
            + dishes.flatMap { dish in options.map { .option(.dish(dish, .options($0.path)), old: $0.old, new: $0.new) }
            }
    }
}
