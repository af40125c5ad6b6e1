// One mail as it is sent: its envelope, its headers and its text in two forms. Made by OrderMail, sent by SMTPClient.
import Ordering

package struct MailMessage: Sendable, Hashable {
    /// The envelope's.
    let sender: String
    /// The envelope's.
    let recipient: String
    /// Lines without their ends; only encoded words are folded.
    package let headers: [String]
    package let plain: String
    package let html: String

    /// A mail to one guest; nil where `email` is no address.
    /// - Parameters:
    ///   - id: The same for every sending of this mail, without the angle brackets.
    ///   - date: When what it tells happened.
    init?(
        from sender: MailSender, to email: String, id: String, subject: String, date: Instant, language: LanguageTag, plain: String,
        html: String
    ) {
        // Whatever the row says: an address that was not parsed could hold anything.
        guard case .success(let email) = EmailAddress.parse(email) else { return nil }
        (self.sender, recipient) = (MailAddress.written(sender.address), MailAddress.written(email.text))
        (self.plain, self.html) = (plain, html)
        headers = [
            "From: \(sender.header)", "To: <\(recipient)>", "Subject: \(HeaderText.unstructured(subject))", "Date: \(Self.written(date))",
            "Message-ID: <\(id)>", "Auto-Submitted: auto-generated", "Content-Language: \(language.text)",
            "Content-Type: multipart/alternative",
        ]
    }

    /// RFC 5322, section 3.3, in UTC.
    static func written(_ moment: Instant) -> String {
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (date, minutes) = (ShopZone.utc.date(of: moment), ShopZone.utc.minutes(of: moment))
        let seconds = Int((moment.microseconds / 1_000_000 % 60 + 60) % 60)
        let time = [minutes / 60, minutes % 60, seconds].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(days[date.weekday - 1]), \(date.day) \(months[date.month - 1]) \(date.year) \(time) +0000"
    }
}
