// Tests how the Accept-Language header is parsed, and that parsing is bounded.

import Ordering
import TestBasics
import Testing

@testable import Web

@Suite("Accept-Language is parsed by RFC 9110, and invalid parts are ignored")
struct AcceptLanguageTests {
    @Test(
        "The ranges of the header are returned with their weights, in the header's order",
        arguments: [
            ("da, en-gb;q=0.8, en;q=0.7", "da 1000, en-GB 800, en 700"), ("de", "de 1000"),
            ("DE-at ; Q=0.5", "de-AT 500"),
            ("*", "* 1000"), ("fr;q=0, *;q=0.001", "fr 0, * 1"), ("pt-br;q=1.000,\tpt;q=0.", "pt-BR 1000, pt 0"),
            ("zh-hant-tw", "zh-Hant-TW 1000"), (",, es ,", "es 1000"), ("de;q=1.001, es", "es 1000"),
            ("de;q=, es", "es 1000"),
            ("de q=1, es", "es 1000"), ("de;level=1, es", "es 1000"), ("de_DE, es", "es 1000"), ("d, es", "es 1000"),
            ("de-*-DE, es", "es 1000"), ("i-klingon, x-mine, es", "es 1000"), ("dé, es", "es 1000"), ("", ""),
            (";;;===", ""), ("**", ""),
            ("a23456789", ""), ("de-123456789", ""), ("de-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-qq", ""),
        ])
    func ranges(header: String, expected: String) {
        #expect(Self.described([header]) == expected)
        #expect(
            Self.described(["it", header, "el;q=0.1"])
                == ["it 1000", expected, "el 100"].filter { !$0.isEmpty }.joined(separator: ", "))
    }

    @Test("Only the first 32 members over all header lines are parsed, and an overlong member is ignored")
    func bounded() {
        let many = String(repeating: "de,", count: 100_000)
        #expect(AcceptLanguage.ranges([many]).count == 32)
        #expect(AcceptLanguage.ranges(Array(repeating: "de, en", count: 1_000)).count == 32)
        #expect(AcceptLanguage.ranges([String(repeating: "de-", count: 300_000)]).isEmpty)
        #expect(
            AcceptLanguage.ranges([String(repeating: "d", count: 1_000_000), "en"]) == [
                LanguageRange(LanguageTag("en"))
            ])
    }

    @Test("Random bytes are parsed without a trap and give at most one range per member")
    func randomBytes() {
        var random = SeededRandom()
        let signs = Array("deEN-*;q=01. ,\t\u{0}é".utf8)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in signs.randomElement(using: &random) ?? 0
            }
            let header = String(decoding: bytes, as: UTF8.self)
            let ranges = AcceptLanguage.ranges([header])
            #expect(ranges.count <= header.utf8.split(separator: UInt8(ascii: ",")).count, "\(bytes)")
            #expect(ranges.allSatisfy { (0...1000).contains($0.weight) }, "\(bytes)")
        }
    }

    private static func described(_ headers: [String]) -> String {
        AcceptLanguage.ranges(headers).map { "\($0.tag?.text ?? "*") \($0.weight)" }.joined(separator: ", ")
    }
}
