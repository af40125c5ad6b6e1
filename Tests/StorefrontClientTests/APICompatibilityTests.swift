// The client against openapi.json, and against servers that are newer than the client.

import Foundation
import Support
import Testing
import enum Web.OpenAPIDocument
import Wire

@testable import StorefrontClient

@Suite("StorefrontClient: API compatibility", .timeLimit(.minutes(5)))
struct APICompatibilityTests {
    @Test("Every problem code of openapi.json has a constant, and a problem response decodes to it")
    func codes() async throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.read())) as? [String: Any])
        let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
        let codes = try #require(schemas?["ProblemCode"]?["enum"] as? [String])
        #expect(ProblemCode.all.map(\.rawValue) == codes)
        for code in ProblemCode.all {
            try await FaultyProxy.run(to: 1, [.rejects(418, code.rawValue)]) { proxy in
                try await StorefrontClient.with(proxy.address) { client in
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                    #expect(error?.problem?.code == code)
                }
            }
        }
    }

    @Test("A rejected checkout has its field errors, its changes with the quote, or the existing order")
    func rejectedCheckouts() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            try await StorefrontClient.with(shop.server.address, configuration: .fast()) { client in
                func problem(_ form: CheckoutBody, _ key: IdempotencyKey = IdempotencyKey()) async -> APIProblem? {
                    await failure { () async throws(StorefrontError) in
                        _ = try await client.checkout(CheckoutAttempt(form, key: key))
                    }?
                    .problem
                }
                var form = CheckoutBody.filled(for: basket)
                form.phone = "12"
                form.coupon = "NOSUCH"
                let fields = await problem(form)
                #expect(fields?.code == .validationFailed && fields?.errors.map(\.field) == ["phone", "coupon"])
                #expect(fields?.fieldError(for: "phone")?.code == "invalid_phone")

                try await shop.database.psql("update menu_items set price = 905 where id = 2001")
                var changed: APIProblem?
                try await eventually("the server has loaded the new price") {
                    changed = await problem(.filled(for: basket, total: 1))
                    return changed?.changes.isEmpty == false
                }
                #expect(changed?.code == .priceChanged && changed?.quote?.total == 905)
                #expect(changed?.changes.map(\.path) == ["lines/1"] && changed?.changes.map(\.new) == [.integer(905)])

                let key = IdempotencyKey()
                _ = try await client.checkout(CheckoutAttempt(.filled(for: basket, total: 905), key: key))
                let conflict = await problem(.filled(for: basket, guest: 2, total: 905))
                #expect(conflict?.code == .basketAlreadyOrdered && conflict?.orderId == basket.id)
                #expect(await problem(.filled(for: basket, guest: 2, total: 905), key)?.code == .idempotencyKeyReused)
            }
        }
    }

    @Test("Unknown fields of a newer server are ignored in every response")
    func newFields() async throws {
        try await TestShop.run { shop in
            let server = shop.server
            func check<Body: Decodable & Equatable>(_ path: String, _: Body.Type, headers: [(String, String)] = [])
                async throws
            {
                let bytes = try await server.get(path, headers: headers).body
                let newer = try JSONSerialization.data(
                    withJSONObject: Self.withNewFields(try JSONSerialization.jsonObject(with: Data(bytes))))
                let old = try IncomingResponse.decode(bytes, as: Body.self)
                #expect(try IncomingResponse.decode(Array(newer), as: Body.self) == old, "\(path)")
            }
            try await check("/v1/home", HomeBody.self)
            try await check("/v1/shop", ShopBody.self)
            try await check("/v1/menu", Page<MenuItemBody>.self)
            try await check("/v1/menu/1003", MenuItemBody.self)
            try await check("/v1/categories", Page<CategoryBody>.self)
            try await check("/v1/sales", Page<SalesGroupBody>.self)
            try await check("/v1/coupons", Page<CouponBody>.self)
            try await check("/v1/errors", ErrorsBody.self)
            try await check("/v1/times", TimesBody.self)
            try await check("/v1/delivery?postcode=10117", DeliveryBody.self)
            try await check("/readyz", ReadinessBody.self)
            try await check("/v1/nothing", ProblemBody.self)
            try await check("/v1/menu?limit=0", ProblemBody.self)
            let basket = try await server.startBasket(items: [(2001, 1)], sales: [400])
            try await check("/v1/baskets/\(basket.id)", BasketBody.self)
            let order = try await server.order()
            let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            try await check("/v1/orders/\(order.id)", OrderBody.self, headers: token)
            try await check("/v1/orders/\(order.id)/receipt", ReceiptBody.self, headers: token)
            let validation = try await server.validate(.filled(for: basket, coupon: "FRST")).body
            let newer = try JSONSerialization.data(
                withJSONObject: Self.withNewFields(try JSONSerialization.jsonObject(with: Data(validation))))
            let old = try IncomingResponse.decode(validation, as: ValidationBody.self)
            #expect(try IncomingResponse.decode(Array(newer), as: ValidationBody.self) == old)
        }
    }

    @Test("Unknown kinds, states and codes of a newer server are preserved")
    func newValues() async throws {
        let home =
            #"{"sections":[{"kind":"drone_deliveries","drones":[1]},{"kind":"coupons","items":[]}],"opening":[]}"#
        let faults: [Fault] = [.responds(200, json: home), .rejects(409, "kitchen_on_holiday")]
        try await FaultyProxy.run(to: 1, faults) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                let home = try await client.home().body
                #expect(home.sections == [.unknown(kind: "drone_deliveries"), .coupons([])])
                let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                #expect(error?.problem?.code == ProblemCode(rawValue: "kitchen_on_holiday"))
                #expect(ProblemCode.all.contains { $0 == error?.problem?.code } == false)
            }
        }
        let error =
            #"{"field":"coupon","code":"coupon_sleeps","message":"Later.","params":{"until":7,"days":[1],"#
            + #""strict":true,"who":"us","when":["a","b"]}}"#
        #expect(
            try IncomingResponse.decode(Array(error.utf8), as: FieldErrorBody.self).params
                == [
                    "until": .integer(7), "days": .unknown, "strict": .unknown, "who": .text("us"),
                    "when": .texts(["a", "b"]),
                ])
        let state =
            #"{"orderId":"o","number":"1","state":"in_the_air","at":"2026-03-01T10:00:00Z","link":"/","drone":7}"#
        #expect(try IncomingResponse.decode(Array(state.utf8), as: OrderEventBody.self).state == "in_the_air")
    }

    @Test("A response that does not match the API is reported as such and is not transient")
    func unexpectedResponses() async throws {
        let faults: [Fault] = [
            .responds(200, json: "[]"), .responds(404, json: "<html>"),
            .responds(200, json: String(repeating: " ", count: 5 << 20)),
            .responds("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"),
            .responds(302, "Location: /\r\n", json: "{}"),
        ]
        try await FaultyProxy.run(to: 1, faults) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                for status in [200, 404, 200, 304, 302] {
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                    guard case .unexpectedResponse(status, _) = error else {
                        Issue.record("\(status): \(String(describing: error))")
                        return
                    }
                    #expect(error?.isTransient == false)
                }
            }
        }
    }

    @Test("Idempotency keys are random and validated, and an id with any characters stays one path segment")
    func keysAndIDs() async throws {
        #expect(IdempotencyKey() != IdempotencyKey() && IdempotencyKey().rawValue.count == 32)
        #expect(
            IdempotencyKey(rawValue: "") == nil && IdempotencyKey(rawValue: "a\n") == nil
                && IdempotencyKey(rawValue: "é") == nil)
        #expect(IdempotencyKey(rawValue: String(repeating: "k", count: 255)) != nil)
        #expect(IdempotencyKey(rawValue: String(repeating: "k", count: 256)) == nil)
        try await TestShop.run { shop in
            try await StorefrontClient.with(shop.server.address) { client in
                for id in ["../menu", "a/b?c#d", "", "%2e%2e", "ü"] {
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.order(id) }
                    #expect(error?.problem?.body.status == 404, "\(id)")
                }
            }
        }
    }

    /// Returns the JSON with an additional field in each object, except `params`, whose members are data.
    static func withNewFields(_ json: Any) -> Any {
        switch json {
        case let object as [String: Any]:
            object.reduce(into: ["newField": ["of": [1, "a", NSNull()]]] as [String: Any]) {
                $0[$1.key] = $1.key == "params" ? $1.value : withNewFields($1.value)
            }
        case let array as [Any]: array.map(withNewFields)
        default: json
        }
    }
}
