// Tests `payment` in a checkout and in the responses of its order.

import Support
import Testing
import Wire

@Suite("Payment in a checkout", .timeLimit(.minutes(10)))
struct PaymentTests {
    @Test(
        "An order shows its payment to its guest and to staff, with or without a payment in the checkout"
    )
    func shown() async throws {
        try await StaffTests.run { shop in
            for (guest, payment) in [nil, SelectedPaymentBody(method: "cash")].enumerated() {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                var form = CheckoutBody.filled(for: basket, guest: guest)
                form.payment = payment
                let placed = try await shop.server.checkout(form, key: "k").expecting(201)
                #expect(placed.text.hasSuffix(#","payment":{"method":"cash"}}"#), "\(placed.text)")
                let order = try placed.decoded(OrderBody.self)
                #expect(order.payment == PaymentBody(method: "cash"))
                let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
                let own = try await shop.server.get("/v1/orders/\(order.id)", headers: token).decoded(OrderBody.self)
                let receipt = try await shop.server.get("/v1/orders/\(order.id)/receipt", headers: token).decoded(
                    ReceiptBody.self)
                let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                    .decoded(
                        OrderBody.self)
                #expect(
                    own.payment?.method == "cash" && receipt.order.payment?.method == "cash"
                        && staff.payment?.method == "cash")
                let withoutToken = try await shop.server.get("/v1/orders/\(order.id)").expecting(200)
                #expect(
                    try withoutToken.decoded(OrderBody.self).payment == nil && !withoutToken.text.contains("payment"))
                let cancelled = try await shop.server.cancel(order).expecting(200).decoded(OrderBody.self)
                #expect(cancelled.payment?.method == "cash")
            }
        }
    }

    @Test(
        "Checkout rejects an unknown payment method, a missing method and an unknown member, each with its code"
    )
    func refused() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            var form = CheckoutBody.filled(for: basket)
            let sent = String(String(decoding: form.json, as: UTF8.self).dropLast())
            func checkout(_ payment: String) async throws -> TestServer.Reply {
                try await shop.server.post(
                    "/v1/checkout", json: sent + #","payment":\#(payment)}"#, headers: [("Idempotency-Key", "k")])
            }
            for (payment, code) in [
                (#"{"method":"card"}"#, "payment_method_not_offered"),
                (#"{"method":"Cash"}"#, "payment_method_not_offered"),
                (#"{"method":""}"#, "payment_method_not_offered"), ("{}", "required"),
                (#"{"method":null}"#, "required"),
            ] {
                let reply = try await checkout(payment)
                #expect(
                    reply.status == 422 && reply.code == "validation_failed" && reply.errors == ["payment: \(code)"],
                    "\(payment): \(reply.text)")
            }
            for payment in [
                #"{"method":"cash","provider":"x"}"#, #"{"provider":"x"}"#, #"{"method":"cash","method":"cash"}"#,
                #"{"method":1}"#,
                #""cash""#, "[]",
                "true",
            ] {
                let reply = try await checkout(payment)
                #expect(reply.status == 400 && reply.code == "malformed_body", "\(payment)")
            }
            form.payment = SelectedPaymentBody(method: "card")
            let wrong = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(
                wrong.fields[.payment]?.code == "payment_method_not_offered" && wrong.fields[.payment]?.value == nil
                    && !wrong.isReady)
            form.payment = SelectedPaymentBody(method: "cash")
            let right = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(right.fields[.payment]?.value == .text("cash") && right.isReady)
            #expect(try await checkout("null").status == 201)
        }
    }

    @Test("The payment is part of the fingerprint only if it was sent")
    func fingerprint() async throws {
        try await TestShop.run { shop in
            for (guest, isSent) in [false, true].enumerated() {
                let basket = try await shop.server.startBasket(items: [(2001, 1)])
                var form = CheckoutBody.filled(for: basket, guest: guest)
                form.payment = isSent ? SelectedPaymentBody(method: "cash") : nil
                let placed = try await shop.server.checkout(form, key: "k").expecting(201)
                let replay = try await shop.server.checkout(form, key: "k").expecting(201)
                #expect(replay.text == placed.text && replay.header("Idempotency-Replayed") == "true")
                form.payment = isSent ? nil : SelectedPaymentBody(method: "cash")
                let other = try await shop.server.checkout(form, key: "k")
                #expect(other.status == 422 && other.code == "idempotency_key_reused")
            }
        }
    }
}
