// The SMTP server, parsed from the settings. Its URL may contain a password, which is never printed.
import CCurl

/// The SMTP server to which mails are sent.
package struct SMTPServer: Sendable, CustomStringConvertible, CustomReflectable {
    /// The URL for libcurl, with the credentials.
    let url: String
    /// How the connection is encrypted.
    let encryption: Encryption
    /// Host and port, for the log.
    package let description: String

    enum Encryption: Sendable {
        /// Unencrypted: the server is on this machine.
        case none
        /// STARTTLS if the server offers it.
        case opportunistic
        /// STARTTLS, or TLS from the first byte. Without TLS nothing is sent.
        case required
    }

    /// Parses `smtp://host:port` or `smtps://user:password@host`, with percent-encoded credentials; nil for anything
    /// else.
    package init?(_ text: String) {
        guard text.utf8.count <= 2000, text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }),
            let url = curl_url()
        else {
            return nil
        }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: url), ["smtp", "smtps"].contains(scheme), text.contains("://"),
            let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty, Self.part(CURLUPART_QUERY, of: url) == nil
        else { return nil }
        self.url = text
        description = host + (Self.part(CURLUPART_PORT, of: url).map { ":\($0)" } ?? "")
        let isLocal = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
        let hasUser = Self.part(CURLUPART_USER, of: url) != nil
        encryption = scheme == "smtps" ? .required : isLocal ? .none : hasUser ? .required : .opportunistic
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// Empty, so that a dump prints no credentials.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
