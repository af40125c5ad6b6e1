// Tests POST /v1/checkout/validate, which returns 200 for every readable form.

import Support
import Testing
import Wire

@Suite("Form validation while the guest types", .timeLimit(.minutes(10)))
struct FormValidationTests {
    @Test("Each given field has its normalised value or its error, and a missing field has no result")
    func fields() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 2)])
            let empty = try await shop.server.validate(CheckoutBody(basketId: basket.id))
            #expect(
                empty.text.hasPrefix(
                    #"{"fields":{},"errors":[],"quote":{"subtotal":1610,"discount":0,"total":1610,"currency":"USD","#
                        + #""lines":["#))
            #expect(
                empty.text.hasSuffix(
                    #""conditions":[],"currencyExponent":2,"#
                        + #""totals":[{"kind":"subtotal","title":"Subtotal","amount":1610},"#
                        + #"{"kind":"total","title":"Total","amount":1610}],"#
                        + #""fulfilment":"delivery","wantedAt":null,"etaMinutes":15,"tipMaximum":1610},"#
                        + #""isReady":false}"#))

            var form = CheckoutBody(basketId: basket.id)
            form.name = "ann lee"
            form.phone = "12345"
            form.address = ""
            form.expectedTotal = 1610
            let answer = try await shop.server.storefront.validateCheckout(form)
            #expect(answer.fields[.name]?.value == .text("Ann Lee"))
            #expect(answer.fields[.phone]?.code == "invalid_phone")
            #expect(answer.fields[.phone]?.message?.isEmpty == false)
            #expect(answer.fields[.phone]?.value == nil)
            #expect(answer.fields[.address]?.code == "required")
            #expect(answer.fields[.expectedTotal]?.value == .integer(1610))
            #expect(answer.fields[.email] == nil && answer.fields[.coupon] == nil)
            #expect(!answer.isReady)
            #expect(try await shop.server.storefront.validateCheckout(.filled(for: basket)).isReady)
            #expect(try await !shop.server.storefront.validateCheckout(.filled(for: basket, total: 1)).isReady)
        }
    }

    @Test("The coupon is validated with the basket, and the quote has the total before and after it")
    func coupon() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)])
            var form = CheckoutBody(basketId: basket.id)
            for (typed, code) in [
                ("F", "coupon_unknown"), ("FRS", "coupon_unknown"), ("HAPPY", "coupon_needs_birthday"),
            ] {
                form.coupon = typed
                let answer = try await shop.server.storefront.validateCheckout(form)
                #expect(answer.fields[.coupon]?.code == code)
                #expect(answer.quote?.total == 1090)
            }
            form.coupon = " frst "
            let right = try await shop.server.storefront.validateCheckout(form)
            #expect(right.fields[.coupon]?.value == .text("FRST"))
            #expect(right.quote.map { [$0.subtotal, $0.discount, $0.total] } == [1090, 109, 981])
            #expect(right.quote?.conditions == ["first_order"])
        }
    }

    @Test("Errors of the basket are listed, and without a basket only the fields are validated")
    func baskets() async throws {
        try await TestShop.run { shop in
            func errors(_ id: String?) async throws -> [String] {
                var form = CheckoutBody(basketId: id)
                form.name = "Ann Lee"
                let answer = try await shop.server.storefront.validateCheckout(form)
                #expect(answer.fields[.name]?.value == .text("Ann Lee"))
                #expect(!answer.isReady)
                return answer.errors.map { "\($0.field): \($0.code)" } + [
                    answer.quote.map { "\($0.total)" } ?? "no quote"
                ]
            }
            #expect(try await errors(nil) == ["no quote"])
            #expect(
                try await errors("01890000-0000-7000-8000-000000000000") == ["basket: basket_not_found", "no quote"])
            #expect(try await errors("x") == ["basket: basket_not_found", "no quote"])
            #expect(try await errors(shop.server.startBasket().id) == ["basket: basket_empty", "0"])
            #expect(try await errors(shop.server.order().id) == ["basket: basket_already_ordered", "no quote"])
            let basket = try await shop.server.startBasket(items: [(4001, 1)], sales: [400])
            try await shop.database.psql("update menu_items set is_available = false where id in (4001, 1002)")
            #expect(
                try await errors(basket.id) == [
                    "lines/1: item_sold_out", "sales/400/items/1002: item_sold_out", "3763",
                ])
        }
    }

    @Test("An unreadable body is rejected, and no idempotency key is required")
    func bodies() async throws {
        try await TestShop.run { shop in
            for body in ["", "[]", #"{"name":7}"#, #"{"price":1}"#] {
                let reply = try await shop.server.post("/v1/checkout/validate", json: body)
                #expect(reply.status == 400)
                #expect(reply.code == "malformed_body")
            }
            #expect(try await shop.server.send("POST", "/v1/checkout/validate", body: Array("{}".utf8)).status == 415)
            #expect(
                try await shop.server.post("/v1/checkout/validate", json: "{}").text
                    == #"{"fields":{},"errors":[],"quote":null,"isReady":false}"#)
        }
    }
}
