// The configuration of mails to guests. Tests shorten the times.
import Mail

/// The configuration of mails to guests.
package struct MailConfiguration: Sendable {
    /// The server to which mails are sent.
    package let server: SMTPServer
    /// The sender of every mail.
    package let sender: MailSender
    /// The shop's address without a trailing slash; nil: mails contain no link.
    package let publicURL: String?
    /// The time limits of one mail.
    package var limits = SMTPLimits()
    /// For how long a mail is retried, and how far back the search for unsent mails goes.
    package var retryPeriod = Duration.seconds(86_400)
    /// The delay before the second attempt. It doubles with each attempt, up to the longest delay. A random factor from
    /// 0.5 to 1 is applied.
    package var firstRetryDelay = Duration.seconds(60)
    /// The longest delay between two attempts.
    package var longestRetryDelay = Duration.seconds(3600)
    /// The first delay after the server was unreachable, which does not count as an attempt of a mail.
    package var firstReconnectDelay = Duration.seconds(1)
    /// The longest delay after the server was unreachable.
    package var longestReconnectDelay = Duration.seconds(60)

    /// Makes a configuration with the default times.
    package init(server: SMTPServer, sender: MailSender, publicURL: String? = nil) {
        (self.server, self.sender, self.publicURL) = (server, sender, publicURL)
    }

    /// The delay after a number of consecutive failures, at least one.
    static func retryDelay(after failures: Int, first: Duration, longest: Duration) -> Duration {
        let doubled = first * (1 << min(max(failures - 1, 0), 20))
        let whole = min(doubled, longest)
        return whole * Int.random(in: 500...1000) / 1000
    }
}
