// The strict reader on random and on damaged bodies, compared with JSONDecoder. A failure prints its seed.

import Foundation
import TestBasics
import Testing
import Wire

@Suite("JSON reader: random input")
struct JSONPropertyTests {
    static let alphabet: [Character] = [
        "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "李", "🍔", "\u{2028}", "e\u{301}", "'",
    ]

    static func text(_ generator: inout SeededRandom) -> String? {
        guard Int.random(in: 0..<6, using: &generator) > 0 else { return nil }
        return String(
            (0..<Int.random(in: 0..<12, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "a"
            })
    }

    static func form(_ generator: inout SeededRandom) -> CheckoutBody {
        var form = CheckoutBody(basketId: text(&generator))
        form.name = text(&generator)
        form.phone = text(&generator)
        form.email = text(&generator)
        form.address = text(&generator)
        form.comment = text(&generator)
        form.coupon = text(&generator)
        form.birthday = text(&generator)
        (form.fulfilment, form.wantedAt, form.postcode) = (text(&generator), text(&generator), text(&generator))
        form.expectedTotal = Bool.random(using: &generator) ? Int64.random(in: .min ... .max, using: &generator) : nil
        return form
    }

    @Test("JSONReader and JSONDecoder both read back the output of JSONWriter")
    func roundTrip() throws {
        var generator = SeededRandom()
        for _ in 0..<2_000 {
            let form = Self.form(&generator)
            let json = form.json
            #expect(try CheckoutBody(json: json) == form, "\(generator)")
            #expect(try JSONDecoder().decode(CheckoutBody.self, from: Data(json)) == form, "\(generator)")
        }
    }

    @Test("JSONReader reads the escapes and the white space of JSONSerialization")
    func jsonSerializationOutput() throws {
        var generator = SeededRandom()
        for _ in 0..<500 {
            let form = Self.form(&generator)
            let object = try JSONSerialization.jsonObject(with: Data(form.json))
            let serialized = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
            #expect(try CheckoutBody(json: Array(serialized)) == form, "\(generator)")
        }
    }

    @Test("JSONReader never traps on damaged bytes and agrees with JSONDecoder, except for its own stricter rules")
    func damagedBytes() throws {
        var generator = SeededRandom()
        let pieces: [[UInt8]] =
            [
                "{", "}", "[", ":", ",", "\"", "\\", "\\u", "d83c", "\\ud800", "null", "-", "0", "1e9", " ", "\u{0}",
                "name",
            ]
            .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82]]
        let stricterRules = [
            "appears twice", "no field", "NUL", "without fraction", "64 bits", "is expected", "leading zero",
            "not valid UTF-8",
            "surrogate",
            "control character",
        ]
        var accepted = 0
        for _ in 0..<5_000 {
            var json = Self.form(&generator).json
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: 0...json.count, using: &generator)
                let end = min(json.count, position + Int.random(in: 0...4, using: &generator))
                json.replaceSubrange(
                    position..<end,
                    with: Bool.random(using: &generator) ? pieces.randomElement(using: &generator) ?? [] : [])
            }
            let decoded = try? JSONDecoder().decode(CheckoutBody.self, from: Data(json))
            do {
                let read = try CheckoutBody(json: json)
                accepted += 1
                #expect(decoded == read, "\(generator): \(String(decoding: json, as: UTF8.self))")
            } catch {
                let isExpected = decoded == nil || stricterRules.contains { error.message.contains($0) }
                #expect(isExpected, "\(generator): \(error) \(String(decoding: json, as: UTF8.self))")
            }
        }
        #expect(accepted > 100)
    }

    @Test("JSONReader never traps on random bytes")
    func randomBytes() {
        var generator = SeededRandom()
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let body = Array("{\"name\":\"".utf8) + bytes
            #expect((try? CheckoutBody(json: bytes)) == nil || bytes.contains(UInt8(ascii: "{")), "\(generator)")
            // Random bytes that happen to close the string and the object are a valid body. All others are rejected.
            if let form = try? CheckoutBody(json: body) {
                #expect(form.name != nil || form.expectedTotal != nil, "\(generator)")
            }
        }
    }
}
