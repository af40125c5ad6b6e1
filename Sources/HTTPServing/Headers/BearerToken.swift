// Parses the token of an Authorization header. HummingbirdAuth accepts the scheme only as `Bearer`, with a capital.

package enum BearerToken {
    /// Returns the token. The scheme is case-insensitive and followed by one or more spaces (RFC 9110, section 11.4).
    /// Returns nil for another scheme.
    package static func parse(_ value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}
