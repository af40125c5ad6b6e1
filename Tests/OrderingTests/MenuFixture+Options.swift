// Extras for burgers as a fixture: a group whose cheese has kinds, one of which has truffle. Also short texts of
// errors and options.
import Testing

@testable import Ordering

extension MenuFixture {
    /// The app's menu with extras for 2001 and 2002: at most three, of which the cheapest is included.
    static func withOptions() -> MenuFixture {
        var app = MenuFixture()
        app.groups = [
            OptionGroupRow(
                id: 91, maximum: 3, included: 1,
                options: [
                    OptionRow(id: 9101, price: 100, maximum: 2, groups: [92]), OptionRow(id: 9102, price: 150),
                    OptionRow(id: 9103, price: -50),
                ]),
            OptionGroupRow(
                id: 92, minimum: 1, maximum: 1,
                options: [
                    OptionRow(id: 9201, price: 0, isDefault: true), OptionRow(id: 9202, price: 30, groups: [93]),
                ]),
            OptionGroupRow(id: 93, options: [OptionRow(id: 9301, price: 500, maximum: 9)]),
        ]
        app.itemGroups = [2001: [91], 2002: [91]]
        return app
    }

    /// The errors of a choice for the item at the menu's time. Empty if the choice is valid.
    func choiceErrors(_ chosen: [RawOptionChoice]?, of item: MenuItemID = 2001) throws -> [String] {
        let menu = try menu()
        switch menu.optionTree(of: item).validate(chosen, at: menu.moment) {
        case .success: return []
        case .failure(.tooManyOptions): return ["too_many_options"]
        case .failure(.invalid(let errors)): return errors.all.map(\.summaryWithParameters)
        }
    }

    /// The selection of a valid choice.
    func selection(_ chosen: [RawOptionChoice]?, of item: MenuItemID = 2001) throws -> Selection {
        let menu = try menu()
        return try menu.optionTree(of: item).validate(chosen, at: menu.moment).get()
    }
}

extension RawOptionChoice {
    /// A short form of an entry.
    static func of(_ id: Int64, _ quantity: Int64 = 1, _ options: [RawOptionChoice]? = nil) -> RawOptionChoice {
        RawOptionChoice(id, quantity: quantity, options: options)
    }
}

extension FieldError {
    /// `options/91 option_group_minimum chosen=0 minimum=1`
    var summaryWithParameters: String {
        let parameters = params.sorted { $0.key < $1.key }.map { key, value in
            switch value {
            case .integer(let number): " \(key)=\(number)"
            case .text(let text): " \(key)=\(text)"
            case .texts(let texts): " \(key)=\(texts.joined(separator: ","))"
            }
        }
        return "\(path) \(code.rawValue)\(parameters.joined())"
    }
}

extension LineOption {
    /// `2 x 9101 of 91 at 100 = 100 [1 x 9201 of 92 at 0 = 0]`
    var summary: String {
        let below = options.isEmpty ? "" : " [\(options.map(\.summary).joined(separator: ", "))]"
        return "\(quantity) x \(id) of \(groupID) at \(price) = \(total)\(below)"
    }
}

extension BasketChangeRejection {
    /// The errors of the choice, or the name of another rejection.
    var summaries: [String] {
        if case .invalid(let errors) = self { errors.all.map(\.summaryWithParameters) } else { ["\(self)"] }
    }
}

extension Result where Success == Basket, Failure == BasketChangeRejection {
    /// The errors of a rejected change. Empty if the change was applied.
    var rejectionSummaries: [String] { if case .failure(let refusal) = self { refusal.summaries } else { [] } }
}
