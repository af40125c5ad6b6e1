// One mail: its envelope, its headers and its two bodies.
import Ordering

/// A mail that is ready to be sent.
package struct MailMessage: Sendable, Hashable {
    /// The address of the sender in the envelope.
    let sender: String
    /// The address of the recipient in the envelope.
    let recipient: String
    /// Header lines without line ends. Only encoded words are folded.
    package let headers: [String]
    /// The body as plain text.
    package let plain: String
    /// The body as HTML.
    package let html: String

    /// Makes a mail to one guest; nil if `email` is not a valid address.
    /// - Parameters:
    ///   - id: The message id without angle brackets, equal for every attempt to send this mail.
    ///   - date: The time of the event that the mail reports.
    init?(
        from sender: MailSender, to email: String, id: String, subject: String, date: Instant, language: LanguageTag,
        plain: String,
        html: String
    ) {
        // Parses the address again, because the database may contain an invalid one.
        guard case .success(let email) = EmailAddress.parse(email) else { return nil }
        (self.sender, recipient) = (MailAddress.quoted(sender.address), MailAddress.quoted(email.text))
        (self.plain, self.html) = (plain, html)
        headers = [
            "From: \(sender.header)", "To: <\(recipient)>", "Subject: \(HeaderText.unstructured(subject))",
            "Date: \(Self.rfc5322Date(date))",
            "Message-ID: <\(id)>", "Auto-Submitted: auto-generated", "Content-Language: \(language.text)",
            "Content-Type: multipart/alternative",
        ]
    }

    /// Formats a date as RFC 5322, section 3.3, in UTC.
    static func rfc5322Date(_ moment: Instant) -> String {
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (date, minutes) = (ShopZone.utc.date(of: moment), ShopZone.utc.minuteOfDay(at: moment))
        let seconds = Int((moment.microseconds / 1_000_000 % 60 + 60) % 60)
        let time = [minutes / 60, minutes % 60, seconds].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(days[date.weekday - 1]), \(date.day) \(months[date.month - 1]) \(date.year) \(time) +0000"
    }
}
