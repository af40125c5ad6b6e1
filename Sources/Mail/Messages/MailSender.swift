// Who the shop's mails come from, as the settings say it. Read by welms, used by MailMessage.
import Ordering

/// A name and an address: `Welm's Delivery <orders@example.org>`.
package struct MailSender: Sendable, Hashable {
    /// What guests call the shop; the address's domain where no name was given.
    package let name: String
    /// Of plain ASCII.
    package let address: String

    /// Reads it, with a name or without; nil for anything else, and for a name in more than one line.
    package init?(_ text: String) {
        guard text.utf8.count <= 500, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
        var (name, address) = (Substring(), text[...])
        if let open = text.lastIndex(of: "<") {
            guard let close = text[open...].firstIndex(of: ">"), text[text.index(after: close)...].allSatisfy({ $0 == " " }) else {
                return nil
            }
            (name, address) = (text[..<open], text[text.index(after: open)..<close])
        }
        guard case .success(let email) = EmailAddress.parse(String(address)), !name.contains("<") else { return nil }
        var tidied = name.drop { $0 == " " }
        while tidied.last == " " { tidied.removeLast() }
        if tidied.count >= 2, tidied.first == "\"", tidied.last == "\"" { tidied = tidied.dropFirst().dropLast() }
        self.address = email.text
        self.name = tidied.isEmpty ? Self.domain(of: email.text) : String(tidied)
    }

    /// What stands behind the address's @.
    package var domain: String { Self.domain(of: address) }

    /// As the header From has it.
    var header: String { "\(HeaderText.phrase(name)) <\(MailAddress.written(address))>" }

    private static func domain(of address: String) -> String {
        address.lastIndex(of: "@").map { String(address[address.index(after: $0)...]) } ?? address
    }
}

/// An address as mail servers read it.
enum MailAddress {
    /// HTML's rule, by which guests' addresses are parsed, lets dots stand where RFC 5322 wants quotes around them.
    static func written(_ address: String) -> String {
        guard let at = address.lastIndex(of: "@") else { return address }
        let local = address[..<at]
        guard local.hasPrefix(".") || local.hasSuffix(".") || local.contains("..") else { return address }
        return "\"\(local)\"\(address[at...])"
    }
}
