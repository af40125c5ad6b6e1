// Tests the list parameters without a server: every invalid value, and forged cursors.
import Digests
import HTTPServing
import Ordering
import TestBasics
import Testing

@testable import Web

@Suite("List parameters and cursors are parsed strictly")
struct CursorTests {
    @Test(
        "An invalid parameter is rejected with its name and the permitted values",
        arguments: [
            ("category", "burgers"), ("category", "-1"), ("category", "200 "), ("category", "99999999999999999999"),
            ("kind", "Special"),
            ("kind", "x"), ("tag", String(repeating: "t", count: 65)), ("q", String(repeating: "é", count: 101)),
            ("q", "e" + String(repeating: "\u{301}", count: 100_000)), ("sort", "Price"), ("sort", "price,title"),
            ("sort", "-title"),
            ("seed", String(repeating: "s", count: 65)), ("limit", "0"), ("limit", "101"), ("limit", "-1"),
            ("limit", "1.5"),
            ("limit", "ten"), ("limit", "9223372036854775808"), ("limit", "%2B5"), ("cursor", "x"),
            ("cursor", "AQAAAAA"),
            ("cursor", String(repeating: "A", count: 100_000)),
        ] as [(String, String)])
    func badParameter(name: String, value: String) throws {
        let error = try #require(throws: ParameterError.self) { try MenuListing(QueryParameters("\(name)=\(value)")) }
        #expect(error.name == name && error.message.hasPrefix("\(name) must be "))
    }

    @Test("An empty parameter counts as missing, and the longest value of each is accepted")
    func emptyAndLongest() throws {
        let empty = try MenuListing(QueryParameters("category=&kind=&tag=&q=&sort=&seed=&limit=&cursor="))
        #expect(empty.query == MenuPageQuery())
        let longest = [
            "q": String(repeating: "漢", count: 100), "tag": String(repeating: "漢", count: 64),
            "seed": String(repeating: "🍔", count: 64),
        ]
        let query = longest.map { "\($0)=\($1)" }.joined(separator: "&")
        #expect(try MenuListing(QueryParameters(query)).query.limit == 20)
        for limit in [1, 100] { #expect(try MenuListing(QueryParameters("limit=\(limit)")).query.limit == limit) }
    }

    @Test("A cursor is decoded to its values for its own list only")
    func roundTrip() {
        var random = SeededRandom()
        let extremes: [Int64] = [.min, -1, 0, 1, .max]
        for count in 0...3 {
            for length in 0...120 {
                let numbers = (0..<count).map { extremes[(length + $0) % extremes.count] }
                let cursor = Cursor(numbers, (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
                let written = cursor.encoded(for: "orders")
                #expect(Cursor(written, of: "orders", numbers: count) == cursor, "\(written)")
                #expect(Cursor(written, of: "sales", numbers: count) == nil, "\(written)")
                #expect(
                    written.utf8.allSatisfy {
                        Character(Unicode.Scalar($0)).isLetter || "0123456789-_".utf8.contains($0)
                    }, "\(written)")
            }
        }
    }

    @Test("A cursor with one character changed, added or removed is rejected")
    func damaged() {
        let cursor = Cursor([1499, 2003], "cheeseburger".utf8).encoded(for: "menu price")
        #expect(Cursor(cursor, of: "menu price", numbers: 2) != nil)
        for index in cursor.indices {
            for other in ["A", "_", "=", "+", "é", ""] where String(cursor[index]) != other {
                let damaged = cursor[..<index] + other + cursor[cursor.index(after: index)...]
                #expect(Cursor(String(damaged), of: "menu price", numbers: 2) == nil, "\(damaged)")
            }
        }
        for end in ["A", "=", "==", "\n", " "] { #expect(Cursor(cursor + end, of: "menu price", numbers: 2) == nil) }
    }

    @Test("Random bytes are never accepted as a cursor and never trap")
    func randomBytes() {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...190, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }.base64URL
            #expect(Cursor(text, of: "menu price", numbers: 3) == nil, "\(text)")
        }
    }

    @Test("base64URL encodes the test vectors of RFC 4648")
    func base64URL() {
        let vectors = [
            "": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE", "foobar": "Zm9vYmFy",
        ]
        for (plain, encoded) in vectors {
            #expect(Array(plain.utf8).base64URL == encoded)
            #expect(Cursor.decoded(encoded) == Array(plain.utf8))
        }
        #expect([0xFB, 0xFF, 0xFE].base64URL == "-__-")
    }

    @Test("fnv1a returns the published values of FNV-1a")
    func hash() {
        #expect("".utf8.fnv1a == 0xCBF2_9CE4_8422_2325)
        #expect("a".utf8.fnv1a == 0xAF63_DC4C_8601_EC8C)
        #expect("foobar".utf8.fnv1a == 0x8594_4171_F739_67E8)
    }
}
