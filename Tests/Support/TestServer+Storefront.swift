// Requests that a storefront sends: it creates baskets, fills them and checks them out.

import Foundation
import StorefrontClient
import Testing
import Wire

/// A response with which a test cannot continue.
package struct UnexpectedResponse: Error, CustomStringConvertible {
    /// The status and the body.
    package let description: String
}

extension TestServer {
    /// Creates a basket and adds these items and sales in this order.
    package func startBasket(items: [(id: Int64, quantity: Int64)] = [], sales: [Int64] = []) async throws -> BasketBody
    {
        var basket = try await send("POST", "/v1/baskets").expecting(201).decoded(BasketBody.self)
        for item in items { basket = try await add(item.id, item.quantity, to: basket.id).expecting(200).decoded() }
        for sale in sales { basket = try await addSale(sale, to: basket.id).expecting(200).decoded() }
        return basket
    }

    /// Reads a basket.
    package func basket(_ id: String) async throws -> BasketBody {
        try await get("/v1/baskets/\(id)").expecting(200).decoded()
    }

    /// Adds a quantity of an item to the basket.
    package func add(_ item: Int64, _ quantity: Int64 = 1, to basket: String) async throws -> Reply {
        try await post("/v1/baskets/\(basket)/items", json: #"{"menuItemId":\#(item),"quantity":\#(quantity)}"#)
    }

    /// Adds a set of a sales group to the basket.
    package func addSale(_ sale: Int64, to basket: String) async throws -> Reply {
        try await post("/v1/baskets/\(basket)/sales", json: #"{"salesGroupId":\#(sale)}"#)
    }

    /// Checks out with this form and idempotency key.
    package func checkout(_ form: CheckoutBody, key: String) async throws -> Reply {
        try await post(
            "/v1/checkout", json: String(decoding: form.json, as: UTF8.self), headers: [("Idempotency-Key", key)])
    }

    /// Validates the form without an order.
    package func validate(_ form: CheckoutBody) async throws -> Reply {
        try await post("/v1/checkout/validate", json: String(decoding: form.json, as: UTF8.self))
    }

    /// Cancels an order with the token from its checkout.
    package func cancel(_ order: OrderBody) async throws -> Reply {
        try await send(
            "POST", "/v1/orders/\(order.id)/cancel", headers: [("Authorization", "Bearer \(order.accessToken ?? "")")])
    }

    /// Creates a basket with these items, and orders it with a new idempotency key.
    package func order(
        _ items: [(id: Int64, quantity: Int64)] = [(2001, 1)], guest: Int = 1, coupon: String? = nil,
        total: Int64? = nil
    ) async throws -> OrderBody {
        let basket = try await startBasket(items: items)
        let form = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon, total: total)
        return try await checkout(form, key: "key of \(basket.id)").expecting(201).decoded()
    }
}

/// Returns the problem code with which a call of the typed client is rejected; nil if the call succeeds.
package func problemCode<Value>(of call: () async throws -> Value) async throws -> String? {
    do {
        _ = try await call()
        return nil
    } catch StorefrontError.problem(let problem) {
        return problem.code.rawValue
    }
}

extension TestServer.Reply {
    /// Returns the response if it has this status; throws otherwise.
    package func expecting(_ status: Int) throws -> Self {
        guard self.status == status else {
            throw UnexpectedResponse(description: "\(self.status) instead of \(status): \(text)")
        }
        return self
    }

    /// Decodes the body as a Wire value.
    package func decoded<Body: Decodable>(_: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(body))
    }

    /// The code of a problem; nil for any other response.
    package var code: String? { (try? decoded(ProblemBody.self))?.code }

    /// The errors of a problem as `field: code`, in their order.
    package var errors: [String] { ((try? decoded(ProblemBody.self))?.errors ?? []).map { "\($0.field): \($0.code)" } }
}

extension CheckoutBody {
    /// A complete and valid form. Guests with different numbers share neither phone nor email.
    package static func filled(for basket: BasketBody, guest: Int = 1, coupon: String? = nil, total: Int64? = nil)
        -> CheckoutBody
    {
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

/// Repeats a request while the server answers 503, as a storefront does.
package func retryingWhileBusy(_ send: @Sendable () async throws -> TestServer.Reply) async throws -> TestServer.Reply {
    while true {
        let reply = try await send()
        guard reply.status == 503 else { return reply }
        try #require(reply.header("Retry-After") != nil)
    }
}
