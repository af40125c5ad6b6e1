// The outcome of sending a mail, which decides whether and when it is retried.

/// The outcome of sending one mail.
package enum SMTPOutcome: Sendable, Hashable {
    /// The server accepted the mail.
    case accepted
    /// The server rejected this mail permanently (5yz of RFC 5321).
    case rejected(SMTPReply)
    /// The server rejected the shop's account or address in reply to this mail. Other mails may be accepted.
    case accountRejected(SMTPReply)
    /// The server rejected the login or the sender, so no mail was offered.
    case accessDenied(String)
    /// The server rejected the mail temporarily (4yz).
    case deferred(SMTPReply)
    /// The connection broke during the transfer: the server may or may not have the mail.
    case interrupted(String)
    /// The server can't be reached, or accepts no mail at all.
    case unreachable(String)
}

/// The last line of a rejection that the server sent.
package struct SMTPReply: Sendable, Hashable {
    /// The reply code, 400…599.
    package let code: Int
    /// The whole line, at most 300 characters. It may contain the guest's address.
    package let text: String

    /// The part that may be logged: the code and the enhanced code after it (RFC 3463).
    package var codes: String { enhanced.map { "\(code) \($0.map(String.init).joined(separator: "."))" } ?? "\(code)" }

    /// The class, subject and detail of the enhanced code; nil if the server sent none.
    private var enhanced: [Int]? {
        let words = text.dropFirst(4).prefix { $0 != " " }.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in
            (1...3).contains(word.utf8.count) && word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word) : nil
        }
        return words.count == 3 && numbers.count == 3 ? numbers : nil
    }

    /// Whether the server rejects the account or the address of the shop, and not the address of the guest.
    package var concernsAccount: Bool {
        guard code >= 500 else { return false }
        // Authentication is missing, too weak, wrong, or needs encryption (RFC 4954, section 6).
        if [530, 534, 535, 538].contains(code) { return true }
        guard let enhanced, enhanced[0] == 5 else { return false }
        return switch (enhanced[1], enhanced[2]) {
        // The guest's address: a list may not be expanded; the mailbox or the domain has another owner (RFC 7293).
        case (7, 2), (7, 17), (7, 18): false
        // Security and policy: relaying denied, sender blocked, authentication failed (RFC 3463, section 3.8).
        case (7, _): true
        // The sending quota is used up, as Gmail and Exchange Online report it.
        case (4, 5), (1, 90): true
        // The sender's address is wrong (RFC 3463, section 3.2).
        case (1, 7), (1, 8): true
        default: false
        }
    }
}

extension SMTPReply {
    /// Parses the last line of a reply; nil if it is not a rejection.
    init?(line: String) {
        guard let code = Int(line.prefix(3)), (400...599).contains(code) else { return nil }
        self.init(code: code, text: line)
    }
}
