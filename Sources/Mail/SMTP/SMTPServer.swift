// Where mails are handed in, as the settings say it. Read by welms; used by SMTPTransfer. Holds a password, and prints none.
import CCurl

package struct SMTPServer: Sendable, CustomStringConvertible, CustomReflectable {
    /// As libcurl reads it, with the credentials.
    let url: String
    /// What of TLS it has to speak.
    let encryption: Encryption
    /// Host and port, for the log.
    package let description: String

    enum Encryption: Sendable {
        /// Nothing leaves this machine.
        case none
        /// STARTTLS where the server offers it.
        case offered
        /// STARTTLS, or TLS from the first byte on: nothing is sent otherwise.
        case required
    }

    /// Reads `smtp://host:port` or `smtps://user:password@host`, the credentials percent-encoded; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 2000, text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }), let url = curl_url() else {
            return nil
        }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: url), ["smtp", "smtps"].contains(scheme), text.contains("://"),
            let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty, Self.part(CURLUPART_QUERY, of: url) == nil
        else { return nil }
        self.url = text
        description = host + (Self.part(CURLUPART_PORT, of: url).map { ":\($0)" } ?? "")
        let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
        let hasUser = Self.part(CURLUPART_USER, of: url) != nil
        encryption = scheme == "smtps" ? .required : isHere ? .none : hasUser ? .required : .offered
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// Nothing that is printed of it is more than where it is.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
