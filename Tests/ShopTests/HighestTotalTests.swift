// The highest total that the prices, fees, charges and tax rates of staff can produce, from the basket to the stored
// order, without truncation or overflow. Covers the bounds of Money and of order_is_valid in sql/004_orders.sql.
import Ordering
import Support
import Testing

@testable import Shop

@Suite struct HighestTotalTests {
    @Test("The most expensive basket possible, with all charges at their maximum, is placed as it was quoted")
    func highest() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                """
                insert into option_groups (id, title, maximum) values (90, 'Gold', null), (91, 'Platinum', null);
                insert into options (id, group_id, title, price, maximum)
                    values (9001, 90, 'Gold', 95000000, 99), (9101, 91, 'Platinum', 100000000, 99);
                update menu_items set price = 100000000 where id = 5001;
                insert into menu_item_option_groups (menu_item_id, group_id) values (5001, 90);
                insert into option_option_groups (option_id, group_id) values (9001, 91);
                insert into delivery_areas (id, title, postcodes) values (1, 'All', '{*}');
                insert into delivery_fees values (1, 0, 100000000);
                """)
            // 20 × (95,000,000 + 99 × 100,000,000) plus 100,000,000 for the item is 200,000,000,000, the maximum price
            // of a dish.
            func gold(_ quantity: Int64) -> [RawOptionChoice] {
                [RawOptionChoice(9001, quantity: quantity, options: [RawOptionChoice(9101, quantity: 99)])]
            }
            for (guest, rows) in [
                "update shop set tip_limit_percent = 1000", "update fulfilments set service_charge_percent = 100",
                """
                insert into tax_rates (id, title, percent) values (1, 'VAT', 100);
                insert into category_taxes (category_id, tax_rate_id) values (500, 1);
                update shop set prices_include_tax = false
                """,
            ].enumerated() {
                try await open.database.psqlAsStaff(rows)
                let id = open.makeBasketID()
                var basket = try await open.shop.baskets.create(id).get()
                let tooExpensive = RawDish(MenuItemID(rawValue: 5001), options: gold(21))
                let result = try await open.shop.baskets.change(id, .addItem(tooExpensive, quantity: 1))
                guard case .failure(.changeRejected(.invalid(let errors))) = result else {
                    Issue.record("a dish above the maximum price is accepted: \(result)")
                    return
                }
                #expect(errors.all.map { "\($0.path) \($0.code)" } == ["options/90 optionQuantityOutOfRange"])
                #expect(errors.all.first?.params["maximum"] == .integer(20))
                for note in 1...50 {
                    let dish = RawDish(MenuItemID(rawValue: 5001), options: gold(20), note: "\(note)")
                    basket = try await open.shop.baskets.change(id, .addItem(dish, quantity: 99)).get()
                }
                #expect(basket.total.minorUnits == 990_000_000_000_000)
                let tip = try await open.shop.menu.menu(atLeast: open.storage.loadMenuRevision().revision).menu.terms
                    .highestTip(
                        on: basket.total)
                for (add, isPlaced) in [(1, false), (0, true)] as [(Int64, Bool)] {
                    let draft = try await open.makeDraft(basket, by: Guest(guest)) {
                        ($0.postcode, $0.tip) = ("10115", tip.minorUnits + add)
                    }
                    let answer = try await open.shop.checkouts.submit(draft)
                    #expect(
                        answer.isPlaced == isPlaced && answer.errorCodes == (isPlaced ? [] : [.tipOutOfRange]),
                        "\(rows): \(answer)")
                    guard let order = answer.order else { continue }
                    let sum = order.totals.all.dropLast().reduce(Int64(0)) { $1.isIncluded ? $0 : $0 + $1.amount }
                    #expect(order.total.minorUnits == sum && draft.form.expectedTotal == sum)
                    #expect(try await open.storage.loadOrder(order.id)?.totals == order.totals)
                }
            }
        }
    }

    @Test("A dish that staff make too expensive keeps its price in the basket, and quote and checkout reject it alike")
    func priceRaised() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                """
                insert into option_groups (id, title, maximum) values (90, 'Gold', null), (91, 'Platinum', null);
                insert into options (id, group_id, title, price, maximum)
                    values (9001, 90, 'Gold', 95000000, 99), (9101, 91, 'Platinum', 100000000, 99);
                update menu_items set price = 100000000 where id = 5001;
                insert into menu_item_option_groups (menu_item_id, group_id) values (5001, 90);
                insert into option_option_groups (option_id, group_id) values (9001, 91);
                """)
            let gold = [RawOptionChoice(9001, quantity: 20, options: [RawOptionChoice(9101, quantity: 99)])]
            let id = open.makeBasketID()
            _ = try await open.shop.baskets.create(id).get()
            let dish = RawDish(MenuItemID(rawValue: 5001), options: gold)
            let added = try await open.shop.baskets.change(id, .addItem(dish, quantity: 2)).get()
            #expect(added.total == Money(minorUnits: 400_000_000_000) && added.isOrderable)
            try await open.database.psqlAsStaff("update options set price = 100000000 where id = 9001")
            _ = try await open.shop.menu.menu(atLeast: open.storage.loadMenuRevision().revision)
            let basket = try #require(try await open.shop.baskets.load(id))
            #expect(basket.total == added.total && !basket.isOrderable)
            let draft = try await open.makeDraft(basket, by: Guest(1))
            let live = try #require(try await open.shop.checkouts.validate(draft.form, basketID: id))
            #expect(
                live.errors.map { "\($0.path) \($0.code.rawValue)" } == [
                    "lines/1/options/90 option_quantity_out_of_range"
                ])
            #expect(!live.isReady)
            let answer = try await open.shop.checkouts.submit(draft)
            #expect(answer.errorCodes == [.optionQuantityOutOfRange] && live.errors.map(\.code) == answer.errorCodes)
            // A smaller quantity is accepted again.
            let fewer = [RawOptionChoice(9001, quantity: 19, options: [RawOptionChoice(9101, quantity: 99)])]
            let changed = try await open.shop.baskets.change(id, .edit(LineID(rawValue: 1), LineEdit(options: fewer)))
                .get()
            #expect(try await open.shop.checkouts.submit(open.makeDraft(changed, by: Guest(1))).isPlaced)
        }
    }
}
