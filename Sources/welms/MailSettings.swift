// How guests are mailed, as the settings say it. Read by ServeOptions.
import Mail
import Shop

struct MailSettings {
    let smtpURL: String?
    let mailFrom: String?
    let publicURL: String?

    /// Nil where no mail server is named; the other two are judged all the same.
    func read(_ settings: Settings) throws(CommandFailure) -> MailConfiguration? {
        let server = try settings.parse(
            .smtpURL, smtpURL, write: "smtp://host:port or smtps://user:password@host, user and password percent-encoded"
        ) { SMTPServer($0) }
        let sender = try settings.parse(.mailFrom, mailFrom, write: "an address with a name, such as Welm's Delivery <orders@shop.example>")
        {
            MailSender($0)
        }
        let url = try settings.parse(.publicURL, publicURL, write: "an address such as https://shop.example") { Self.address($0) }
        guard let server else { return nil }
        guard let sender else { throw CommandFailure("--smtp-url goes with --mail-from, which says who the mails come from") }
        return MailConfiguration(server: server, sender: sender, publicURL: url)
    }

    /// Without the slashes at its end.
    private static func address(_ text: String) -> String? {
        let isWhole = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"'\\#?".utf8.contains($0) }
        guard isWhole, ["http://", "https://"].contains(where: { text.hasPrefix($0) && text.count > $0.count }) else { return nil }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        return address
    }
}
