// Parses Accept-Encoding (RFC 9110, section 12.5.3) in linear time without allocation. Invalid members are ignored.
import HTTPTypes

extension Request {
    /// Whether gzip is acceptable, and preferred at least as much as no encoding.
    var acceptsGzip: Bool {
        let values = headers[values: .acceptEncoding]
        return !values.isEmpty && AcceptedEncodings(values).acceptsGzip
    }
}

/// The weights of the known encodings, in thousandths; nil if not named.
struct AcceptedEncodings {
    private(set) var gzip: Int?
    private(set) var identity: Int?
    private(set) var any: Int?

    init(_ values: [String]) {
        for value in values {
            for member in value.utf8.split(separator: UInt8(ascii: ",")) {
                guard let coding = WeightedName(member) else { continue }
                if Self.isEqual(coding.name, "gzip") || Self.isEqual(coding.name, "x-gzip") {
                    gzip = max(gzip ?? 0, coding.weight)
                } else if Self.isEqual(coding.name, "identity") {
                    identity = coding.weight
                } else if Self.isEqual(coding.name, "*") {
                    any = coding.weight
                }
            }
        }
    }

    var acceptsGzip: Bool {
        let weight = gzip ?? any ?? 0
        return weight > 0 && weight >= identity ?? 0
    }

    /// Compares without case; names of encodings are case-insensitive.
    private static func isEqual(_ text: Substring.UTF8View, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            text.elementsEqual(name) { $0 == $1 || ($0 >= 0x41 && $0 <= 0x5A && $0 | 0x20 == $1) }
        }
    }
}
