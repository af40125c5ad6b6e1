// What became of a mail that was handed in. Answered by SMTPClient; Shop's OrderMailer decides by it whether and when to try again.

package enum SMTPOutcome: Sendable, Hashable {
    /// The server has it now.
    case taken
    /// The server will not have this mail, whenever it comes (5yz of RFC 5321).
    case refused(SMTPAnswer)
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
    package var codes: String {
        let words = text.split(separator: " ").prefix(2)
        let enhanced = words.last.flatMap { word in
            word.split(separator: ".").count == 3 && word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? word : nil
        }
        return enhanced.map { "\(code) \($0)" } ?? "\(code)"
    }
}
