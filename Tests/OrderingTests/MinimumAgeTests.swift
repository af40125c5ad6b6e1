// Age restrictions: the guest confirms the minimum age, and the order contains it for the courier.
import Testing

@testable import Ordering

@Suite("Age confirmation at checkout")
struct MinimumAgeTests {
    private static func shop(_ ages: [Int64: Int], _ basket: Basket? = nil) throws -> CheckoutFixture {
        var app = MenuFixture()
        for (id, age) in ages {
            let food = try #require(FoodInformation(minimumAge: age))
            app.changeItem(id) { $0.food = food }
        }
        var shop = CheckoutFixture()
        shop.menu = try app.menu()
        if let basket { shop.basket = basket }
        return shop
    }

    private static func refused(_ age: Int64) -> CheckoutDecision {
        .reject(
            .validationFailed(FieldErrors(FieldError(.ageConfirmed, .ageConfirmationRequired, ["age": .integer(age)]))))
    }

    @Test("Checkout requires age confirmation when the basket contains an age-restricted item")
    func confirmed() throws {
        let shop = try Self.shop([4001: 18])
        #expect(try shop.decide(expectedTotal: 1895) == Self.refused(18))
        #expect(try shop.decide(expectedTotal: 1895) { $0.ageConfirmed = false } == Self.refused(18))
        #expect(try shop.decide(expectedTotal: 1895) { $0.ageConfirmed = true }.order?.minimumAge == 18)
    }

    @Test("The highest minimum age of all lines and sets applies, and an age of 0 needs no confirmation")
    func highest() throws {
        let basket = CheckoutFixture.basket([(2001, 2), (4001, 1)], sets: [(200, [(2002, 3)])])
        let ages: [(ages: [Int64: Int], age: Int?)] = [
            ([2001: 16, 4001: 18], 18), ([2001: 18, 4001: 16], 18), ([4001: 16, 2002: 21], 21), ([2002: 99], 99),
            ([4005: 18], nil),
            ([2001: 0], nil), ([:], nil),
        ]
        for (ages, age) in ages {
            let shop = try Self.shop(ages, basket)
            let total = PricedBasket(basket, menu: shop.menu).total.minorUnits
            if let age { #expect(try shop.decide(expectedTotal: total) == Self.refused(Int64(age)), "\(ages)") }
            let order = try #require(try shop.decide(expectedTotal: total) { $0.ageConfirmed = true }.order)
            #expect(order.minimumAge == age, "\(ages)")
        }
    }

    @Test("A confirmation that the basket does not require is accepted, and the order has no minimum age")
    func unneededConfirmation() throws {
        let order = try #require(try CheckoutFixture().decide(expectedTotal: 1895) { $0.ageConfirmed = true }.order)
        #expect(order.minimumAge == nil)
        #expect(try CheckoutFixture().decide(expectedTotal: 1895) { $0.ageConfirmed = false }.order != nil)
    }

    @Test("A missing age confirmation is reported between the tip and the total, and also for an empty form")
    func order() throws {
        let shop = try Self.shop([4001: 18])
        let decision = try shop.decide(expectedTotal: -1) {
            $0.phone = "1"
            $0.tip = .max
        }
        #expect(
            decision.summaries == [
                "phone invalid_phone", "tip tip_out_of_range", "ageConfirmed age_confirmation_required",
                "expectedTotal invalid_total",
            ])
        let live = Checkout.validate(CheckoutForm(), shop.facts)
        #expect(live.errors.map(\.code) == [.ageConfirmationRequired] && !live.isReady)
        #expect(Checkout.validate(CheckoutForm(ageConfirmed: true), shop.facts).errors.isEmpty)
        let form = try shop.draft(expectedTotal: 1895) { $0.ageConfirmed = true }.form
        #expect(Checkout.validate(form, shop.facts).isReady)
    }

    @Test("A missing age confirmation is reported before a changed price")
    func beforePrice() throws {
        let shop = try Self.shop([4001: 18])
        #expect(try shop.decide(expectedTotal: 1) == Self.refused(18))
        #expect(try shop.decide(expectedTotal: 1) { $0.ageConfirmed = true }.summaries == ["price_changed"])
    }
}
