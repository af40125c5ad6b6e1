// Each coupon condition over HTTP, and validity at midnight in the shop's time zone.

import Support
import Testing
import Wire

@Suite("Coupons", .timeLimit(.minutes(10)))
struct CouponTests {
    /// Checks out a new basket with the total that the quote shows.
    func order(
        _ shop: TestShop, _ items: [(id: Int64, quantity: Int64)] = [(2001, 1)], sales: [Int64] = [], coupon: String,
        guest: Int = 1,
        birthday: String? = nil
    ) async throws -> TestServer.Reply {
        let basket = try await shop.server.startBasket(items: items, sales: sales)
        var form = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon)
        form.birthday = birthday
        if let quote = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self).quote {
            form.expectedTotal = quote.total
        }
        return try await shop.server.checkout(form, key: "key of \(basket.id)")
    }

    @Test("FRST reduces a first order by 10 %, and no other order of the same phone number or email address")
    func firstOrder() async throws {
        try await TestShop.run { shop in
            let first = try await order(shop, [(2001, 1), (4001, 1)], coupon: "frst").expecting(201).decoded(
                OrderBody.self)
            #expect((first.subtotal, first.discount, first.total) == (1090, 109, 981))
            let second = try await order(shop, coupon: "FRST")
            #expect(second.status == 422)
            #expect(second.errors == ["coupon: coupon_first_order_only"])

            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var samePhone = CheckoutBody.filled(for: basket, guest: 2, coupon: "FRST", total: 725)
            samePhone.phone = "+1 212.550.0001"
            #expect(try await shop.server.checkout(samePhone, key: "k").errors == ["coupon: coupon_first_order_only"])
            var sameEmail = CheckoutBody.filled(for: basket, guest: 2, coupon: "FRST", total: 725)
            sameEmail.email = "ANN.LEE+1@example.COM"
            #expect(try await shop.server.checkout(sameEmail, key: "k").errors == ["coupon: coupon_first_order_only"])
            #expect(
                try await shop.server.checkout(.filled(for: basket, guest: 2, coupon: "FRST", total: 725), key: "k")
                    .status == 201)
            // An order without a coupon counts as a first order.
            _ = try await shop.server.order(guest: 3)
            #expect(try await order(shop, coupon: "FRST", guest: 3).errors == ["coupon: coupon_first_order_only"])
        }
    }

    @Test("LAST takes 15 % off on the month's last day in the shop's time zone, and is invalid on other days")
    func lastDay() async throws {
        try await TestShop.run { shop in
            let isLast = "select to_char(now() at time zone time_zone + interval '1 day', 'DD') = '01' from shop"
            let reply = try await order(shop, coupon: "LAST")
            if try await shop.database.psql(isLast) == "t" {
                #expect(try reply.decoded(OrderBody.self).discount == 121)
            } else {
                #expect(reply.status == 422)
                #expect(reply.errors == ["coupon: coupon_not_today"])
            }
        }
    }

    @Test("FOLLOW makes one burger free, the cheapest by its current price, in lines and sets, once per guest")
    func freeBurger() async throws {
        try await TestShop.run { shop in
            let withoutBurger = try await order(shop, [(4001, 1)], coupon: "FOLLOW")
            #expect(withoutBurger.errors == ["coupon: coupon_needs_item"])
            let set = try await order(shop, [(2004, 1)], sales: [200], coupon: "FOLLOW").expecting(201).decoded(
                OrderBody.self)
            #expect(set.discount == 899)
            #expect(set.lines.map(\.discount) == [0])
            #expect(set.sales.flatMap(\.items).map(\.discount) == [899])
            let line = try await order(shop, [(2004, 1), (2005, 2)], sales: [200], coupon: "FOLLOW", guest: 2)
            #expect(try line.expecting(201).decoded(OrderBody.self).lines.map(\.discount) == [0, 826])
            let second = try await order(shop, coupon: "FOLLOW")
            #expect(second.errors == ["coupon: coupon_already_used"])
            #expect(try second.decoded(ProblemBody.self).errors?.first?.params == ["limit": .integer(1)])
        }
    }

    @Test("Every spelling of a foreign phone number counts as the same guest")
    func oneNumberFromAbroad() async throws {
        try await TestShop.run { shop in
            let spellings = [
                "011 44 (0)20 7946 0958", "+44 020 7946 0958", "+44 (0)20-7946-0958", "0044 020.7946.0958",
                "+44 20 7946 0958",
            ]
            for (index, phone) in spellings.enumerated() {
                let basket = try await shop.server.startBasket(items: [(2004, 1)])
                var form = CheckoutBody.filled(for: basket, guest: index + 1, coupon: "FOLLOW", total: 0)
                form.phone = phone
                let reply = try await shop.server.checkout(form, key: "k")
                if index == 0 {
                    #expect(try reply.expecting(201).decoded(OrderBody.self).customer?.phone == "+442079460958")
                } else {
                    #expect(reply.errors == ["coupon: coupon_already_used"], "\(phone)")
                }
            }
        }
    }

    @Test("HAPPY requires a birthday and reduces an order by 15 % on that day, once per guest and year")
    func birthday() async throws {
        try await TestShop.run { shop in
            let days = try await shop.database.psql(
                """
                select to_char(now() at time zone time_zone, 'MM-DD'),
                    to_char(now() at time zone time_zone + interval '40 days', 'MM-DD') from shop
                """
            )
            .split(separator: "|").map(String.init)
            #expect(try await order(shop, coupon: "HAPPY").errors == ["coupon: coupon_needs_birthday"])
            #expect(try await order(shop, coupon: "HAPPY", birthday: "13-01").errors == ["birthday: invalid_birthday"])
            #expect(try await order(shop, coupon: "HAPPY", birthday: days[1]).errors == ["coupon: coupon_not_today"])
            #expect(
                try await order(shop, coupon: "HAPPY", birthday: days[0]).expecting(201).decoded(OrderBody.self).total
                    == 684)
            #expect(try await order(shop, coupon: "HAPPY", birthday: days[0]).errors == ["coupon: coupon_already_used"])
            #expect(try await order(shop, coupon: "HAPPY", guest: 2, birthday: days[0]).status == 201)
        }
    }

    @Test("A coupon's validity includes its start and excludes its end, and each rejection has its parameters")
    func validity() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                insert into coupons
                    (id, key, title, description, benefit, percent,
                    starts_at, ends_at, minimum_subtotal, redemption_limit)
                values
                    (90, 'OPEN',  'A', 'A.', 'percent', 10, now(), now() + interval '1 hour', 805, 1),
                    (91, 'EARLY', 'A', 'A.', 'percent', 10, '2999-01-01 00:00+00', null, null, null),
                    (92, 'LATE',  'A', 'A.', 'percent', 10, null, now(), null, null),
                    (93, 'BIG',   'A', 'A.', 'percent', 10, null, null, 1000, null)
                """)
            func error(_ coupon: String) async throws -> FieldErrorBody? {
                try await order(shop, coupon: coupon, guest: 2).expecting(422).decoded(ProblemBody.self).errors?.first
            }
            // The coupon is valid from its start on and from its minimum on.
            #expect(try await order(shop, coupon: "OPEN").expecting(201).decoded(OrderBody.self).total == 725)
            let exhausted = try await error("OPEN")
            #expect(exhausted?.code == "coupon_exhausted")
            #expect(exhausted?.params == ["limit": .integer(1)])
            let early = try await error("EARLY")
            #expect(early?.code == "coupon_not_started")
            #expect(early?.params == ["startsAt": .text("2999-01-01T00:00:00.000Z")])
            // The end of the validity is exclusive.
            let late = try await error("LATE")
            #expect(late?.code == "coupon_expired")
            #expect(late?.params.keys.sorted() == ["endsAt"])
            let small = try await error("BIG")
            #expect(small?.code == "coupon_minimum_not_reached")
            #expect(small?.params == ["missingAmount": .integer(195)])
            #expect(try await error("N0SUCH")?.code == "coupon_unknown")
            #expect(try await error("not a word")?.field == "coupon")
        }
    }

    @Test("A birthday coupon uses the date in the shop's time zone")
    func shopTimeZone() async throws {
        try await TestShop.run { shop in
            // These zones are 26 hours apart, so their dates always differ.
            let east = try await shop.database.psql(
                """
                update shop set time_zone = 'Pacific/Kiritimati'
                returning to_char(now() at time zone 'Pacific/Kiritimati', 'MM-DD')
                """)
            #expect(try await order(shop, coupon: "HAPPY", birthday: east).status == 201)
            try await shop.database.psql("update shop set time_zone = 'Etc/GMT+12'")
            #expect(
                try await order(shop, coupon: "HAPPY", guest: 2, birthday: east).errors == ["coupon: coupon_not_today"])
        }
    }
}
