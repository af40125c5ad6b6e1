// A fault of the system, with one text for guests and another for the log.

/// A failure of a part of the system. Rejections of the domain, such as a sold-out item, are not faults.
package struct SystemFault: Hashable, Sendable {
    /// The stable code, such as `database_unavailable`.
    package let code: String
    /// The affected part, such as `menu`. A subject has at most one open fault.
    package let subject: String
    /// A path on this server where a client can check the subject or try again.
    package let link: String
    /// A sentence for guests, without private data.
    package let message: String
    /// The text for the log. It may name hosts and causes and never leaves the server.
    package let logMessage: String

    /// Creates a fault.
    package init(code: String, subject: String, link: String, message: String, logMessage: String) {
        (self.code, self.subject, self.link, self.message, self.logMessage) = (code, subject, link, message, logMessage)
    }
}
