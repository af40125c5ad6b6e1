// The name of a language, such as de or pt-BR (RFC 5646). Staff name the shop's languages and their translations' by it, clients what they
// want to read. Next: ShopLanguages.swift, which chooses one.

/// A language tag in its canonical case: two tags are equal whatever the case they were written in.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// As it is written in Content-Language: pt-BR, zh-Hant-TW. 2…35 bytes of ASCII.
    package let text: String

    /// What a shop speaks that has said nothing.
    package static let english = LanguageTag(canonical: "en")
    package static let german = LanguageTag(canonical: "de")
    package static let spanish = LanguageTag(canonical: "es")

    /// Reads a tag: a language of 2…8 letters, then subtags of 1…8 letters and digits, at most 35 bytes in all (what RFC 5646, section 4.4.1,
    /// wants room for). Whether there is such a language is not asked. Anything else, one for private use (x-…) too, is nil.
    package init?(_ text: some StringProtocol) {
        guard (2...35).contains(text.utf8.count) else { return nil }
        var canonical: [String] = []
        var followsSingleton = false
        for part in text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
            guard ((canonical.isEmpty ? 2 : 1)...8).contains(part.count), part.allSatisfy(canonical.isEmpty ? Self.isLetter : Self.isSign)
            else { return nil }
            let subtag = String(decoding: part, as: UTF8.self).lowercased()
            canonical.append(followsSingleton || canonical.isEmpty ? subtag : Self.cased(subtag))
            followsSingleton = followsSingleton || part.count == 1
        }
        guard canonical.last?.utf8.count != 1 else { return nil }
        self.init(canonical: canonical.joined(separator: "-"))
    }

    private init(canonical text: String) { self.text = text }

    /// This tag, then each one that is left when subtags are taken off its end, never ending with a single letter (RFC 4647, section 3.4):
    /// zh-Hant-TW, zh-Hant, zh.
    var fallbacks: [LanguageTag] {
        var subtags = text.split(separator: "-")
        var all = [self]
        while subtags.count > 1 {
            subtags.removeLast()
            if subtags.last?.utf8.count != 1 { all.append(LanguageTag(canonical: subtags.joined(separator: "-"))) }
        }
        return all
    }

    /// The tag by which names of the same language are compared: deprecated subtags and macrolanguages are replaced (iw
    /// is he, no is nb), and Chinese gets the script of its region (zh-TW is zh-Hant-TW), as in the CLDR.
    var normalized: LanguageTag {
        let language = text.prefix { $0 != "-" }
        let rest = text[language.endIndex...]
        switch language {
        case "iw": return LanguageTag(canonical: "he" + rest)
        case "in": return LanguageTag(canonical: "id" + rest)
        case "ji": return LanguageTag(canonical: "yi" + rest)
        case "jw": return LanguageTag(canonical: "jv" + rest)
        case "mo": return LanguageTag(canonical: "ro" + rest)
        case "no": return LanguageTag(canonical: "nb" + rest)
        case "tl": return LanguageTag(canonical: "fil" + rest)
        case "zh", "cmn":
            let next = rest.dropFirst().prefix { $0 != "-" }
            switch next {
            case "TW", "HK", "MO": return LanguageTag(canonical: "zh-Hant" + rest)
            // A script is written already, and a subtag of three letters names another Chinese language.
            case _ where next.utf8.count >= 3: return LanguageTag(canonical: "zh" + rest)
            default: return LanguageTag(canonical: "zh-Hans" + rest)
            }
        default: return self
        }
    }

    /// A language that readers of this one read too, and would rather have than any other; nil where there is none.
    var relative: LanguageTag? {
        switch text.prefix(while: { $0 != "-" }) {
        case "nn": LanguageTag(canonical: "nb")
        case "nb", "no": LanguageTag(canonical: "nn")
        case "yue": LanguageTag(canonical: "zh-Hant")
        case "gsw": .german
        default: nil
        }
    }

    /// Whether this is the other or a kind of it, as de-AT is German (RFC 4647, section 3.3.1).
    func isKind(of other: LanguageTag) -> Bool { text == other.text || text.hasPrefix(other.text + "-") }

    /// As it is written.
    package var description: String { text }

    /// RFC 5646, section 2.1.1: regions in capitals, scripts with a capital.
    private static func cased(_ subtag: String) -> String {
        switch subtag.utf8.count {
        case 2: subtag.uppercased()
        case 4: subtag.prefix(1).uppercased() + subtag.dropFirst()
        default: subtag
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isSign(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}
