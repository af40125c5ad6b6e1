// The token of an Authorization header. Called by the routes of orders and of staff, which know whose it should be.

import HTTPTypes

extension Request {
    /// The token after `Bearer`: the scheme's name in any case, one space or more (RFC 9110, section 11.4). Nil without the header, and
    /// with another scheme.
    var bearerToken: String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}
