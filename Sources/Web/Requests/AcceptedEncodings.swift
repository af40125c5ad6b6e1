// Whether a client takes gzip, by its Accept-Encoding (RFC 9110, section 12.5.3). Linear, allocates nothing, and takes what can't be read
// as not said. Called by EncodedAnswer and Response.conditional.
import HTTPTypes

extension Request {
    /// Whether gzip is acceptable, and at least as welcome as no encoding where both are named.
    var takesGzip: Bool {
        let values = headers[values: .acceptEncoding]
        return !values.isEmpty && AcceptedEncodings(values).takesGzip
    }
}

/// The weights of the encodings we know, in thousandths; nil where one is not named.
struct AcceptedEncodings {
    private(set) var gzip: Int?
    private(set) var identity: Int?
    private(set) var any: Int?

    init(_ values: [String]) {
        for value in values {
            for member in value.utf8.split(separator: UInt8(ascii: ",")) {
                let parts = member.split(separator: UInt8(ascii: ";"), maxSplits: 1)
                guard let coding = parts.first.map(Self.trimmed), let weight = Self.weight(parts.dropFirst().first) else { continue }
                if Self.isEqual(coding, "gzip") || Self.isEqual(coding, "x-gzip") {
                    gzip = max(gzip ?? 0, weight)
                } else if Self.isEqual(coding, "identity") {
                    identity = weight
                } else if Self.isEqual(coding, "*") {
                    any = weight
                }
            }
        }
    }

    var takesGzip: Bool {
        let weight = gzip ?? any ?? 0
        return weight > 0 && weight >= identity ?? 0
    }

    /// 1000 without a parameter; nil if it is no weight: `q=` and 0 to 1 with three digits at the most.
    private static func weight(_ parameter: Substring.UTF8View?) -> Int? {
        guard let parameter else { return 1000 }
        let text = trimmed(parameter)
        guard let name = text.first, name | 0x20 == UInt8(ascii: "q"), text.dropFirst().first == UInt8(ascii: "=") else { return nil }
        var digits = text.dropFirst(2)
        guard let whole = digits.popFirst(), whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else { return nil }
        guard let point = digits.popFirst() else { return whole == UInt8(ascii: "1") ? 1000 : 0 }
        guard point == UInt8(ascii: "."), digits.count <= 3 else { return nil }
        var thousandths = whole == UInt8(ascii: "1") ? 1000 : 0
        var place = 100
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            thousandths += Int(digit - UInt8(ascii: "0")) * place
            place /= 10
        }
        return thousandths <= 1000 ? thousandths : nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    /// Names of codings are the same in either case.
    private static func isEqual(_ text: Substring.UTF8View, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in text.elementsEqual(name) { $0 == $1 || ($0 >= 0x41 && $0 <= 0x5A && $0 | 0x20 == $1) } }
    }
}
