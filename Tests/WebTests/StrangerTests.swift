// Another guest's basket or order can't be found: not by guessing, not by counting up, not by what an error says, and what a stranger
// knows of an order without its token is nobody's name. Read next: Sources/Shop/Orders/AccessTokens.swift.

import Ordering
import Support
import Testing
import Wire

@testable import Shop
@testable import Web

@Suite("A stranger", .timeLimit(.minutes(10)))
struct StrangerTests {
    /// Texts that a decoder of base64 may take for the same bytes: two bits of the last character mean nothing, and two characters have others
    /// in the other alphabet.
    private static func otherSpellings(of token: String) -> [String] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = token.last.flatMap(alphabet.firstIndex) ?? 0
        let strays = (1...3).map { String(token.dropLast()) + String(alphabet[last / 4 * 4 + $0]) }
        let standard = token.replacing("-", with: "+").replacing("_", with: "/")
        return strays + (standard == token ? [] : [standard])
    }

    @Test("has no order behind the other spellings of its token", arguments: 0..<16)
    func spellings(_ n: Int) async throws {
        let tokens = AccessTokens(secret: Array(repeating: UInt8(n), count: 32))
        let order = OrderID.make(now: Instant(microseconds: 1_772_000_000_000_000), random: (UInt64(n), 7))
        let token = tokens.token(for: order)
        #expect(tokens.isValid(token, for: order))
        for other in Self.otherSpellings(of: token) { #expect(!tokens.isValid(other, for: order), "\(other) for \(token)") }
    }

    @Test("gets one and the same answer for every id that is not theirs, well made or not, near another one or not")
    func guessing() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let last = order.id.dropLast() + (order.id.hasSuffix("0") ? "1" : "0")
            let ids = [
                String(last), order.id.uppercased(), order.id.replacing("-", with: ""), "{\(order.id)}", "\(order.id)%00", order.number,
                "1", "0", "-1", "x", "00000000-0000-0000-0000-000000000000", "%27%20or%201=1", "..", String(repeating: "a", count: 4_000),
            ]
            for prefix in ["/v1/orders/", "/v1/baskets/"] {
                var answers: Set<String> = []
                for id in ids {
                    let reply = try await shop.server.get(prefix + id)
                    answers.insert(
                        "\(reply.status) \(reply.headerNames) " + reply.text.replacing(reply.header("X-Request-Id") ?? "", with: ""))
                }
                #expect(answers.count == 1 && answers.allSatisfy { $0.hasPrefix("404 ") }, "\(answers)")
            }
        }
    }

    @Test("can't tell by an order's number, by the basket's id, or by what is refused, who ordered it")
    func details() async throws {
        try await TestShop.run { shop in
            let (mine, other) = (try await shop.server.order(guest: 1), try await shop.server.order(guest: 2))
            let token = try #require(other.accessToken)
            func flipped(at index: String.Index) -> String {
                token[..<index] + (token[index] == "A" ? "B" : "A") + token[token.index(after: index)...]
            }
            let wrong =
                [
                    mine.accessToken ?? "", String(token.dropLast()), token + "A", token.lowercased(), "", "null",
                    String(repeating: "A", count: 43),
                    flipped(at: token.startIndex), flipped(at: token.index(token.startIndex, offsetBy: 20)), token + "=", " ",
                ] + Self.otherSpellings(of: token) + [
                    String(repeating: "A", count: 8_000)
                ]
            var answers: Set<String> = []
            for token in wrong {
                for path in ["", "/receipt", "/cancel"].map({ "/v1/orders/\(other.id)\($0)" }) {
                    let reply = try await shop.server.send(
                        path.hasSuffix("cancel") ? "POST" : "GET", path, headers: [("Authorization", "Bearer \(token)")])
                    #expect(reply.status == 401)
                    answers.insert(reply.text.replacing(reply.header("X-Request-Id") ?? "", with: ""))
                }
            }
            // The first byte or the last: the answer is the same.
            #expect(answers.count == 1, "\(answers)")
            let bare = try await shop.server.get("/v1/orders/\(other.id)")
            let basket = try await shop.server.get("/v1/baskets/\(other.id)")
            let again = try await shop.server.checkout(.filled(for: shop.server.basket(other.id), guest: 3), key: "another")
            for reply in [bare, basket, again] {
                // Any of the phone's beginning; an id may have such digits by chance, for hours.
                let names = [other.id, other.number, reply.header("X-Request-Id") ?? ""]
                let told = names.reduce(reply.text) { $0.replacing($1, with: "") }
                for secret in ["Ann Lee", "2125", "(212", "+1212", "example.com", "Elm", token] {
                    #expect(!told.contains(secret), "\(told)")
                }
            }
            #expect(try await shop.database.psql("select state from orders where number = '\(other.number)'") == "placed")
        }
    }

    @Test("finds no pattern in ids and order numbers")
    func patterns() async throws {
        try await TestShop.run { shop in
            var numbers: [Int] = []
            var tails: Set<Substring> = []
            for guest in 0..<40 {
                let order = try await shop.server.order(guest: guest)
                numbers.append(try #require(Int(order.number)))
                // Beside the time, 74 bits are random.
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
