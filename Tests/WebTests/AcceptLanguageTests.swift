// The Accept-Language header: what it asks for, and that nothing in it costs more than it is worth.
// Tests Sources/Web/Headers/AcceptLanguage.swift.

import Ordering
import TestBasics
import Testing

@testable import Web

@Suite("Accept-Language is read as RFC 9110 writes it, and what can't be read counts as not said")
struct AcceptLanguageTests {
    @Test(
        "Each range stands with its weight, in the order of the header",
        arguments: [
            ("da, en-gb;q=0.8, en;q=0.7", "da 1000, en-GB 800, en 700"), ("de", "de 1000"), ("DE-at ; Q=0.5", "de-AT 500"),
            ("*", "* 1000"), ("fr;q=0, *;q=0.001", "fr 0, * 1"), ("pt-br;q=1.000,\tpt;q=0.", "pt-BR 1000, pt 0"),
            ("zh-hant-tw", "zh-Hant-TW 1000"), (",, es ,", "es 1000"), ("de;q=1.001, es", "es 1000"), ("de;q=, es", "es 1000"),
            ("de q=1, es", "es 1000"), ("de;level=1, es", "es 1000"), ("de_DE, es", "es 1000"), ("d, es", "es 1000"),
            ("de-*-DE, es", "es 1000"), ("i-klingon, x-mine, es", "es 1000"), ("dé, es", "es 1000"), ("", ""), (";;;===", ""), ("**", ""),
            ("a23456789", ""), ("de-123456789", ""), ("de-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-qq", ""),
        ])
    func ranges(header: String, told: String) {
        #expect(Self.told([header]) == told)
        #expect(Self.told(["it", header, "el;q=0.1"]) == ["it 1000", told, "el 100"].filter { !$0.isEmpty }.joined(separator: ", "))
    }

    @Test("Of more than 32 members only the first ones are read, over all lines, and what is long is no language")
    func bounded() {
        let many = String(repeating: "de,", count: 100_000)
        #expect(AcceptLanguage.ranges([many]).count == 32)
        #expect(AcceptLanguage.ranges(Array(repeating: "de, en", count: 1_000)).count == 32)
        #expect(AcceptLanguage.ranges([String(repeating: "de-", count: 300_000)]).isEmpty)
        #expect(AcceptLanguage.ranges([String(repeating: "d", count: 1_000_000), "en"]) == [LanguageRange(LanguageTag("en"))])
    }

    @Test("Any bytes at all are read without a trap, and give no more ranges than members")
    func randomBytes() {
        var random = SeededRandom()
        let signs = Array("deEN-*;q=01. ,\t\u{0}é".utf8)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in signs.randomElement(using: &random) ?? 0 }
            let header = String(decoding: bytes, as: UTF8.self)
            let ranges = AcceptLanguage.ranges([header])
            #expect(ranges.count <= header.utf8.split(separator: UInt8(ascii: ",")).count, "\(bytes)")
            #expect(ranges.allSatisfy { (0...1000).contains($0.weight) }, "\(bytes)")
        }
    }

    private static func told(_ headers: [String]) -> String {
        AcceptLanguage.ranges(headers).map { "\($0.tag?.text ?? "*") \($0.weight)" }.joined(separator: ", ")
    }
}
