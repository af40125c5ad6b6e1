// A selection case and its verdict as JSON, so that programs in other languages can compare their verdicts with ours.
import FoundationEssentials

@testable import Ordering

/// Judges a case and returns the verdict. The members are the properties of `SelectionCase` and `SelectionVerdict`.
/// Omitted members get the defaults of the tables, and omitted positions the index in the list.
/// If a group occurs more than once, the first one on the highest level counts.
func selectionVerdict(_ json: Data) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(JSONDecoder().decode(SelectionCase.self, from: json).verdict())
}

/// The verdict of this program or of the oracle on a case. Prices and options are nil if the selection is rejected.
struct SelectionVerdict: Codable, Equatable {
    struct Violation: Codable, Equatable {
        var path: String
        var code: String
        var params: [String: Int64]
    }

    struct ShownOption: Codable, Equatable {
        var optionId: Int64
        var groupId: Int64
        var title: String
        var quantity: Int
        var price: Int64
        var total: Int64
        var options: [ShownOption]
    }

    var accepted = false
    var isAvailable: Bool
    var unitPrice: Int64?
    var regularUnitPrice: Int64?
    var options: [ShownOption]?
    var violations: [Violation] = []
}

extension SelectionVerdict.Violation {
    fileprivate init(_ error: FieldError) {
        self.init(
            path: error.path.description, code: error.code.rawValue,
            params: error.params.compactMapValues { if case .integer(let number) = $0 { number } else { nil } })
    }
}

extension SelectionVerdict.ShownOption {
    fileprivate init(_ option: LineOption) {
        self.init(
            optionId: option.id.rawValue, groupId: option.groupID.rawValue, title: option.title,
            quantity: option.quantity,
            price: option.price.minorUnits, total: option.total,
            options: option.options.map(SelectionVerdict.ShownOption.init))
    }
}

/// An item and the options chosen with it.
struct SelectionCase: Decodable {
    struct OptionGroupRow: Decodable {
        var id: Int64
        var title: String?
        var minimum: Int?
        var maximum: Int?
        var included: Int?
        var isRetired: Bool?
        var position: Int?
        var options: [OptionRow]?
    }

    struct OptionRow: Decodable {
        var id: Int64
        var title: String?
        var price: Int64?
        var maximum: Int?
        var isDefault: Bool?
        var isAvailable: Bool?
        var isRetired: Bool?
        var position: Int?
        var optionGroups: [OptionGroupRow]?
    }

    struct Item: Decodable {
        var price: Int64
        var salePercent: Int?
        var optionGroups: [OptionGroupRow]?
    }

    struct Chosen: Decodable {
        var optionId: Int64
        var quantity: Int64?
        var options: [Chosen]?

        var chosen: RawOptionChoice {
            RawOptionChoice(optionId, quantity: quantity ?? 1, options: options?.map(\.chosen))
        }
    }

    struct InvalidCase: Error { let description: String }

    var item: Item
    var options: [Chosen]?

    /// The verdict of this program.
    func verdict() throws -> SelectionVerdict {
        let id = MenuItemID(rawValue: 1001)
        let menu = try menu(id)
        guard let offered = menu.resolvedItem(id) else { throw InvalidCase(description: "\(id)") }
        var verdict = SelectionVerdict(isAvailable: menu.availability(of: id).isAvailable)
        switch offered.options.validate(options?.map(\.chosen), at: menu.moment) {
        case .failure(.tooManyOptions):
            verdict.violations = [
                SelectionVerdict.Violation(
                    path: "options", code: "too_many_options", params: ["limit": Int64(Selection.maximumEntryCount)])
            ]
        case .failure(.invalid(let errors)): verdict.violations = errors.all.map(SelectionVerdict.Violation.init)
        case .success(let selection):
            let priced = offered.options.priced(selection)
            verdict.accepted = true
            verdict.unitPrice = priced.unitPrice(offered.item.currentPrice)?.minorUnits
            verdict.regularUnitPrice = priced.unitPrice(offered.item.price)?.minorUnits
            verdict.options = priced.options.map(SelectionVerdict.ShownOption.init)
        }
        return verdict
    }

    private func menu(_ id: MenuItemID) throws -> Menu {
        guard let price = Money(minorUnits: item.price), let currency = Currency("USD") else {
            throw InvalidCase(description: "\(item.price)")
        }
        let facts = MenuItemDetails(
            id: id, category: CategoryID(rawValue: 100), title: "Item", description: "", imageURL: "", price: price,
            tags: [],
            isAvailable: true, isRetired: false, position: 0)
        let percent = item.salePercent.flatMap(Percent.init)
        return Menu(
            revision: 1, currency: currency, defaultCountry: "US", timeZone: "UTC", categories: [],
            items: [percent.map { DiscountItem(facts, salePercent: $0) } ?? RegularItem(facts)], sales: [], coupons: [],
            optionGroups: try groups(), itemOptionGroups: [id: Self.sorted(item.optionGroups)],
            at: Instant(microseconds: 0))
    }

    /// All groups, level by level.
    private func groups() throws -> [OptionGroup] {
        var (found, level) = ([OptionGroup](), item.optionGroups ?? [])
        var seen: Set<Int64> = []
        while !level.isEmpty {
            var below: [OptionGroupRow] = []
            for group in level where seen.insert(group.id).inserted {
                let options = try (group.options ?? []).enumerated().map { try $1.make($0) }
                guard
                    let optionGroup = OptionGroup(
                        id: OptionGroupID(rawValue: group.id), title: group.title ?? "", minimum: group.minimum ?? 0,
                        maximum: group.maximum, included: group.included ?? 0, isRetired: group.isRetired ?? false,
                        options: options)
                else { throw InvalidCase(description: "group \(group.id)") }
                found.append(optionGroup)
                below += (group.options ?? []).flatMap { $0.optionGroups ?? [] }
            }
            level = below
        }
        return found
    }

    fileprivate static func sorted(_ groups: [OptionGroupRow]?) -> [OptionGroupID] {
        (groups ?? []).enumerated().sorted { ($0.1.position ?? $0.0, $0.1.id) < ($1.1.position ?? $1.0, $1.1.id) }
            .map { OptionGroupID(rawValue: $0.1.id) }
    }
}

extension SelectionCase.OptionRow {
    fileprivate func make(_ index: Int) throws -> Option {
        guard let price = OptionPrice(minorUnits: price ?? 0),
            let option = Option(
                id: OptionID(rawValue: id), title: title ?? "", price: price, maximum: maximum ?? 1,
                isDefault: isDefault ?? false,
                isAvailable: isAvailable ?? true, isRetired: isRetired ?? false, position: position ?? index,
                groups: SelectionCase.sorted(optionGroups))
        else { throw SelectionCase.InvalidCase(description: "option \(id)") }
        return option
    }
}
