// How guests are mailed. Filled by the program from its settings; tests shorten the times.
import Mail

package struct MailConfiguration: Sendable {
    package let server: SMTPServer
    package let sender: MailSender
    /// Where guests reach the shop, without a slash at its end; nil: mails have no link.
    package let publicURL: String?
    package var limits = SMTPLimits()
    /// For how long a mail is tried, and how far back is looked for what was not mailed.
    package var patience = Duration.seconds(86_400)
    /// How long a mail that failed waits for its second try; each other wait is twice as long, up to the longest. Half of it is left to chance.
    package var firstPause = Duration.seconds(60)
    package var longestPause = Duration.seconds(3600)
    /// The same of a server that is away: a mail that it was not offered loses none of its tries.
    package var firstAbsence = Duration.seconds(1)
    package var longestAbsence = Duration.seconds(60)

    package init(server: SMTPServer, sender: MailSender, publicURL: String? = nil) {
        (self.server, self.sender, self.publicURL) = (server, sender, publicURL)
    }

    /// How long to wait after so many failures in a row, at least one.
    static func pause(after failures: Int, first: Duration, longest: Duration) -> Duration {
        let doubled = first * (1 << min(max(failures - 1, 0), 20))
        let whole = min(doubled, longest)
        return whole * Int.random(in: 500...1000) / 1000
    }
}
