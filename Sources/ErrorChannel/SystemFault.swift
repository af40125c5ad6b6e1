// A fault of the system as its publisher tells it: what is broken, in one text for guests and another for the log.
// Published by Web's ShopHealth; broadcast by ErrorBroadcast.

/// Something of the system that does not work. Outcomes of the domain (a sold-out item) are none.
package struct SystemFault: Hashable, Sendable {
    /// The stable name, e.g. `database_unavailable`.
    package let code: String
    /// What is broken, e.g. `menu`; one fault is open per subject at most.
    package let subject: String
    /// Where to look at the subject or try again, a path on this server.
    package let link: String
    /// A sentence for guests; nothing private.
    package let message: String
    /// What the log should say; may name hosts and causes, and never leaves the server.
    package let logMessage: String

    package init(code: String, subject: String, link: String, message: String, logMessage: String) {
        (self.code, self.subject, self.link, self.message, self.logMessage) = (code, subject, link, message, logMessage)
    }
}
