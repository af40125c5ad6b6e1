// Parses one member of an Accept-style list with its weight, such as `gzip;q=0.5` (RFC 9110, section 12.4.2), in linear
// time. swift-nio-extras has a parser of weights, but it is private.

/// A name with a weight.
package struct WeightedName {
    /// The name without surrounding white space. Not checked against known names.
    package let name: Substring.UTF8View
    /// In thousandths, from 0 to 1000.
    package let weight: Int

    /// Nil without a name, or if the parameter is not a valid weight.
    package init?(_ member: Substring.UTF8View) {
        let parts = member.split(separator: UInt8(ascii: ";"), maxSplits: 1)
        guard let name = parts.first.map(Self.trimmed), let weight = Self.weight(parts.dropFirst().first) else {
            return nil
        }
        (self.name, self.weight) = (name, weight)
    }

    /// 1000 without a parameter. Nil unless the parameter is `q=` with 0 to 1 and at most three decimals.
    private static func weight(_ parameter: Substring.UTF8View?) -> Int? {
        guard let parameter else { return 1000 }
        let text = trimmed(parameter)
        guard let name = text.first, name | 0x20 == UInt8(ascii: "q"), text.dropFirst().first == UInt8(ascii: "=")
        else { return nil }
        var digits = text.dropFirst(2)
        guard let whole = digits.popFirst(), whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else {
            return nil
        }
        guard let point = digits.popFirst() else { return whole == UInt8(ascii: "1") ? 1000 : 0 }
        guard point == UInt8(ascii: "."), digits.count <= 3 else { return nil }
        var thousandths = whole == UInt8(ascii: "1") ? 1000 : 0
        var placeValue = 100
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            thousandths += Int(digit - UInt8(ascii: "0")) * placeValue
            placeValue /= 10
        }
        return thousandths <= 1000 ? thousandths : nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
