// What a storefront does: starts baskets, fills them, checks them out, and reads the answers. Used by the black-box tests of Web.
// Read next: TestShop.swift for the server it talks to.

import Foundation
import StorefrontClient
import Testing
import Wire

/// An answer that the preparation of a test can't go on with.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
    /// The status and the body.
    package let description: String
}

extension TestServer {
    /// Starts a basket and puts these in, in this order.
    package func startBasket(items: [(id: Int64, quantity: Int64)] = [], sales: [Int64] = []) async throws -> BasketBody {
        var basket = try await send("POST", "/v1/baskets").expecting(201).decoded(BasketBody.self)
        for item in items { basket = try await add(item.id, item.quantity, to: basket.id).expecting(200).decoded() }
        for sale in sales { basket = try await addSale(sale, to: basket.id).expecting(200).decoded() }
        return basket
    }

    /// Reads a basket.
    package func basket(_ id: String) async throws -> BasketBody {
        try await get("/v1/baskets/\(id)").expecting(200).decoded()
    }

    /// Adds to an item's line.
    package func add(_ item: Int64, _ quantity: Int64 = 1, to basket: String) async throws -> Reply {
        try await post("/v1/baskets/\(basket)/items", json: #"{"menuItemId":\#(item),"quantity":\#(quantity)}"#)
    }

    /// Adds a sale's set.
    package func addSale(_ sale: Int64, to basket: String) async throws -> Reply {
        try await post("/v1/baskets/\(basket)/sales", json: #"{"salesGroupId":\#(sale)}"#)
    }

    /// Checks out.
    package func checkout(_ form: CheckoutBody, key: String) async throws -> Reply {
        try await post("/v1/checkout", json: String(decoding: form.json, as: UTF8.self), headers: [("Idempotency-Key", key)])
    }

    /// Asks the live form.
    package func validate(_ form: CheckoutBody) async throws -> Reply {
        try await post("/v1/checkout/validate", json: String(decoding: form.json, as: UTF8.self))
    }

    /// Cancels an order with the token of its checkout.
    package func cancel(_ order: OrderBody) async throws -> Reply {
        try await send("POST", "/v1/orders/\(order.id)/cancel", headers: [("Authorization", "Bearer \(order.accessToken ?? "")")])
    }

    /// Starts a basket with these, and orders it with a key of its own.
    package func order(
        _ items: [(id: Int64, quantity: Int64)] = [(2001, 1)], guest: Int = 1, coupon: String? = nil, total: Int64? = nil
    ) async throws -> OrderBody {
        let basket = try await startBasket(items: items)
        let form = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon, total: total)
        return try await checkout(form, key: "key of \(basket.id)").expecting(201).decoded()
    }
}

/// The code of the problem that a call of the typed client is refused with; nil if it is not refused.
package func refusal<Value>(of call: () async throws -> Value) async throws -> String? {
    do {
        _ = try await call()
        return nil
    } catch StorefrontError.problem(let problem) {
        return problem.code.rawValue
    }
}

extension TestServer.Reply {
    /// Itself, if the status is this one.
    package func expecting(_ status: Int) throws -> Self {
        guard self.status == status else { throw UnexpectedAnswer(description: "\(self.status) instead of \(status): \(text)") }
        return self
    }

    /// The body as a value of Wire.
    package func decoded<Body: Decodable>(_: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(body))
    }

    /// The code of a problem; nil for another answer.
    package var code: String? { (try? decoded(ProblemBody.self))?.code }

    /// `field: code` of each of a problem's errors, in their order.
    package var errors: [String] { ((try? decoded(ProblemBody.self))?.errors ?? []).map { "\($0.field): \($0.code)" } }
}

extension CheckoutBody {
    /// A form in which everything is right, for a guest who shares neither phone nor email with a guest of another number.
    package static func filled(for basket: BasketBody, guest: Int = 1, coupon: String? = nil, total: Int64? = nil) -> CheckoutBody {
        var form = CheckoutBody(basketId: basket.id)
        form.name = "Ann Lee"
        form.phone = String(format: "(212) 55%d-%04d", guest / 10_000, guest % 10_000)
        form.email = "ann.lee+\(guest)@example.com"
        form.address = "12 Elm Street, Springfield"
        form.coupon = coupon
        form.expectedTotal = total ?? basket.total
        return form
    }
}

/// Repeats a request for as long as the server says that it is too busy, as a storefront does.
package func answered(_ send: @Sendable () async throws -> TestServer.Reply) async throws -> TestServer.Reply {
    while true {
        let reply = try await send()
        guard reply.status == 503 else { return reply }
        try #require(reply.header("Retry-After") != nil)
    }
}
