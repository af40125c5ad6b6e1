// Languages: language tags, and the choice among the shop's languages.
import TestBasics
import Testing

@testable import Ordering

@Suite("Languages")
struct LanguageTests {
    @Test(
        "A language tag is parsed in any case and formatted in its canonical case",
        arguments: [
            ("de", "de"), ("DE", "de"), ("pt-BR", "pt-BR"), ("PT-br", "pt-BR"), ("zh-hANT-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("SL-ROZAJ-BISKE", "sl-rozaj-biske"), ("de-1996", "de-1996"), ("yue", "yue"),
            ("en-U-HC-H12", "en-u-hc-h12"),
            ("abcdefgh-12345678-12345678-12345678", "abcdefgh-12345678-12345678-12345678"),
        ])
    func tags(text: String, canonical: String) throws {
        let tag = try #require(LanguageTag(text))
        #expect(tag.text == canonical && tag.description == canonical)
        #expect(tag == LanguageTag(text.uppercased()) && tag == LanguageTag("/\(text.lowercased())".dropFirst()))
        #expect(LanguageTag(canonical) == tag)
    }

    @Test(
        "A text that is not a language tag is rejected at any length",
        arguments: [
            "", "d", "-", "de-", "-de", "de--AT", "de_AT", "de AT", " de", "de ", "*", "de-*", "x-mine", "i-klingon",
            "d3", "419", "dé",
            "ｄｅ", "de-\u{0}", "abcdefghi", "de-123456789", "en-u", "de-a-b", "abcdefgh-12345678-12345678-123456789",
            "de\u{301}",
            String(repeating: "de-", count: 400_000), String(repeating: "\u{301}", count: 1_000_000),
        ])
    func invalidTags(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test("A language tag falls back to its shorter prefixes, except those that end with a single letter")
    func fallbacks() throws {
        #expect(try tag("zh-Hant-TW").fallbacks.map(\.text) == ["zh-Hant-TW", "zh-Hant", "zh"])
        #expect(try tag("en-u-hc-h12").fallbacks.map(\.text) == ["en-u-hc-h12", "en-u-hc", "en"])
        #expect(try tag("de").fallbacks.map(\.text) == ["de"])
        #expect(try tag("de-AT").isVariant(of: tag("DE")) && tag("de").isVariant(of: tag("de")))
        #expect(try !tag("de").isVariant(of: tag("de-AT")) && !tag("dea").isVariant(of: tag("de")))
    }

    @Test(
        "The client gets the shop's best match for its ranges, or the shop's own language",
        arguments: [
            // The shop's languages with its own first, the client's ranges with weights, the result.
            ("en de es", "", "en"), ("en de es", "de", "de"), ("en de es", "fr", "en"), ("en de es", "fr es", "es"),
            ("en de es", "es:500 de", "de"), ("en de es", "es de", "es"), ("en de es", "es:500 de:500", "es"),
            // A range is shortened from its end before the next range counts.
            ("en de es", "de-CH es", "de"), ("en de es", "zh-Hant-TW:900 es:800", "es"),
            ("en zh-Hant zh", "zh-Hant-TW", "zh-Hant"),
            ("en de de-CH", "de-CH", "de-CH"), ("en de de-CH", "de-AT", "de"), ("en de de-CH", "de", "de"),
            // A range without a closer match gets any variety of its language.
            ("en pt-BR", "pt", "pt-BR"), ("en de-CH de-AT", "de", "de-CH"),
            // Related regions, scripts and names of a language.
            ("en pt-BR", "pt-PT", "pt-BR"), ("en pt-PT pt-BR", "pt-BR", "pt-BR"), ("en de-CH", "de-AT", "de-CH"),
            ("en zh-Hans zh-Hant", "zh-TW", "zh-Hant"), ("en zh-Hans zh-Hant", "zh-HK", "zh-Hant"),
            ("en zh-Hans zh-Hant", "zh-CN", "zh-Hans"),
            ("en zh-Hant zh-Hans", "zh", "zh-Hans"), ("en zh-Hant", "zh-Hant-HK", "zh-Hant"),
            ("en zh zh-Hant", "zh-TW", "zh-Hant"),
            ("en zh", "zh-TW", "zh"), ("en zh-TW", "zh-HK", "zh-TW"), ("en zh-CN zh-TW", "zh-Hant", "zh-TW"),
            ("en zh-Hans", "zh-TW", "zh-Hans"),
            ("en zh-Hant", "cmn-TW", "zh-Hant"), ("en zh-Hans zh-Hant", "yue", "zh-Hant"), ("en nb", "no", "nb"),
            ("en no", "nb-NO", "no"),
            ("en nb", "nn", "nb"), ("en nn", "no", "nn"), ("en nn nb", "no", "nb"), ("en he", "iw", "he"),
            ("en iw", "he-IL", "iw"),
            ("en id", "in-ID", "id"), ("en fil", "tl", "fil"), ("en de", "gsw-CH", "de"), ("en he fr", "iw:0 *", "en"),
            ("en he fr", "iw:0 he-IL fr:100", "fr"), ("en pt-BR es", "pt-PT:500 es", "es"),
            ("en fr", "no iw zh-TW pt-PT", "en"),
            // Wildcards, and ranges with weight 0.
            ("en de es", "*", "en"), ("en de es", "de:500 *", "en"), ("en de es", "fr *:100", "en"),
            ("en de es", "en:100 *:500", "de"),
            ("en de es", "*:500 es:300", "en"), ("en de es", "en:0 *", "de"), ("en de es", "en:0", "en"),
            ("en de es", "de:0 de-CH", "en"),
            ("en de de-CH", "de:0 de-CH", "de-CH"), ("en de de-CH", "de de-CH:0", "de"),
            ("en de-CH", "de de-CH:0", "en"),
            ("en de es", "*:0 es:1", "es"), ("en de es", "*:0", "en"), ("en de es", "*:0 de:0", "en"),
            ("en de es", "de:0 de:0 de", "de"),
        ])
    func best(languages: String, accepted: String, expected: String) throws {
        let languages = try languages.split(separator: " ").map { try tag(String($0)) }
        let shop = ShopLanguages(own: languages[0], others: languages + languages)
        #expect(shop.all == languages && shop.own == languages[0])
        let ranges = try accepted.split(separator: " ").map { text in
            let parts = text.split(separator: ":")
            return LanguageRange(
                parts[0] == "*" ? nil : try tag(String(parts[0])), weight: parts.count > 1 ? Int(parts[1]) ?? 0 : 1000)
        }
        #expect(shop.best(for: ranges).text == expected)
    }

    @Test("A weight is clamped to 0 to 1000")
    func weights() {
        #expect(LanguageRange(nil, weight: .max).weight == 1000 && LanguageRange(nil, weight: .min).weight == 0)
    }

    @Test("Random ranges always give a language of the shop, and the same ranges give the same language")
    func randomRanges() throws {
        var random = SeededRandom()
        let texts = ["de", "de-CH", "de-CH-1996", "en", "en-GB", "pt-BR", "pt", "zh-Hant-TW", "zh"]
        let tags = try texts.map(tag)
        for _ in 0..<2_000 {
            let some = tags.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
            let shop = ShopLanguages(own: some[0], others: Array(some.dropFirst()))
            let ranges = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                LanguageRange(
                    Int.random(in: 0..<5, using: &random) == 0 ? nil : tags.randomElement(using: &random),
                    weight: [0, 1, 500, 1000].randomElement(using: &random) ?? 0)
            }
            let best = shop.best(for: ranges)
            #expect(shop.all.contains(best) && shop.best(for: ranges) == best, "\(random)")
            // A language that is listed first with the highest weight is the result.
            if let first = ranges.first, let tag = first.tag, shop.all.contains(tag), first.weight == 1000 {
                #expect(best == tag, "\(random) \(ranges)")
            }
        }
    }

    private func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text), "\(text)") }
}
