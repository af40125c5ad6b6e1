// The token of an Authorization header. Asked for by the routes of orders and of staff, through Request+Parsed.swift.

enum BearerToken {
    /// The token: the scheme's name in any case, one space or more (RFC 9110, section 11.4). Nil with another scheme.
    static func parse(_ value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}
