// The languages that a client takes, by its Accept-Language (RFC 9110, section 12.5.4). What can't be read counts as not said.
// Read next: Sources/Ordering/Menu/Translations/ShopLanguages.swift, which chooses one by them.
import Ordering

enum AcceptLanguage {
    /// More languages than anybody reads; what stands behind them is not looked at.
    private static let limit = 32

    /// The ranges in the order in which they stand in the header's lines.
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
