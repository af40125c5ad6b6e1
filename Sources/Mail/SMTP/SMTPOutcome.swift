// What became of a mail that was handed in. Answered by SMTPClient; Shop's OrderMailer decides by it whether and when to try again.

package enum SMTPOutcome: Sendable, Hashable {
    /// The server has it now.
    case taken
    /// The server will not have this mail, whenever it comes (5yz of RFC 5321).
    case refused(SMTPAnswer)
    /// The server refuses the shop's account or address, and says so of this mail. Others may pass.
    case accountRefused(SMTPAnswer)
    /// The server lets the shop's account in nowhere: no mail was offered to it.
    case denied(String)
    /// It will not have it now (4yz).
    case later(SMTPAnswer)
    /// The conversation broke off in the middle of this mail: nobody knows whether the server has it.
    case broken(String)
    /// The server can't be had, or takes no mail of ours at all.
    case away(String)
}

/// The last line that the server said.
package struct SMTPAnswer: Sendable, Hashable {
    /// 400…599.
    package let code: Int
    /// The whole line, at most 300 characters; it may name the guest.
    package let text: String

    /// What may be logged: the code, and the enhanced one behind it (RFC 3463).
    package var codes: String { enhanced.map { "\(code) \($0.map(String.init).joined(separator: "."))" } ?? "\(code)" }

    /// The enhanced code's class, subject and detail; nil where the server sends none.
    private var enhanced: [Int]? {
        let words = text.dropFirst(4).prefix { $0 != " " }.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in
            (1...3).contains(word.utf8.count) && word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word) : nil
        }
        return words.count == 3 && numbers.count == 3 ? numbers : nil
    }

    /// Whether the server refuses the account or the address that the shop sends with, and not the guest's address.
    package var isAboutAccount: Bool {
        guard code >= 500 else { return false }
        // Authentication is missing, too weak, wrong, or needs encryption (RFC 4954, section 6).
        if [530, 534, 535, 538].contains(code) { return true }
        guard let enhanced, enhanced[0] == 5 else { return false }
        return switch (enhanced[1], enhanced[2]) {
        // The guest's address: a list may not be expanded; the mailbox or the domain has another owner (RFC 7293).
        case (7, 2), (7, 17), (7, 18): false
        // Security and policy: relaying denied, sender blocked, authentication failed (RFC 3463, section 3.8).
        case (7, _): true
        // The sending quota is used up, as Gmail and Exchange Online say it.
        case (4, 5), (1, 90): true
        // The sender's address is wrong (RFC 3463, section 3.2).
        case (1, 7), (1, 8): true
        default: false
        }
    }
}

extension SMTPAnswer {
    /// Reads the last line of an answer; nil for anything that is no refusal.
    init?(line: String) {
        guard let code = Int(line.prefix(3)), (400...599).contains(code) else { return nil }
        self.init(code: code, text: line)
    }
}
