// What of the rows of groups and options stands below an item, and from when on an item can be had whose groups want something.
// Tests Sources/Ordering/Options/OptionResolver.swift and OfferedOptions.swift.
import Testing

@testable import Ordering

@Suite("Promise 10: what is offered is what can be chosen")
struct OptionTreeTests {
    private func told(_ options: OfferedOptions) -> [String] {
        options.groups.map { group in
            let options = group.options.map { offered in
                "\(offered.option.id)" + (offered.below.groups.isEmpty ? "" : "(\(told(offered.below).joined(separator: " ")))")
            }
            return "\(group.group.id): \(options.joined(separator: " "))"
        }
    }

    @Test("Groups stand in the item's order, options by position, then id; what is retired or does not exist is left out")
    func order() throws {
        var app = AppMenu.withOptions()
        app.itemGroups[2001] = [93, 99, 91, 93]
        #expect(told(try app.menu().options(of: 2001)) == ["93: 9301", "91: 9101(92: 9201 9202(93: 9301)) 9102 9103"])
        for id: Int64 in [9101, 9102] { app.changeOption(id) { $0.position = 10_000 } }
        app.changeOption(9201) { $0.isRetired = true }
        app.changeGroup(93) { $0.isRetired = true }
        #expect(told(try app.menu().options(of: 2001)) == ["91: 9103 9101(92: 9202) 9102"])
        #expect(try app.menu().options(of: 2001).hasOptions && !app.menu().options(of: 3001).hasOptions)
        #expect(try !app.menu().options(of: 9999).hasOptions)
    }

    @Test("Rows that lie in each other in a circle make three levels, one in itself too")
    func circles() throws {
        var app = AppMenu.withOptions()
        app.groups = [
            AppMenu.Group(id: 91, options: [AppMenu.Choice(id: 9101, price: 0, groups: [91, 92])]),
            AppMenu.Group(id: 92, options: [AppMenu.Choice(id: 9201, price: 0, groups: [91])]),
        ]
        #expect(
            told(try app.menu().options(of: 2001)) == ["91: 9101(91: 9101(91: 9101 92: 9201) 92: 9201(91: 9101))"])
        // Nine hundred options, each with all of them below it: each group is made once a level.
        app.groups = (1...30).map { group in
            AppMenu.Group(
                id: group,
                options: (1...30).map { AppMenu.Choice(id: group * 100 + $0, price: 0, groups: Array(1...30)) })
        }
        app.itemGroups[2001] = Array(1...30)
        let menu = try app.menu()
        #expect(menu.options(of: 2001).groups.count == 30 && menu.options(of: 2001).groups[29].options[29].below.groups.count == 30)
    }

    @Test("An item whose group can't be met is sold out, until enough of its options are back; so is an option with such a group")
    func required() throws {
        var app = AppMenu.withOptions()
        let now = app.moment.microseconds
        func until(_ item: MenuItemID = 2001) throws -> Availability { try app.menu().availability(of: item) }
        app.changeGroup(91) { $0.minimum = 3 }
        #expect(try until().isAvailable)
        for (id, moment) in [(9101, 5), (9102, 3), (9103, 9)] as [(Int64, Int64)] {
            app.changeOption(id) { $0.soldOutUntil = Instant(microseconds: now + moment) }
        }
        // Two of 9101 and the one that comes first.
        #expect(try until().unavailable == Unavailability(.soldOut, until: Instant(microseconds: now + 5)))
        #expect(try app.menu().at(Instant(microseconds: now + 5)).availability(of: 2001).isAvailable)
        app.change(2001) { $0.soldOutUntil = Instant(microseconds: now + 7) }
        #expect(try until().unavailable?.until == Instant(microseconds: now + 7))
        #expect(try until(2002).unavailable?.until == Instant(microseconds: now + 5))
        // By way of what cheese needs itself.
        app.changeOption(9201) { $0.isAvailable = false }
        app.changeOption(9202) { $0.soldOutUntil = Instant(microseconds: now + 8) }
        #expect(try until().unavailable?.until == Instant(microseconds: now + 8))
        let cheese = try #require(app.menu().options(of: 2001).groups.first?.options.first)
        #expect(cheese.availability(at: app.moment).unavailable?.until == Instant(microseconds: now + 8))
        app.changeOption(9202) { $0.isRetired = true }
        #expect(try until() == .never)
        // Never enough, and no number that would be right.
        app.changeOption(9202) { $0.isRetired = false }
        app.changeGroup(91) { $0.minimum = 5 }
        #expect(try until() == .never)
        app.changeGroup(91) { ($0.minimum, $0.maximum) = (2, 1) }
        #expect(try until() == .never)
        app.changeGroup(91) { $0.isRetired = true }
        #expect(try until().unavailable?.until == Instant(microseconds: now + 7))
    }

    @Test("Nothing of an item that can't be had is added, and it comes back by itself")
    func comesBack() throws {
        var app = AppMenu.withOptions()
        app.changeGroup(91) { $0.minimum = 4 }
        let back = Instant(microseconds: app.moment.microseconds + 5)
        app.changeOption(9103) { $0.soldOutUntil = back }
        let menu = try app.menu()
        let all: [ChosenOption] = [.of(9101, 2), .of(9102), .of(9103)]
        let change = BasketChange.addItem(ChosenDish(2001, options: all), quantity: 1)
        app.changeGroup(91) { $0.maximum = nil }
        #expect(Basket.new().applying(change, menu: menu) == .failure(.itemSoldOut))
        #expect(try Basket.new().applying(change, menu: app.menu()) == .failure(.itemSoldOut))
        #expect(try Basket.new().applying(change, menu: app.menu().at(back)).refused == [])
        #expect(try Basket.new().applying(.addSale(200), menu: app.menu()) == .failure(.itemSoldOut))
        #expect(try !app.menu().holds.contains(back) && app.menu().at(back).holds == TimeSpan(from: back))
    }

    @Test("An item needs a choice where as it comes it would be refused")
    func needsChoice() throws {
        var app = AppMenu.withOptions()
        func needs() throws -> Bool { try app.menu().options(of: 2001).needsChoice(at: app.moment) }
        #expect(try !needs())
        app.changeGroup(91) { $0.minimum = 1 }
        #expect(try needs())
        app.changeOption(9101) { $0.isDefault = true }
        #expect(try !needs())
        app.changeOption(9201) { $0.isDefault = false }
        #expect(try needs())
    }

    @Test("Numbers that a row can't have make no option and no group")
    func rows() {
        let (option, group) = (OptionID(rawValue: 1), OptionGroupID(rawValue: 1))
        for maximum in [0, -1, 100, .min, .max] {
            #expect(Option(id: option, title: "", price: .zero, maximum: maximum, position: 0) == nil)
        }
        for (minimum, maximum, included) in [(-1, nil, 0), (100, nil, 0), (0, 0, 0), (0, -1, 0), (0, nil, -1)] as [(Int, Int?, Int)] {
            #expect(OptionGroup(id: group, title: "", minimum: minimum, maximum: maximum, included: included, options: []) == nil)
        }
        #expect(OptionGroup(id: group, title: "", minimum: 99, maximum: .max, included: .max, options: []) != nil)
    }
}
