// The error channel on the wire: its newest events, one event of the stream, and the readiness checks beside it.
// Made by Web from ErrorChannel; read by StorefrontClient.

/// The state of the system and the newest events, newest first.
public struct ErrorsBody: Hashable, Sendable, Decodable, JSONObject {
    /// `healthy` or `degraded`.
    public let condition: String
    /// At most 256.
    public let events: [ErrorEventBody]

    package init(condition: String, events: [ErrorEventBody]) { (self.condition, self.events) = (condition, events) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("condition", condition)
        writer.field("events", events)
    }
}

/// A fault or a recovery.
public struct ErrorEventBody: Hashable, Sendable, Decodable, JSONObject {
    /// `<epoch>-<n>`, to resume after.
    public let id: String
    /// RFC 3339, UTC.
    public let at: String
    /// `fault` or `recovery`.
    public let kind: String
    /// E.g. `database_unavailable`.
    public let code: String
    /// For the guest.
    public let message: String
    /// What it is about, e.g. `menu`.
    public let subject: String
    /// Where to look at the subject, or to try again.
    public let link: String

    package init(id: String, at: String, kind: String, code: String, message: String, subject: String, link: String) {
        (self.id, self.at, self.kind, self.code) = (id, at, kind, code)
        (self.message, self.subject, self.link) = (message, subject, link)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("at", at)
        writer.field("kind", kind)
        writer.field("code", code)
        writer.field("message", message)
        writer.field("subject", subject)
        writer.field("link", link)
    }
}

/// How many events a listener did not get, because it was slow or away too long.
public struct MissedEventsBody: Hashable, Sendable, Decodable, JSONObject {
    /// At least 1.
    public let missed: Int64

    package init(
        missed: Int64
    ) {
        self.missed = missed
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("missed", missed) }
}

/// The process answers, and which program it is.
public struct LivenessBody: Hashable, Sendable, Decodable, JSONObject {
    /// `alive`.
    public let status: String
    /// The program's, such as `0.1.0`.
    public let version: String
    /// The whole id of the commit that it was built from; nil where it was built without git.
    public let commit: String?
    /// Whether it was built of what that commit does not have.
    public let isChanged: Bool

    package init(status: String = "alive", version: String, commit: String?, isChanged: Bool) {
        (self.status, self.version, self.commit, self.isChanged) = (status, version, commit, isChanged)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("status", status)
        writer.field("version", version)
        writer.field("commit", commit)
        writer.field("isChanged", isChanged)
    }
}

/// Whether this server should be sent guests.
public struct ReadinessBody: Hashable, Sendable, Decodable, JSONObject {
    /// `ready`, `degraded`, `starting` or `draining`.
    public let status: String
    /// Each check by name.
    public let checks: [ReadinessCheckBody]

    package init(status: String, checks: [ReadinessCheckBody]) { (self.status, self.checks) = (status, checks) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("status", status)
        writer.field("checks", checks)
    }
}

/// One check.
public struct ReadinessCheckBody: Hashable, Sendable, Decodable, JSONObject {
    /// E.g. `database`.
    public let name: String
    /// `ok`, `degraded` or `failed`.
    public let status: String
    /// A word more, where there is one.
    public let detail: String?

    package init(name: String, status: String, detail: String? = nil) {
        (self.name, self.status, self.detail) = (name, status, detail)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("name", name)
        writer.field("status", status)
        writer.field("detail", detail)
    }
}
