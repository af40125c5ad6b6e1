// Random bodies and random damage: the strict reader never traps, reads what JSONDecoder reads, and refuses
// what it refuses. A failure prints the seed that shows it again.

import Foundation
import TestBasics
import Testing
import Wire

@Suite("The JSON reader, on random input")
struct JSONPropertyTests {
    static let alphabet: [Character] = [
        "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "李", "🍔", "\u{2028}", "e\u{301}", "'",
    ]

    static func text(_ generator: inout SeededRandom) -> String? {
        guard Int.random(in: 0..<6, using: &generator) > 0 else { return nil }
        return String((0..<Int.random(in: 0..<12, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
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

    @Test("what the writer writes, the reader and JSONDecoder both read back")
    func roundTrip() throws {
        var generator = SeededRandom()
        for _ in 0..<2_000 {
            let form = Self.form(&generator)
            let json = form.json
            #expect(try CheckoutBody(json: json) == form, "\(generator)")
            #expect(try JSONDecoder().decode(CheckoutBody.self, from: Data(json)) == form, "\(generator)")
        }
    }

    @Test("what JSONSerialization writes with its own escapes and white space, the reader reads as JSONDecoder does")
    func foreignWriter() throws {
        var generator = SeededRandom()
        for _ in 0..<500 {
            let form = Self.form(&generator)
            let object = try JSONSerialization.jsonObject(with: Data(form.json))
            let foreign = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
            #expect(try CheckoutBody(json: Array(foreign)) == form, "\(generator)")
        }
    }

    @Test(
        "damaged bytes never trap; what is read all the same, JSONDecoder reads alike; what only we refuse is refused for our own reasons")
    func mutated() throws {
        var generator = SeededRandom()
        let pieces: [[UInt8]] =
            ["{", "}", "[", ":", ",", "\"", "\\", "\\u", "d83c", "\\ud800", "null", "-", "0", "1e9", " ", "\u{0}", "name"]
            .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82]]
        let ownReasons = [
            "stands twice", "no field", "NUL", "without fraction", "64 bits", "is expected", "needless zero", "not valid UTF-8",
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
                    position..<end, with: Bool.random(using: &generator) ? pieces.randomElement(using: &generator) ?? [] : [])
            }
            let decoded = try? JSONDecoder().decode(CheckoutBody.self, from: Data(json))
            do {
                let read = try CheckoutBody(json: json)
                accepted += 1
                #expect(decoded == read, "\(generator): \(String(decoding: json, as: UTF8.self))")
            } catch {
                let isOurs = decoded == nil || ownReasons.contains { error.message.contains($0) }
                #expect(isOurs, "\(generator): \(error) \(String(decoding: json, as: UTF8.self))")
            }
        }
        #expect(accepted > 100)
    }

    @Test("random bytes never trap")
    func noise() {
        var generator = SeededRandom()
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let body = Array("{\"name\":\"".utf8) + bytes
            #expect((try? CheckoutBody(json: bytes)) == nil || bytes.contains(UInt8(ascii: "{")), "\(generator)")
            // Noise that happens to close the string and the object is a body; anything else is refused.
            if let form = try? CheckoutBody(json: body) { #expect(form.name != nil || form.expectedTotal != nil, "\(generator)") }
        }
    }
}
