// The settings of the mails to guests.
import Mail
import Shop

/// The raw values of --smtp-url, --mail-from and --public-url.
struct MailSettings {
    let smtpURL: String?
    let mailFrom: String?
    let publicURL: String?

    /// Parses the settings; nil: no mail server is set. The other two are validated in any case.
    func read(_ settings: Settings) throws(CommandFailure) -> MailConfiguration? {
        let server = try settings.parse(
            .smtpURL, smtpURL, expecting: "smtp://host:port or smtps://user:password@host, percent-encoded"
        ) { SMTPServer($0) }
        let sender = try settings.parse(
            .mailFrom, mailFrom, expecting: "an address with a name, such as Welm's Delivery <orders@shop.example>"
        ) { MailSender($0) }
        let url = try settings.parse(.publicURL, publicURL, expecting: "an address such as https://shop.example") {
            Self.normalizedURL($0)
        }
        guard let server else { return nil }
        guard let sender else {
            throw CommandFailure("--smtp-url needs --mail-from, the sender of the mails: set both")
        }
        return MailConfiguration(server: server, sender: sender, publicURL: url)
    }

    /// The URL without trailing slashes; nil: it is invalid.
    private static func normalizedURL(_ text: String) -> String? {
        let hasValidCharacters = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"'\\#?".utf8.contains($0) }
        let hasHost = ["http://", "https://"].contains { text.hasPrefix($0) && text.count > $0.count }
        guard hasValidCharacters, hasHost else { return nil }
        var url = text
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}
