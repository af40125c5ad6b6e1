// What kinds of answer a client names as those that it takes. Asked by PhotographRoutes and by StorefrontPage.
import HTTPTypes

extension Request {
    /// Whether a type, in small letters, is named as acceptable (RFC 9110, section 12.5.1). `*/*` says nothing of it: who does not know the type sends that.
    func names(_ type: String) -> Bool {
        headers[values: .accept].contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { member in
                guard let named = WeightedName(member), named.weight > 0 else { return false }
                return named.name.elementsEqual(type.utf8) { $0 == $1 || ((0x41...0x5A).contains($0) && $0 | 0x20 == $1) }
            }
        }
    }
}
