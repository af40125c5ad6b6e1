// The tag of a language, such as de or pt-BR (RFC 5646).

/// A language tag in its canonical case, so that tags are compared without regard to case.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as in Content-Language: pt-BR, zh-Hant-TW. 2…35 bytes of ASCII.
    package let text: String

    /// The language of a shop that has configured none.
    package static let english = LanguageTag(canonical: "en")
    package static let german = LanguageTag(canonical: "de")
    package static let spanish = LanguageTag(canonical: "es")

    /// Parses a tag: a language of 2…8 letters, then subtags of 1…8 letters and digits, at most 35 bytes in all
    /// (RFC 5646, section 4.4.1). Does not check whether the language exists.
    /// Anything else gives nil, private-use tags (x-…) too.
    package init?(_ text: some StringProtocol) {
        guard (2...35).contains(text.utf8.count) else { return nil }
        var canonical: [String] = []
        var followsSingleton = false
        for part in text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
            guard ((canonical.isEmpty ? 2 : 1)...8).contains(part.count),
                part.allSatisfy(canonical.isEmpty ? Self.isLetter : Self.isLetterOrDigit)
            else { return nil }
            let subtag = String(decoding: part, as: UTF8.self).lowercased()
            canonical.append(followsSingleton || canonical.isEmpty ? subtag : Self.cased(subtag))
            followsSingleton = followsSingleton || part.count == 1
        }
        guard canonical.last?.utf8.count != 1 else { return nil }
        self.init(canonical: canonical.joined(separator: "-"))
    }

    private init(canonical text: String) { self.text = text }

    /// This tag, then the tags that remain when subtags are removed from its end, without those that end with a single
    /// letter (RFC 4647, section 3.4): zh-Hant-TW, zh-Hant, zh.
    var fallbacks: [LanguageTag] {
        var subtags = text.split(separator: "-")
        var all = [self]
        while subtags.count > 1 {
            subtags.removeLast()
            if subtags.last?.utf8.count != 1 { all.append(LanguageTag(canonical: subtags.joined(separator: "-"))) }
        }
        return all
    }

    /// The tag by which different names of a language are compared, as in the CLDR. Deprecated subtags and
    /// macrolanguages are replaced: iw is he, no is nb. Chinese gets the script of its region: zh-TW is zh-Hant-TW.
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
            // The tag has a script already, and a subtag of three letters names another Chinese language.
            case _ where next.utf8.count >= 3: return LanguageTag(canonical: "zh" + rest)
            default: return LanguageTag(canonical: "zh-Hans" + rest)
            }
        default: return self
        }
    }

    /// The language that readers of this one understand and prefer to any other; nil if none is known.
    var relatedLanguage: LanguageTag? {
        switch text.prefix(while: { $0 != "-" }) {
        case "nn": LanguageTag(canonical: "nb")
        case "nb", "no": LanguageTag(canonical: "nn")
        case "yue": LanguageTag(canonical: "zh-Hant")
        case "gsw": .german
        default: nil
        }
    }

    /// Whether this is the other language or a variant of it, as de-AT is of de (RFC 4647, section 3.3.1).
    func isVariant(of other: LanguageTag) -> Bool { text == other.text || text.hasPrefix(other.text + "-") }

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

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}
