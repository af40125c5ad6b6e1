// Concurrent changes of one basket: no change is lost, and no limit is exceeded.

import Support
import Testing
import Wire

@Suite("Baskets under concurrency", .timeLimit(.minutes(10)))
struct BasketConcurrencyTests {
    @Test("98 concurrent increments of a line with quantity 1 make 99, and the next increment returns 422")
    func upToTheLimit() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let address = "/v1/baskets/\(basket.id)/items/2001/increment"
            let replies = try await inParallel(98) { _ in try await shop.server.send("POST", address) }
            #expect(replies.allSatisfy { $0.status == 200 })
            // Every response shows a basket version of its own.
            #expect(Set(try replies.map { try $0.decoded(BasketBody.self).lines[0].quantity }) == Set(2...99))
            let next = try await shop.server.send("POST", address)
            #expect(next.status == 422)
            #expect(next.code == "quantity_out_of_range")
            #expect(try await shop.server.basket(basket.id).lines[0].quantity == 99)
        }
    }

    @Test("1,000 concurrent increments of 20 baskets on two servers are all applied")
    func noChangeIsLost() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                var baskets: [BasketBody] = []
                for _ in 0..<20 { baskets.append(try await shop.server.startBasket(items: [(2001, 1)])) }
                let ids = baskets.map(\.id)
                let replies = try await inParallel(1000) { n in
                    let server = n.isMultiple(of: 2) ? shop.server : other.server
                    return try await retryingWhileBusy {
                        try await server.send("POST", "/v1/baskets/\(ids[n / 2 % 20])/items/2001/increment")
                    }
                }
                #expect(replies.filter { $0.status != 200 }.map(\.text) == [])
                for id in ids { #expect(try await other.server.basket(id).lines[0].quantity == 51) }
            }
        }
    }
}

/// Runs the closure `count` times concurrently, and returns the results in the order of their numbers.
func inParallel<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value) async throws
    -> [Value]
{
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for number in 0..<count { group.addTask { (number, try await body(number)) } }
        var values: [(Int, Value)] = []
        for try await value in group { values.append(value) }
        return values.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
