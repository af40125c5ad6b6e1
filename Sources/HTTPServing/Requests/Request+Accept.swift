// Checks which media types a client accepts.
import HTTPTypes

extension Request {
    /// Whether Accept names a lowercase media type explicitly (RFC 9110, section 12.5.1). `*/*` does not count:
    /// clients that lack the type send it too.
    package func accepts(_ type: String) -> Bool {
        headers[values: .accept].contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { member in
                guard let named = WeightedName(member), named.weight > 0 else { return false }
                return named.name.elementsEqual(type.utf8) {
                    $0 == $1 || ((0x41...0x5A).contains($0) && $0 | 0x20 == $1)
                }
            }
        }
    }
}
