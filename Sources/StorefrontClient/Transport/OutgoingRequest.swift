// A request before it is sent, and its retry policy.
import NIOHTTP1
import Wire

/// The conditions under which the client repeats a request.
enum RetryPolicy: Sendable {
    /// The request is idempotent.
    case always
    /// The request is not idempotent: it is repeated only if the first one certainly had no effect.
    case ifNotProcessed
    /// The caller handles the failure in another way.
    case never

    func allowsRetry(after error: StorefrontError) -> Bool {
        switch self {
        case .always: error.isTransient
        case .ifNotProcessed: error.isTransient && !error.mayHaveTakenEffect
        case .never: false
        }
    }
}

struct OutgoingRequest: Sendable {
    let method: HTTPMethod
    /// The path with its query.
    let path: String
    let retryPolicy: RetryPolicy
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// A status other than 2xx and 304 that is a success for this request.
    var additionalSuccessStatus: Int?

    init(_ method: HTTPMethod, _ path: String, _ repeats: RetryPolicy, body: (any JSONWritable)? = nil) {
        (self.method, self.path, self.retryPolicy) = (method, path, repeats)
        if let body {
            self.body = body.json
            headers.append(("Content-Type", "application/json"))
        }
    }

    mutating func authorise(_ token: String?) {
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
    }
}

extension String {
    /// The text as one path segment or query value. All but RFC 3986's unreserved characters are encoded.
    var percentEncoded: String {
        utf8.reduce(into: "") { $0 += Self.percentEncoded($1) }
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            String(Unicode.Scalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// A path and query from a person as a valid request target. Percent escapes and delimiters stay, other invalid
    /// characters are encoded, and the fragment is removed (RFC 3986, section 3.5).
    var normalizedRequestTarget: String {
        let bytes = Array(prefix { $0 != "#" }.utf8)
        return bytes.indices.reduce(into: "") { text, index in
            let character = Unicode.Scalar(bytes[index])
            let isEncoded =
                character == "%"
                && bytes[index...].dropFirst().prefix(2).count { Character(Unicode.Scalar($0)).isHexDigit } == 2
            if isEncoded || "/?&=+:@!$'()*,;[]".unicodeScalars.contains(character) {
                text.unicodeScalars.append(character)
            } else {
                text += Self.percentEncoded(bytes[index])
            }
        }
    }

    /// The path with the query parameters that have a value.
    func appending(query: [(name: String, value: String?)]) -> String {
        let parts = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return parts.isEmpty ? self : "\(self)?\(parts.joined(separator: "&"))"
    }
}
