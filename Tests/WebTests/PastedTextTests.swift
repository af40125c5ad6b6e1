// Tests pasted texts with invisible characters.

import Support
import Testing
import Wire

@Suite("Pasted text", .timeLimit(.minutes(10)))
struct PastedTextTests {
    @Test(
        "Checkout accepts invisible characters, stores the cleaned text and returns it from validation"
    )
    func checkout() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket, coupon: "\u{200B}frst\u{FEFF}")
            form.name = "\u{200B}Ann\u{AD} علی\u{200C}رضا\n"
            form.phone = "\u{202A}(212)\u{200B} 555\u{AD}-0001\u{FE0D}\u{202C}\n"
            form.email = "\u{A0}ann.lee\u{200B}@example.com\u{200E}"
            form.address = "12 Elm\u{200B} Street, Springfield\u{FEFF}"
            form.postcode = "\u{200E}10117\u{200B}"
            form.comment = "\u{2068}ring\u{2069} twice ❤\u{FE0F}"
            let live = try await shop.server.validate(form).decoded(ValidationBody.self)
            #expect(
                live.fields[.phone]?.value == .text("+12125550001")
                    && live.fields[.email]?.value == .text("ann.lee@example.com"))
            #expect(live.fields[.coupon]?.value == .text("FRST"))
            form.expectedTotal = try #require(live.quote).total
            let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
            let customer = try #require(order.customer)
            #expect(
                customer.name == "Ann علی\u{200C}رضا" && customer.phone == "+12125550001"
                    && customer.email == "ann.lee@example.com")
            #expect(customer.address == "12 Elm Street, Springfield" && customer.postcode == "10117")
            #expect(customer.comment.map { Array($0.unicodeScalars) } == Array("ring twice ❤\u{FE0F}".unicodeScalars))
            // The same guest is recognised, so the first-order coupon is rejected.
            let other = try await shop.server.startBasket(items: [(2001, 1)])
            var second = CheckoutBody.filled(for: other, coupon: "FRST", total: order.total)
            second.phone = "2125550001"
            #expect(try await shop.server.checkout(second, key: "k").errors == ["coupon: coupon_first_order_only"])
        }
    }
}
