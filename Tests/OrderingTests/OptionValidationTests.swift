// Validation of option choices: each error code with its path and parameters, in the documented order.
import Testing

@testable import Ordering

@Suite("Validation of option choices")
struct OptionValidationTests {
    @Test("An omitted list means the default options at each level, and a given list is taken as it is")
    func defaults() throws {
        var app = MenuFixture.withOptions()
        #expect(try app.selection(nil) == .none)
        #expect(try app.selection([.of(9101)]) == app.selection([.of(9101, 1, [.of(9201)])]))
        #expect(
            try app.choiceErrors([.of(9101, 1, [])]) == ["options/91/9101/92 option_group_minimum chosen=0 minimum=1"])
        app.changeOption(9101) { $0.isDefault = true }
        #expect(try app.selection(nil) == app.selection([.of(9101, 1, [.of(9201)])]))
        #expect(try app.selection([]) == .none)
        // A sold-out default is still the default choice. A retired one is not.
        app.changeOption(9101) { $0.isAvailable = false }
        #expect(try app.choiceErrors(nil) == ["options/91 option_sold_out optionId=9101"] && app.choiceErrors([]) == [])
        app.changeOption(9101) { ($0.isAvailable, $0.isRetired) = (true, true) }
        #expect(try app.selection(nil) == .none)
        app.changeOption(9101) { $0.isRetired = false }
        app.changeOption(9201) { $0.isDefault = false }
        #expect(try app.choiceErrors(nil) == ["options/91/9101/92 option_group_minimum chosen=0 minimum=1"])
    }

    @Test("A group requires its minimum and allows its maximum of units, and null means no maximum")
    func groups() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { ($0.minimum, $0.maximum) = (2, 3) }
        for (chosen, expected) in [
            ([], ["options/91 option_group_minimum chosen=0 minimum=2"]),
            ([.of(9102)], ["options/91 option_group_minimum chosen=1 minimum=2"]),
            ([.of(9101, 2)], []), ([.of(9101), .of(9102)], []), ([.of(9101, 2), .of(9103)], []),
            ([.of(9101, 2), .of(9102), .of(9103)], ["options/91 option_group_maximum chosen=4 maximum=3"]),
        ] as [([RawOptionChoice], [String])] { #expect(try app.choiceErrors(chosen) == expected) }
        app.changeGroup(91) { $0.maximum = nil }
        #expect(try app.choiceErrors([.of(9101, 2), .of(9102), .of(9103)]) == [])
        // A group without chosen options is validated too, and other items are validated by their own groups.
        app.groups.append(
            MenuFixture.OptionGroupRow(id: 94, minimum: 1, options: [MenuFixture.OptionRow(id: 9401, price: 0)]))
        app.itemGroups[2001] = [94, 91]
        #expect(try app.choiceErrors([.of(9101, 2)]) == ["options/94 option_group_minimum chosen=0 minimum=1"])
        #expect(try app.choiceErrors([.of(9101, 2)], of: 2002) == [])
    }

    @Test("An option is allowed up to its maximum over all its entries, and a quantity below one is out of range")
    func quantities() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { $0.maximum = nil }
        func range(_ id: Int64, _ maximum: Int, _ chosen: Int64) -> String {
            "options/91 option_quantity_out_of_range chosen=\(chosen) maximum=\(maximum) optionId=\(id)"
        }
        for (chosen, expected) in [
            ([.of(9101, 2)], []), ([.of(9101), .of(9101)], []), ([.of(9101, 3)], [range(9101, 2, 3)]),
            ([.of(9101, 1, [.of(9201)]), .of(9101, 2, [.of(9202)])], [range(9101, 2, 3)]),
            ([.of(9102, 0)], [range(9102, 1, 0)]), ([.of(9102, -1)], [range(9102, 1, 0)]),
            ([.of(9102, .min)], [range(9102, 1, 0)]),
            ([.of(9102, 1), .of(9102, -5)], [range(9102, 1, 1)]), ([.of(9102, 2), .of(9102, 0)], [range(9102, 1, 2)]),
            ([.of(9102, .max)], [range(9102, 1, .max)]), ([.of(9102, .max), .of(9102, .max)], [range(9102, 1, .max)]),
        ] as [([RawOptionChoice], [String])] { #expect(try app.choiceErrors(chosen) == expected, "\(chosen)") }
        // The group counts all units except those of quantities below one.
        app.changeGroup(91) { $0.maximum = 3 }
        #expect(
            try app.choiceErrors([.of(9102, 4), .of(9103, -1)]) == [
                "options/91 option_group_maximum chosen=4 maximum=3", range(9102, 1, 4), range(9103, 1, 0),
            ])
    }

    @Test("A sold-out option is reported once at its group, with or without an end time")
    func soldOut() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9101) { $0.isAvailable = false }
        app.changeOption(9202) { $0.isAvailable = false }
        let cheese = "options/91 option_sold_out optionId=9101"
        let blue = "options/91/9101/92 option_sold_out optionId=9202"
        #expect(try app.choiceErrors([.of(9101)]) == [cheese])
        #expect(try app.choiceErrors([.of(9101, 1, [.of(9202)]), .of(9101)]) == [cheese, blue])
        #expect(
            try app.choiceErrors([.of(9101, 0)]) == [
                "options/91 option_quantity_out_of_range chosen=0 maximum=2 optionId=9101"
            ])
        // It counts towards the group's minimum.
        app.changeGroup(91) { $0.minimum = 1 }
        #expect(try app.choiceErrors([.of(9101)]) == [cheese])
        app.changeOption(9101) { $0.isAvailable = true }
        for (until, isSoldOut) in [(app.moment.microseconds + 1, true), (app.moment.microseconds, false)] {
            app.changeOption(9101) { $0.soldOutUntil = Instant(microseconds: until) }
            #expect(try app.choiceErrors([.of(9101)]) == (isSoldOut ? [cheese] : []))
        }
    }

    @Test("An option that is retired or not part of the item is unknown, and the options below it are not validated")
    func unknown() throws {
        var app = MenuFixture.withOptions()
        #expect(
            try app.choiceErrors([.of(9301), .of(0, -1, [.of(1)]), .of(9101, 1, [.of(9101), .of(9201)]), .of(.min)])
                == [
                    "options option_unknown optionId=9301", "options option_unknown optionId=0",
                    "options option_unknown optionId=\(Int64.min)",
                    "options/91/9101/options option_unknown optionId=9101",
                ])
        #expect(try app.choiceErrors([.of(9101)], of: 3001) == ["options option_unknown optionId=9101"])
        #expect(try app.choiceErrors([.of(9101)], of: 9999) == ["options option_unknown optionId=9101"])
        app.changeOption(9103) { $0.isRetired = true }
        #expect(try app.choiceErrors([.of(9103)]) == ["options option_unknown optionId=9103"])
        app.changeGroup(92) { $0.isRetired = true }
        #expect(try app.choiceErrors([.of(9101)]) == [])
        #expect(
            try app.choiceErrors([.of(9101, 1, [.of(9201)])]) == [
                "options/91/9101/options option_unknown optionId=9201"
            ])
    }

    @Test("An option below the third level is rejected as unknown")
    func levels() throws {
        var app = MenuFixture.withOptions()
        app.changeOption(9301) { $0.groups = [92] }
        let truffle = { (below: [RawOptionChoice]?) in
            [RawOptionChoice.of(9101, 1, [.of(9202, 1, [.of(9301, 1, below)])])]
        }
        #expect(try app.choiceErrors(truffle(nil)) == [] && app.choiceErrors(truffle([])) == [])
        #expect(
            try app.choiceErrors(truffle([.of(9201, 1, [.of(9301)])])) == [
                "options/91/9101/92/9202/93/9301/options option_unknown optionId=9201"
            ])
    }

    @Test("All errors are reported once: unknown options first, then group by group with the options below")
    func order() throws {
        var app = MenuFixture.withOptions()
        app.groups.append(
            MenuFixture.OptionGroupRow(
                id: 90, minimum: 1,
                options: [MenuFixture.OptionRow(id: 9001, price: 0), MenuFixture.OptionRow(id: 9002, price: 0)]))
        app.itemGroups[2001] = [91, 90]
        app.changeOption(9102) { ($0.isAvailable, $0.position) = (false, 1) }
        app.changeOption(9103) { $0.position = 2 }
        let chosen: [RawOptionChoice] = [
            .of(9101, 2, []), .of(7), .of(9101, 1, [.of(9202, 2), .of(8)]), .of(9102, 2), .of(9103), .of(7),
            .of(9101, 1, []), .of(6),
        ]
        #expect(
            try app.choiceErrors(chosen) == [
                "options option_unknown optionId=7", "options option_unknown optionId=6",
                "options/91 option_group_maximum chosen=7 maximum=3",
                "options/91 option_quantity_out_of_range chosen=2 maximum=1 optionId=9102",
                "options/91 option_sold_out optionId=9102",
                "options/91 option_quantity_out_of_range chosen=4 maximum=2 optionId=9101",
                "options/91/9101/92 option_group_minimum chosen=0 minimum=1",
                "options/91/9101/options option_unknown optionId=8",
                "options/91/9101/92 option_group_maximum chosen=2 maximum=1",
                "options/91/9101/92 option_quantity_out_of_range chosen=2 maximum=1 optionId=9202",
                "options/90 option_group_minimum chosen=0 minimum=1",
            ])
    }

    @Test("Equal choices give equal selections, in any order and number of entries, and with any titles and prices")
    func identity() throws {
        var app = MenuFixture.withOptions()
        let whole = try app.selection([.of(9101, 2, [.of(9202, 1, [.of(9301, 3)])]), .of(9102)])
        let truffle: [RawOptionChoice] = [.of(9202, 1, [.of(9301, 2), .of(9301)])]
        #expect(try app.selection([.of(9102), .of(9101, 1, truffle), .of(9101, 1, truffle)]) == whole)
        #expect(try app.selection([.of(9102), .of(9101, 2)]) != whole)
        #expect(whole.count == 4 && whole.entries.map(\.option.rawValue) == [9101, 9102])
        app.groups.reverse()
        for id: Int64 in [9101, 9102, 9202, 9301] {
            app.changeOption(id) { ($0.price, $0.title, $0.position) = (-$0.price, "Other", 10_000 - Int($0.id)) }
        }
        #expect(try app.selection([.of(9102), .of(9101, 1, truffle), .of(9101, 1, truffle)]) == whole)
        // Two entries of one option are ordered by the options below them.
        let mixed = try app.selection([.of(9101, 1, [.of(9202)]), .of(9101)])
        #expect(mixed.entries.map { $0.selection.entries.map(\.option.rawValue) } == [[9201], [9202]])
    }

    @Test("A selection is limited to quantities of 1 to 99, three levels and 100 entries")
    func shape() throws {
        typealias Entry = Selection.Entry
        let id = OptionID(rawValue: 1)
        for quantity in [0, -1, 100, .min, .max] { #expect(Entry(id, quantity: quantity) == nil) }
        let one = try #require(Entry(id, quantity: 50))
        #expect(Selection([one, one]) == nil)
        var nested = Selection.none
        for level in 1...4 {
            let entry = try #require(Entry(id, quantity: 1, selection: nested))
            let selection = Selection([entry])
            #expect((selection == nil) == (level == 4))
            nested = selection ?? nested
        }
        let many = try (1...101).map { try #require(Entry(OptionID(rawValue: $0), quantity: 1)) }
        let most = Array(many.prefix(100))
        #expect(Selection(many) == nil && Selection(most) != nil && Selection(most.shuffled()) == Selection(most))
        #expect(Selection([Entry]()) == Selection.none && Selection([LineOption]()) == Selection.none)
        for price in [-100_000_001, 100_000_001, .min, .max] as [Int64] {
            #expect(OptionPrice(minorUnits: price) == nil)
        }
        #expect(OptionPrice(minorUnits: -100_000_000) != nil && OptionPrice(minorUnits: 100_000_000) != nil)
    }

    @Test("A choice of more than 100 entries is rejected without validation, and so are more than 100 defaults")
    func tooMany() throws {
        var app = MenuFixture.withOptions()
        app.changeGroup(91) { $0.maximum = nil }
        #expect(try app.choiceErrors(Array(repeating: RawOptionChoice.of(9103), count: 101)) == ["too_many_options"])
        #expect(try app.choiceErrors(Array(repeating: RawOptionChoice.of(9103), count: 100)).count == 1)
        #expect(
            try app.choiceErrors([.of(9101, 1, Array(repeating: RawOptionChoice.of(9201), count: 100))]) == [
                "too_many_options"
            ])
        // Eighty default options on each of three levels: half a million entries.
        app.groups = [
            MenuFixture.OptionGroupRow(
                id: 91,
                options: (1...80).map { MenuFixture.OptionRow(id: 9100 + $0, price: 1, isDefault: true, groups: [91]) })
        ]
        #expect(try app.choiceErrors(nil) == ["too_many_options"] && app.choiceErrors([]) == [])
    }
}
