// Checkout over HTTP: from the form to the order and its database rows.

import Foundation
import Support
import Testing
import Wire

@Suite("Checkout", .timeLimit(.minutes(10)))
struct CheckoutTests {
    @Test("A checkout returns order number, estimate and normalised form, and marks the basket as ordered")
    func orderResponse() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2), (2003, 1)], sales: [400])
            var form = CheckoutBody.filled(for: basket)
            form.name = "  zoë   o'brien mcdonald "
            form.phone = "(212) 555-0199"
            form.email = "Zoe.OBrien@Example.com"
            form.address = "12 elm street,  springfield"
            form.comment = "Ring <twice>, please"
            let reply = try await shop.server.checkout(form, key: "a key")
            #expect(reply.status == 201)
            #expect(reply.header("Location") == "/v1/orders/\(basket.id)")
            #expect(reply.header("Idempotency-Replayed") == nil)
            let order = try reply.decoded(OrderBody.self)
            #expect(order.id == basket.id)
            #expect(order.basketId == basket.id)
            #expect(order.number.count == 8 && order.number.allSatisfy { $0.isASCII && $0.isNumber })
            #expect(order.state == "placed")
            #expect(order.etaMinutes == 15)
            #expect(
                order.customer
                    == CustomerBody(
                        name: "Zoë O'Brien McDonald", phone: "+12125550199", email: "Zoe.OBrien@Example.com",
                        address: "12 Elm Street, Springfield", comment: "Ring <twice>, please"))
            #expect(
                order.lines.map { "\($0.quantity) x \($0.title) \($0.unitPrice) (\($0.regularUnitPrice))" } == [
                    "2 x The Big Tasty 805 (805)", "1 x Cheeseburger 899 (999)",
                ])
            #expect(order.sales.map(\.title) == ["Hot Chicken Days"])
            #expect(
                order.subtotal == basket.total && order.discount == 0 && order.total == basket.total
                    && order.currency == "USD")
            #expect(order.coupon == nil)
            #expect(order.actions == ["cancel"])
            #expect(order.accessToken?.count == 43)

            let ordered = try await shop.server.basket(basket.id)
            #expect(ordered.state == "ordered")
            #expect(ordered.orderId == order.id)
            // The client starts a new basket after the order.
            #expect(try await shop.server.startBasket().totalCount == 0)
        }
    }

    @Test("The estimate is 15 to 60 minutes in steps of five, and an order keeps its estimate")
    func deliveryTime() async throws {
        try await TestShop.run { shop in
            let first = try await shop.server.order()
            #expect(first.etaMinutes == 15)
            // The server counts the kitchen's unfinished orders once a second.
            for (more, minutes) in [(8, 25), (20, 50), (90, 60)] {
                // Only the newest hundred orders are counted, so the ids of these sort after those of new orders.
                try await shop.database.psql(
                    """
                    insert into orders
                    select (jsonb_populate_record(
                        orders, jsonb_build_object('id', overlay(gen_random_uuid()::text placing 'ffffffff' from 1)))).*
                    from orders cross join generate_series(1, \(more)) where id = '\(first.id)'
                    """)
                try await eventually("an order takes \(minutes) minutes") {
                    let order = try await shop.server.order()
                    _ = try await shop.server.cancel(order).expecting(200)
                    return order.etaMinutes == minutes
                }
            }
            #expect(
                try await shop.server.get("/v1/orders/\(first.id)").expecting(200).decoded(OrderBody.self).etaMinutes
                    == 15)
        }
    }

    @Test("All amounts are integers, and the rows in PostgreSQL add up to the order's total and discount")
    func totalsAddUp() async throws {
        try await TestShop.run { shop in
            try await shop.database.psql(
                """
                insert into coupons (id, key, title, description, benefit, percent)
                values (90, 'SEVEN', 'Seven', 'Seven percent off.', 'percent', 7);
                insert into coupons (id, key, title, description, benefit, amount)
                values (91, 'LESS', 'Less', 'Five dollars off.', 'amount', 500);
                """)
            for (guest, coupon) in [nil, "SEVEN", "less", "follow"].enumerated() {
                let basket = try await shop.server.startBasket(
                    items: [(2001, 3), (2003, 1), (5001, 7), (1004, 2)], sales: [200, 400])
                let subtotal = basket.total
                let discount =
                    switch coupon {
                    case "SEVEN": subtotal - (subtotal * 93 + 50) / 100
                    case "less": Int64(500)
                    case "follow": Int64(805)
                    default: Int64(0)
                    }
                let form = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon, total: subtotal - discount)
                let reply = try await shop.server.checkout(form, key: "k").expecting(201)
                let order = try reply.decoded(OrderBody.self)
                #expect(order.coupon == coupon?.uppercased())
                #expect(order.total == subtotal - discount)
                let items = order.lines + order.sales.flatMap(\.items)
                #expect(items.map(\.total).reduce(0, +) == subtotal)
                #expect(items.map(\.discount).reduce(0, +) == discount)
                #expect(
                    items.allSatisfy {
                        $0.total == $0.unitPrice * Int64($0.quantity) && (0...$0.total).contains($0.discount)
                    })
                #expect(reply.text.firstMatch(of: /":-?[0-9]+[.eE]/) == nil)

                let rows = try await shop.database.psql(
                    """
                    select sum(l.unit_price * l.quantity), sum(l.discount), sum(l.total - l.discount),
                        o.subtotal, o.discount, o.total, o.state
                    from order_lines l join orders o on o.id = l.order_id where o.id = '\(order.id)'
                    group by o.id, o.subtotal, o.discount, o.total, o.state
                    """)
                #expect(rows == "\(subtotal)|\(discount)|\(order.total)|\(subtotal)|\(discount)|\(order.total)|placed")
            }
        }
    }

    @Test("One response lists all field errors in the form's order, each with path, code, message and parameters")
    func allErrors() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)], sales: [400])
            try await shop.database.psql("update menu_items set is_available = false where id in (4001, 1003)")
            var form = CheckoutBody(basketId: basket.id)
            form.name = "4nn L33"
            form.phone = "12345"
            form.email = "ann@"
            form.address = "Elm 1"
            form.comment = "\u{1}"
            form.coupon = "NOSUCH"
            form.birthday = "02-30"
            form.expectedTotal = -1
            let reply = try await shop.server.checkout(form, key: "k")
            #expect(reply.status == 422)
            #expect(reply.code == "validation_failed")
            #expect(reply.header("Content-Type") == "application/problem+json")
            #expect(
                reply.errors == [
                    "name: invalid_name", "phone: invalid_phone", "email: invalid_email", "address: invalid_address",
                    "comment: invalid_comment", "coupon: coupon_unknown", "birthday: invalid_birthday",
                    "expectedTotal: invalid_total",
                    "lines/2: item_sold_out", "sales/400/items/1003: item_sold_out",
                ])
            let errors = try #require(try reply.decoded(ProblemBody.self).errors)
            #expect(errors.allSatisfy { !$0.message.isEmpty })
            #expect(errors[3].params == ["minimum": .integer(6)])
        }
    }

    @Test(
        "A form with every field wrong returns one 422, and the corrected form is accepted with the same key"
    )
    func everyFieldWrong() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)])
            try await shop.database.psql("update menu_items set is_available = false where id = 4001")
            var form = CheckoutBody.filled(for: basket, coupon: "NOSUCH")
            form.name = "<b>"
            form.phone = "call me"
            form.email = "ann at example.com"
            form.address = "x"
            let reply = try await shop.server.checkout(form, key: "k")
            #expect(reply.status == 422)
            #expect(
                reply.errors == [
                    "name: invalid_name", "phone: invalid_phone", "email: invalid_email", "address: invalid_address",
                    "coupon: coupon_unknown", "lines/2: item_sold_out",
                ])
            let rest = try await shop.server.send("DELETE", "/v1/baskets/\(basket.id)/items/4001").expecting(200)
                .decoded(BasketBody.self)
            // A rejected attempt does not store its key.
            #expect(try await shop.server.checkout(.filled(for: rest), key: "k").status == 201)
        }
    }

    @Test("Missing fields are reported as required, and so is a missing basket; an empty basket has its own code")
    func missing() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket()
            let required = ["name: required", "phone: required", "email: required", "address: required"]
            let empty = try await shop.server.checkout(CheckoutBody(basketId: basket.id), key: "k")
            #expect(empty.status == 422)
            #expect(empty.errors == required + ["expectedTotal: required", "basket: basket_empty"])
            let nothing = try await shop.server.checkout(CheckoutBody(), key: "k")
            #expect(nothing.status == 422)
            #expect(nothing.errors == required + ["expectedTotal: required", "basket: required"])
            var blank = CheckoutBody.filled(for: basket)
            (blank.basketId, blank.name, blank.coupon, blank.comment, blank.birthday) = (nil, " ", "", "", "")
            #expect(try await shop.server.checkout(blank, key: "k").errors == ["name: required", "basket: required"])
        }
    }

    @Test("A field with too much text is rejected as too_long with the limit")
    func tooLong() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            form.name = String(repeating: "a", count: 5000)
            form.address = String(repeating: "1 Elm ", count: 1000)
            form.comment = String(repeating: "x", count: 20_000)
            let reply = try await shop.server.checkout(form, key: "k")
            #expect(reply.errors == ["name: too_long", "address: too_long", "comment: too_long"])
            let errors = try #require(try reply.decoded(ProblemBody.self).errors)
            #expect(errors.allSatisfy { if case .integer? = $0.params["limit"] { true } else { false } })
        }
    }
}
