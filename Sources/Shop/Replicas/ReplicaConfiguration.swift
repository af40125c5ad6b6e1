// The configuration and the condition of read replicas.

/// The streaming standbys that take reads from the primary.
package struct ReplicaConfiguration: Sendable {
    /// A libpq connection string or URI per replica. A string with several hosts is one replica.
    package var urls: [String]
    /// A replica that is further behind is not used.
    package var lagLimit: Duration = .seconds(5)
    /// How long a read waits for a replica before it goes to the primary.
    package var readTimeout: Duration = .milliseconds(250)

    /// Makes a configuration with the default limits.
    package init(urls: [String] = []) { self.urls = urls }
}

/// The condition of one replica.
package enum ReplicaCondition: Sendable, Hashable, CustomStringConvertible {
    /// It is in use, and may lack the writes of the last seconds.
    case inUse(secondsBehind: Int)
    /// It is too far behind to be used. The lag is nil if it exceeds the recorded history of the primary.
    case behind(seconds: Int?)
    /// It can't be reached. The text is for the log and not for guests.
    case unreachable(String)

    /// Whether reads go to the replica.
    package var isInUse: Bool { if case .inUse = self { true } else { false } }

    /// How far it is behind, if that is known.
    package var secondsBehind: Int? {
        switch self {
        case .inUse(let seconds): seconds
        case .behind(let seconds): seconds
        case .unreachable: nil
        }
    }

    /// A description without any text from the replica.
    package var description: String {
        switch self {
        case .inUse(let seconds): "\(seconds) s behind"
        case .behind(let seconds?): "\(seconds) s behind, and not read"
        case .behind(nil): "far behind, and not read"
        case .unreachable: "doesn't answer"
        }
    }
}
