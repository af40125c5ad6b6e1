// The option groups of an item, and the availability of an item whose groups require options.
import Testing

@testable import Ordering

@Suite("Offered option groups")
struct OptionGroupTests {
    private func outline(_ options: OptionTree) -> [String] {
        options.groups.map { group in
            let options = group.options.map { offered in
                "\(offered.option.id)"
                    + (offered.nestedOptions.groups.isEmpty
                        ? "" : "(\(outline(offered.nestedOptions).joined(separator: " ")))")
            }
            return "\(group.group.id): \(options.joined(separator: " "))"
        }
    }

    @Test("Groups keep the item's order, options sort by position and id, and retired or unknown rows are left out")
    func order() throws {
        var app = MenuFixture.withOptions()
        app.itemGroups[2001] = [93, 99, 91, 93]
        #expect(
            outline(try app.menu().optionTree(of: 2001)) == ["93: 9301", "91: 9101(92: 9201 9202(93: 9301)) 9102 9103"])
        for id: Int64 in [9101, 9102] { app.changeOption(id) { $0.position = 10_000 } }
        app.changeOption(9201) { $0.isRetired = true }
        app.changeGroup(93) { $0.isRetired = true }
        #expect(outline(try app.menu().optionTree(of: 2001)) == ["91: 9103 9101(92: 9202) 9102"])
        #expect(try app.menu().optionTree(of: 2001).hasOptions && !app.menu().optionTree(of: 3001).hasOptions)
        #expect(try !app.menu().optionTree(of: 9999).hasOptions)
    }

    @Test("Cyclic groups are resolved to three levels")
    func cycles() throws {
        var app = MenuFixture.withOptions()
        app.groups = [
            MenuFixture.OptionGroupRow(id: 91, options: [MenuFixture.OptionRow(id: 9101, price: 0, groups: [91, 92])]),
            MenuFixture.OptionGroupRow(id: 92, options: [MenuFixture.OptionRow(id: 9201, price: 0, groups: [91])]),
        ]
        #expect(
            outline(try app.menu().optionTree(of: 2001)) == ["91: 9101(91: 9101(91: 9101 92: 9201) 92: 9201(91: 9101))"]
        )
        // 900 options, each with all groups below it. Each group is resolved once per level.
        app.groups = (1...30).map { group in
            MenuFixture.OptionGroupRow(
                id: group,
                options: (1...30).map { MenuFixture.OptionRow(id: group * 100 + $0, price: 0, groups: Array(1...30)) })
        }
        app.itemGroups[2001] = Array(1...30)
        let menu = try app.menu()
        #expect(
            menu.optionTree(of: 2001).groups.count == 30
                && menu.optionTree(of: 2001).groups[29].options[29].nestedOptions.groups.count == 30)
    }

    @Test("An item or option whose required group cannot be satisfied is sold out until enough options are back")
    func required() throws {
        var app = MenuFixture.withOptions()
        let now = app.moment.microseconds
        func availability(_ item: MenuItemID = 2001) throws -> Availability { try app.menu().availability(of: item) }
        app.changeGroup(91) { $0.minimum = 3 }
        #expect(try availability().isAvailable)
        for (id, moment) in [(9101, 5), (9102, 3), (9103, 9)] as [(Int64, Int64)] {
            app.changeOption(id) { $0.soldOutUntil = Instant(microseconds: now + moment) }
        }
        // Two units of 9101, and the option that is back first.
        #expect(try availability().unavailable == Unavailability(.soldOut, until: Instant(microseconds: now + 5)))
        #expect(try app.menu().evaluated(at: Instant(microseconds: now + 5)).availability(of: 2001).isAvailable)
        app.changeItem(2001) { $0.soldOutUntil = Instant(microseconds: now + 7) }
        #expect(try availability().unavailable?.until == Instant(microseconds: now + 7))
        #expect(try availability(2002).unavailable?.until == Instant(microseconds: now + 5))
        // The cheese depends on its own required group.
        app.changeOption(9201) { $0.isAvailable = false }
        app.changeOption(9202) { $0.soldOutUntil = Instant(microseconds: now + 8) }
        #expect(try availability().unavailable?.until == Instant(microseconds: now + 8))
        let cheese = try #require(app.menu().optionTree(of: 2001).groups.first?.options.first)
        #expect(cheese.availability(at: app.moment).unavailable?.until == Instant(microseconds: now + 8))
        app.changeOption(9202) { $0.isRetired = true }
        #expect(try availability() == .never)
        // Too few units for ever, and a minimum above the maximum.
        app.changeOption(9202) { $0.isRetired = false }
        app.changeGroup(91) { $0.minimum = 5 }
        #expect(try availability() == .never)
        app.changeGroup(91) { ($0.minimum, $0.maximum) = (2, 1) }
        #expect(try availability() == .never)
        app.changeGroup(91) { $0.isRetired = true }
        #expect(try availability().unavailable?.until == Instant(microseconds: now + 7))
    }

    @Test("An unavailable item cannot be added, and becomes available at its time without another change")
    func availableAgain() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { $0.minimum = 4 }
        let back = Instant(microseconds: app.moment.microseconds + 5)
        app.changeOption(9103) { $0.soldOutUntil = back }
        let menu = try app.menu()
        let all: [RawOptionChoice] = [.of(9101, 2), .of(9102), .of(9103)]
        let change = BasketChange.addItem(RawDish(2001, options: all), quantity: 1)
        app.changeGroup(91) { $0.maximum = nil }
        #expect(Basket.empty().applying(change, menu: menu) == .failure(.itemSoldOut))
        #expect(try Basket.empty().applying(change, menu: app.menu()) == .failure(.itemSoldOut))
        #expect(try Basket.empty().applying(change, menu: app.menu().evaluated(at: back)).rejectionSummaries == [])
        #expect(try Basket.empty().applying(.addSale(200), menu: app.menu()) == .failure(.itemSoldOut))
        #expect(
            try !app.menu().validity.contains(back) && app.menu().evaluated(at: back).validity == TimeRange(from: back))
    }

    @Test("An item needs a choice if its default options are invalid")
    func needsChoice() throws {
        var app = MenuFixture.withOptions()
        func needs() throws -> Bool { try app.menu().optionTree(of: 2001).needsChoice(at: app.moment) }
        #expect(try !needs())
        app.changeGroup(91) { $0.minimum = 1 }
        #expect(try needs())
        app.changeOption(9101) { $0.isDefault = true }
        #expect(try !needs())
        app.changeOption(9201) { $0.isDefault = false }
        #expect(try needs())
    }

    @Test("Options and groups with numbers that the tables do not allow are rejected")
    func rows() {
        let (option, group) = (OptionID(rawValue: 1), OptionGroupID(rawValue: 1))
        for maximum in [0, -1, 100, .min, .max] {
            #expect(Option(id: option, title: "", price: .zero, maximum: maximum, position: 0) == nil)
        }
        for (minimum, maximum, included) in [(-1, nil, 0), (100, nil, 0), (0, 0, 0), (0, -1, 0), (0, nil, -1)]
            as [(Int, Int?, Int)]
        {
            #expect(
                OptionGroup(id: group, title: "", minimum: minimum, maximum: maximum, included: included, options: [])
                    == nil)
        }
        #expect(OptionGroup(id: group, title: "", minimum: 99, maximum: .max, included: .max, options: []) != nil)
    }
}
