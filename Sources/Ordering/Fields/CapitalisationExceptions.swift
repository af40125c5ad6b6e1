// Words with a fixed capitalisation that the general rules would change.

enum CapitalisationExceptions {
    /// Words that names and streets usually contain in lower case, except as the first or last word of a line.
    static let particles: Set<String> = [
        "'s", "'t", "’s", "’t", "aan", "af", "al", "am", "an", "and", "ap", "au", "aux", "av", "bei", "bin", "bint",
        "da", "dal", "dalla",
        "das", "de", "degli", "dei", "del", "della", "delle", "den", "der", "des", "di", "do", "dos", "du", "el", "en",
        "et", "het",
        "ibn", "im", "in", "la", "las", "le", "les", "lo", "los", "of", "og", "on", "op", "sous", "sur", "te", "ten",
        "ter", "the", "und",
        "upon", "van", "vom", "von", "y", "zu", "zum", "zur",
    ]

    /// Elided words stay lower case inside a line; a capital follows their apostrophe: Jeanne d'Arc, Via dell'Acqua.
    static let elisions: Set<String> = ["all", "d", "dall", "dell", "l", "nell", "sull"]

    /// Other prefixes of more than one letter with a capital after their apostrophe: Piazza Sant'Angelo.
    static let capitalisedPrefixes: Set<String> = ["sant"]

    /// Abbreviations of two or three letters without a vowel that are not initials.
    private static let shortWords: Set<String> = [
        "bld", "blk", "cl", "cnr", "ct", "dr", "flr", "fr", "ft", "hwy", "jr", "ln", "ml", "mr", "mrs", "ms", "mt",
        "ng", "nr", "pl", "pr",
        "rd", "sq", "sr", "st", "str", "twr",
    ]

    /// US state abbreviations, written in capitals before a ZIP code.
    private static let states: Set<String> = Set(
        """
        al ak az ar ca co ct dc de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh \
        ok or pa pr ri sc sd tn tx ut vt va wa wv wi wy
        """.split(separator: " ").map(String.init))

    /// Roman numerals after names. V, X, VI and XI are missing because they are also initials and names.
    private static let numerals: Set<String> = [
        "ii", "iii", "iv", "vii", "viii", "ix", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx", "xxi",
        "xxii", "xxiii",
    ]

    /// The fixed spelling of a word in any case; nil if it has none.
    static func fixedSpelling(of word: Substring, isFirst: Bool, next: Substring?) -> String? {
        guard word.utf8.count <= 6, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let small = word.lowercased()
        switch small {
        case "c/o", "p/a": return small
        case "nyc": return "NYC"
        case "po" where next?.lowercased() == "box", "p.o." where next?.lowercased() == "box": return small.uppercased()
        default: break
        }
        if !isFirst, numerals.contains(small) { return small.uppercased() }
        return states.contains(small) && next.map(isZIPCode) == true ? small.uppercased() : nil
    }

    /// Whether a word in capitals may be initials or an abbreviation: 2–3 letters without a vowel, or NY.
    static func mayBeInitials(_ word: Substring) -> Bool {
        guard (2...3).contains(word.utf8.count),
            word.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else {
            return false
        }
        return word == "NY"
            || !word.utf8.contains(where: "AEIOUY".utf8.contains) && !shortWords.contains(word.lowercased())
    }

    /// Whether the word is a ZIP code: five digits, or nine with a hyphen.
    private static func isZIPCode(_ word: Substring) -> Bool {
        let bytes = word.utf8
        return (bytes.count == 5 || bytes.count == 10 && bytes.dropFirst(5).first == UInt8(ascii: "-"))
            && bytes.prefix(5).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
