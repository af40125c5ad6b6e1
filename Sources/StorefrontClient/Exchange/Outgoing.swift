// A request before it is sent, and whether it may be sent again. Made by the functions of the features, sent by Exchange.
import NIOHTTP1
import Wire

/// When a request may be sent once more by itself.
enum Repeats: Sendable {
    /// It changes nothing, or the same thing only once.
    case always
    /// A second one would do it twice: only where it is certain that the first one did nothing.
    case whereNothingHappened
    /// There is something better to do than to try again.
    case never

    func allow(after error: StorefrontError) -> Bool {
        switch self {
        case .always: error.isPassing
        case .whereNothingHappened: error.isPassing && !error.mayHaveBeenDone
        case .never: false
        }
    }
}

struct Outgoing: Sendable {
    let method: HTTPMethod
    /// With its query.
    let path: String
    let repeats: Repeats
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// A status besides 2xx and 304 whose body is the answer.
    var takes: Int?

    init(_ method: HTTPMethod, _ path: String, _ repeats: Repeats, body: (any JSONWritable)? = nil) {
        (self.method, self.path, self.repeats) = (method, path, repeats)
        if let body {
            self.body = body.json
            headers.append(("Content-Type", "application/json"))
        }
    }

    mutating func authorize(_ token: String?) {
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
    }
}

extension String {
    /// As one part of a path or a value of a query: all but RFC 3986's unreserved characters as %XX.
    var percentEncoded: String {
        utf8.reduce(into: "") { $0 += Self.percentEncoded($1) }
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39, UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            String(Unicode.Scalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// A path and its query as somebody has written them: what is encoded stays so, what divides them too, and what can't stand there is encoded. Without
    /// a fragment, which no server is told (RFC 3986, section 3.5).
    var asWritten: String {
        let bytes = Array(prefix { $0 != "#" }.utf8)
        return bytes.indices.reduce(into: "") { text, index in
            let character = Unicode.Scalar(bytes[index])
            let isEncoded =
                character == "%" && bytes[index...].dropFirst().prefix(2).count { Character(Unicode.Scalar($0)).isHexDigit } == 2
            if isEncoded || "/?&=+:@!$'()*,;[]".unicodeScalars.contains(character) {
                text.unicodeScalars.append(character)
            } else {
                text += Self.percentEncoded(bytes[index])
            }
        }
    }

    /// A path with the values that are there.
    func with(query: [(name: String, value: String?)]) -> String {
        let parts = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return parts.isEmpty ? self : "\(self)?\(parts.joined(separator: "&"))"
    }
}
