// Parses Accept-Language (RFC 9110, section 12.5.4). Invalid members are ignored.
import HTTPServing
import Ordering

enum AcceptLanguage {
    /// Ranges after the 32nd are ignored; no real client sends as many.
    private static let limit = 32

    /// The language ranges in the order of the header lines.
    static func ranges(_ values: [String]) -> [LanguageRange] {
        var ranges: [LanguageRange] = []
        var left = limit
        for value in values {
            for member in value.utf8.split(separator: UInt8(ascii: ","), maxSplits: left).prefix(left) {
                left -= 1
                guard let range = WeightedName(member) else { continue }
                if range.name.elementsEqual("*".utf8) {
                    ranges.append(LanguageRange(nil, weight: range.weight))
                } else if let tag = LanguageTag(Substring(range.name)) {
                    ranges.append(LanguageRange(tag, weight: range.weight))
                }
            }
        }
        return ranges
    }
}
