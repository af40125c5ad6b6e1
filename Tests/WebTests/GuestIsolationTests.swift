// Tests that other guests' baskets and orders cannot be found, and that nothing without a token identifies a guest.

import Ordering
import Support
import Testing
import Wire

@testable import Shop
@testable import Web

@Suite("Access to the data of other guests", .timeLimit(.minutes(10)))
struct GuestIsolationTests {
    /// Texts that a lenient base64 decoder decodes to the same bytes. Two bits of the last character have no meaning,
    /// and two characters differ in the other alphabet.
    private static func alternativeSpellings(of token: String) -> [String] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = token.last.flatMap(alphabet.firstIndex) ?? 0
        let variants = (1...3).map { String(token.dropLast()) + String(alphabet[last / 4 * 4 + $0]) }
        let standard = token.replacing("-", with: "+").replacing("_", with: "/")
        return variants + (standard == token ? [] : [standard])
    }

    @Test("An alternative spelling of an order token is invalid", arguments: 0..<16)
    func spellings(_ n: Int) async throws {
        let tokens = AccessTokens(secret: Array(repeating: UInt8(n), count: 32))
        let order = OrderID.make(now: Instant(microseconds: 1_772_000_000_000_000), random: (UInt64(n), 7))
        let token = tokens.token(for: order)
        #expect(tokens.isValid(token, for: order))
        for other in Self.alternativeSpellings(of: token) {
            #expect(!tokens.isValid(other, for: order), "\(other) for \(token)")
        }
    }

    @Test("Every unknown or malformed id of an order or basket returns the same 404")
    func guessing() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let last = order.id.dropLast() + (order.id.hasSuffix("0") ? "1" : "0")
            let ids = [
                String(last), order.id.uppercased(), order.id.replacing("-", with: ""), "{\(order.id)}",
                "\(order.id)%00", order.number,
                "1", "0", "-1", "x", "00000000-0000-0000-0000-000000000000", "%27%20or%201=1", "..",
                String(repeating: "a", count: 4_000),
            ]
            for prefix in ["/v1/orders/", "/v1/baskets/"] {
                var answers: Set<String> = []
                for id in ids {
                    let reply = try await shop.server.get(prefix + id)
                    answers.insert(
                        "\(reply.status) \(reply.headerNames) "
                            + reply.text.replacing(reply.header("X-Request-Id") ?? "", with: ""))
                }
                #expect(answers.count == 1 && answers.allSatisfy { $0.hasPrefix("404 ") }, "\(answers)")
            }
        }
    }

    @Test("The order number, the basket id and rejected requests do not reveal who ordered")
    func details() async throws {
        try await TestShop.run { shop in
            let (own, other) = (try await shop.server.order(guest: 1), try await shop.server.order(guest: 2))
            let token = try #require(other.accessToken)
            func flipped(at index: String.Index) -> String {
                token[..<index] + (token[index] == "A" ? "B" : "A") + token[token.index(after: index)...]
            }
            let wrong =
                [
                    own.accessToken ?? "", String(token.dropLast()), token + "A", token.lowercased(), "", "null",
                    String(repeating: "A", count: 43),
                    flipped(at: token.startIndex), flipped(at: token.index(token.startIndex, offsetBy: 20)),
                    token + "=", " ",
                ] + Self.alternativeSpellings(of: token) + [
                    String(repeating: "A", count: 8_000)
                ]
            var answers: Set<String> = []
            for token in wrong {
                for path in ["", "/receipt", "/cancel"].map({ "/v1/orders/\(other.id)\($0)" }) {
                    let reply = try await shop.server.send(
                        path.hasSuffix("cancel") ? "POST" : "GET", path, headers: [("Authorization", "Bearer \(token)")]
                    )
                    #expect(reply.status == 401)
                    answers.insert(reply.text.replacing(reply.header("X-Request-Id") ?? "", with: ""))
                }
            }
            // The response does not depend on the position of the wrong byte.
            #expect(answers.count == 1, "\(answers)")
            let bare = try await shop.server.get("/v1/orders/\(other.id)")
            let basket = try await shop.server.get("/v1/baskets/\(other.id)")
            let second = try await shop.server.checkout(
                .filled(for: shop.server.basket(other.id), guest: 3), key: "another")
            for reply in [bare, basket, second] {
                // Ids are removed first, because they may contain the phone's first digits by chance.
                let ids = [other.id, other.number, reply.header("X-Request-Id") ?? ""]
                let text = ids.reduce(reply.text) { $0.replacing($1, with: "") }
                for secret in ["Ann Lee", "2125", "(212", "+1212", "example.com", "Elm", token] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
            #expect(
                try await shop.database.psql("select state from orders where number = '\(other.number)'") == "placed")
        }
    }

    @Test("Ids and order numbers are not predictable")
    func patterns() async throws {
        try await TestShop.run { shop in
            var numbers: [Int] = []
            var tails: Set<Substring> = []
            for guest in 0..<40 {
                let order = try await shop.server.order(guest: guest)
                numbers.append(try #require(Int(order.number)))
                // 74 bits beside the time are random.
                tails.insert(order.id.suffix(16))
            }
            #expect(tails.count == 40)
            let steps = Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
            #expect(steps.count > 35, "\(numbers)")
            let near = zip(numbers, numbers.dropFirst()).count { abs($0 - $1) < 1_000 }
            #expect(near < 5, "\(numbers)")
        }
    }
}
