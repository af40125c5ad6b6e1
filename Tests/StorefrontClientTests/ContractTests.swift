// The client against the contract: every code there is, and servers newer than the client.
// Read next: Sources/StorefrontClient/Errors/ProblemCode.swift.

import Foundation
import Support
import Testing
import enum Web.OpenAPIDocument
import Wire

@testable import StorefrontClient

@Suite("StorefrontClient: the contract", .timeLimit(.minutes(5)))
struct ContractTests {
    @Test("Every problem code of openapi.json has its name here, and is what a refusal with it decodes to")
    func codes() async throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.read())) as? [String: Any])
        let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
        let codes = try #require(schemas?["ProblemCode"]?["enum"] as? [String])
        #expect(ProblemCode.all.map(\.rawValue) == codes)
        for code in ProblemCode.all {
            try await FaultyWay.run(to: 1, [.refuses(418, code.rawValue)]) { way in
                try await StorefrontClient.with(way.address) { client in
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                    #expect(error?.problem?.code == code)
                }
            }
        }
    }

    @Test("A refused checkout tells its fields, its changes with the quote, and the order it lost against, as values")
    func values() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            try await StorefrontClient.with(shop.server.address, configuration: .fast()) { client in
                func refusal(_ form: CheckoutBody, _ key: IdempotencyKey = IdempotencyKey()) async -> Problem? {
                    await failure { () async throws(StorefrontError) in _ = try await client.checkout(CheckoutAttempt(form, key: key)) }?
                        .problem
                }
                var form = CheckoutBody.filled(for: basket)
                form.phone = "12"
                form.coupon = "NOSUCH"
                let fields = await refusal(form)
                #expect(fields?.code == .validationFailed && fields?.errors.map(\.field) == ["phone", "coupon"])
                #expect(fields?.error(of: "phone")?.code == "invalid_phone")

                try await shop.database.psql("update menu_items set price = 905 where id = 2001")
                var changed: Problem?
                try await eventually("the price has changed") {
                    changed = await refusal(.filled(for: basket, total: 1))
                    return changed?.changes.isEmpty == false
                }
                #expect(changed?.code == .priceChanged && changed?.quote?.total == 905)
                #expect(changed?.changes.map(\.path) == ["lines/1"] && changed?.changes.map(\.new) == [.integer(905)])

                let key = IdempotencyKey()
                _ = try await client.checkout(CheckoutAttempt(.filled(for: basket, total: 905), key: key))
                let lost = await refusal(.filled(for: basket, guest: 2, total: 905))
                #expect(lost?.code == .basketAlreadyOrdered && lost?.orderId == basket.id)
                #expect(await refusal(.filled(for: basket, guest: 2, total: 905), key)?.code == .idempotencyKeyReused)
            }
        }
    }

    @Test("Fields that a newer server adds anywhere are passed over, in every answer")
    func newFields() async throws {
        try await TestShop.run { shop in
            let server = shop.server
            func check<Body: Decodable & Equatable>(_ path: String, _: Body.Type, headers: [(String, String)] = []) async throws {
                let bytes = try await server.get(path, headers: headers).body
                let newer = try JSONSerialization.data(withJSONObject: Self.grown(try JSONSerialization.jsonObject(with: Data(bytes))))
                let old = try Incoming.decode(bytes, as: Body.self)
                #expect(try Incoming.decode(Array(newer), as: Body.self) == old, "\(path)")
            }
            try await check("/v1/home", HomeBody.self)
            try await check("/v1/shop", ShopBody.self)
            try await check("/v1/menu", Page<MenuItemBody>.self)
            try await check("/v1/menu/1003", MenuItemBody.self)
            try await check("/v1/categories", Page<CategoryBody>.self)
            try await check("/v1/sales", Page<SaleBody>.self)
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
            let live = try await server.validate(.filled(for: basket, coupon: "FRST")).body
            let newer = try JSONSerialization.data(withJSONObject: Self.grown(try JSONSerialization.jsonObject(with: Data(live))))
            let old = try Incoming.decode(live, as: ValidationBody.self)
            #expect(try Incoming.decode(Array(newer), as: ValidationBody.self) == old)
        }
    }

    @Test("Kinds, states and codes that this version does not know are taken as they come")
    func newCases() async throws {
        let home = #"{"sections":[{"kind":"drone_deliveries","drones":[1]},{"kind":"coupons","items":[]}],"opening":[]}"#
        let faults: [Fault] = [.answers(200, json: home), .refuses(409, "kitchen_on_holiday")]
        try await FaultyWay.run(to: 1, faults) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                let home = try await client.home().body
                #expect(home.sections == [.unknown(kind: "drone_deliveries"), .coupons([])])
                let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                #expect(error?.problem?.code == ProblemCode(rawValue: "kitchen_on_holiday"))
                #expect(ProblemCode.all.contains { $0 == error?.problem?.code } == false)
            }
        }
        let error =
            #"{"field":"coupon","code":"coupon_sleeps","message":"Later.","params":{"until":7,"days":[1],"strict":true,"who":"us","when":["a","b"]}}"#
        #expect(
            try Incoming.decode(Array(error.utf8), as: FieldErrorBody.self).params
                == ["until": .integer(7), "days": .unknown, "strict": .unknown, "who": .text("us"), "when": .texts(["a", "b"])])
        let state = #"{"orderId":"o","number":"1","state":"in_the_air","at":"2026-03-01T10:00:00Z","link":"/","drone":7}"#
        #expect(try Incoming.decode(Array(state.utf8), as: OrderEventBody.self).state == "in_the_air")
    }

    @Test("What is no answer of the contract is told as that, and never as something else")
    func nonsense() async throws {
        let faults: [Fault] = [
            .answers(200, json: "[]"), .answers(404, json: "<html>"), .answers(200, json: String(repeating: " ", count: 5 << 20)),
            .answers("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"), .answers(302, "Location: /\r\n", json: "{}"),
        ]
        try await FaultyWay.run(to: 1, faults) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                for status in [200, 404, 200, 304, 302] {
                    let error = await failure { () async throws(StorefrontError) in _ = try await client.errors() }
                    guard case .undecodable(status, _) = error else {
                        Issue.record("\(status): \(String(describing: error))")
                        return
                    }
                    #expect(error?.isPassing == false)
                }
            }
        }
    }

    @Test("Keys are random and kept as they are; ids of any text stay inside their place in the path")
    func texts() async throws {
        #expect(IdempotencyKey() != IdempotencyKey() && IdempotencyKey().rawValue.count == 32)
        #expect(IdempotencyKey(rawValue: "") == nil && IdempotencyKey(rawValue: "a\n") == nil && IdempotencyKey(rawValue: "é") == nil)
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

    /// The same JSON with a new field in each object; `params` holds data of any names already.
    static func grown(_ json: Any) -> Any {
        switch json {
        case let object as [String: Any]:
            object.reduce(into: ["newField": ["of": [1, "a", NSNull()]]] as [String: Any]) {
                $0[$1.key] = $1.key == "params" ? $1.value : grown($1.value)
            }
        case let array as [Any]: array.map(grown)
        default: json
        }
    }
}
