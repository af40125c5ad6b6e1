// The sender of the shop's mails, parsed from the settings.
import Ordering

/// A name and an address: `Welm's Delivery <orders@example.org>`.
package struct MailSender: Sendable, Hashable {
    /// The display name; the domain of the address if no name was given.
    package let name: String
    /// The address, in plain ASCII.
    package let address: String

    /// Parses an address with or without a name. Returns nil for anything else, and for a name of several lines.
    package init?(_ text: String) {
        guard text.utf8.count <= 500, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            return nil
        }
        var (name, address) = (Substring(), text[...])
        if let open = text.lastIndex(of: "<") {
            guard let close = text[open...].firstIndex(of: ">"),
                text[text.index(after: close)...].allSatisfy({ $0 == " " })
            else {
                return nil
            }
            (name, address) = (text[..<open], text[text.index(after: open)..<close])
        }
        guard case .success(let email) = EmailAddress.parse(String(address)), !name.contains("<") else { return nil }
        var trimmedName = name.drop { $0 == " " }
        while trimmedName.last == " " { trimmedName.removeLast() }
        if trimmedName.count >= 2, trimmedName.first == "\"", trimmedName.last == "\"" {
            trimmedName = trimmedName.dropFirst().dropLast()
        }
        self.address = email.text
        self.name = trimmedName.isEmpty ? Self.domain(of: email.text) : String(trimmedName)
    }

    /// The domain of the address.
    package var domain: String { Self.domain(of: address) }

    /// The value of the From header.
    var header: String { "\(HeaderText.phrase(name)) <\(MailAddress.quoted(address))>" }

    private static func domain(of address: String) -> String {
        address.lastIndex(of: "@").map { String(address[address.index(after: $0)...]) } ?? address
    }
}

/// Formats addresses for SMTP.
enum MailAddress {
    /// Quotes the local part if it needs quotes. Guests' addresses follow the rule of HTML, which permits dots where
    /// RFC 5322 requires quotes.
    static func quoted(_ address: String) -> String {
        guard let separator = address.lastIndex(of: "@") else { return address }
        let local = address[..<separator]
        guard local.hasPrefix(".") || local.hasSuffix(".") || local.contains("..") else { return address }
        return "\"\(local)\"\(address[separator...])"
    }
}
