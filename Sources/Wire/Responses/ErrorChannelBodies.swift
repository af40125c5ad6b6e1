// The error channel, liveness and readiness.

/// The condition of the system and its latest events, newest first.
public struct ErrorsBody: Hashable, Sendable, Decodable, JSONObject {
    /// `healthy` or `degraded`.
    public let condition: String
    /// At most 256 events.
    public let events: [ErrorEventBody]

    package init(condition: String, events: [ErrorEventBody]) { (self.condition, self.events) = (condition, events) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("condition", condition)
        writer.field("events", events)
    }
}

/// A fault or a recovery.
public struct ErrorEventBody: Hashable, Sendable, Decodable, JSONObject {
    /// `<epoch>-<n>`; a stream can resume after it.
    public let id: String
    /// RFC 3339, UTC.
    public let at: String
    /// `fault` or `recovery`.
    public let kind: String
    /// E.g. `database_unavailable`.
    public let code: String
    /// A sentence for the guest.
    public let message: String
    /// The component, such as `menu`.
    public let subject: String
    /// The path at which the subject can be read or the request can be retried.
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

/// The number of events that a subscriber missed because it was slow or disconnected for too long.
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

/// The response of a running process, with its build.
public struct LivenessBody: Hashable, Sendable, Decodable, JSONObject {
    /// `alive`.
    public let status: String
    /// The version of the program, such as `1.0.0`.
    public let version: String
    /// The full hash of the commit that it was built from; nil if it was built without git.
    public let commit: String?
    /// Whether the build contains changes that are not in that commit.
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

/// Whether a load balancer should send requests to this server.
public struct ReadinessBody: Hashable, Sendable, Decodable, JSONObject {
    /// `ready`, `degraded`, `failed`, `starting` or `draining`.
    public let status: String
    /// The health checks.
    public let checks: [ReadinessCheckBody]

    package init(status: String, checks: [ReadinessCheckBody]) { (self.status, self.checks) = (status, checks) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("status", status)
        writer.field("checks", checks)
    }
}

/// The result of one health check.
public struct ReadinessCheckBody: Hashable, Sendable, Decodable, JSONObject {
    /// E.g. `database`.
    public let name: String
    /// `ok`, `degraded` or `failed`.
    public let status: String
    /// More detail, if there is any.
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
