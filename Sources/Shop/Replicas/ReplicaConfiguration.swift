// Which replicas there are and when one is too far behind. Made by the executable from --replica-url; used by ReadReplicas.

/// The streaming standbys that take reads from the primary.
package struct ReplicaConfiguration: Sendable {
    /// A libpq connection string or URI for each; one with several hosts is one replica, wherever it is at the time.
    package var urls: [String]
    /// A replica that is further behind is not read.
    package var lagLimit: Duration = .seconds(5)
    /// How long a read waits for a replica before it asks the primary.
    package var patience: Duration = .milliseconds(250)

    package init(urls: [String] = []) { self.urls = urls }
}

package enum ReplicaCondition: Sendable, Hashable, CustomStringConvertible {
    /// It is read, and lacks what the primary wrote in the last so many seconds.
    case inUse(secondsBehind: Int)
    /// It is so far behind that it isn't read; nil: further than is known.
    case behind(seconds: Int?)
    /// It doesn't answer. The text may go to the log and not to a guest.
    case away(String)

    package var isInUse: Bool { if case .inUse = self { true } else { false } }

    /// What it lacks, where that is known.
    package var secondsBehind: Int? {
        switch self {
        case .inUse(let seconds): seconds
        case .behind(let seconds): seconds
        case .away: nil
        }
    }

    /// In words, without what the replica said itself.
    package var description: String {
        switch self {
        case .inUse(let seconds): "\(seconds) s behind"
        case .behind(let seconds?): "\(seconds) s behind, and not read"
        case .behind(nil): "far behind, and not read"
        case .away: "doesn't answer"
        }
    }
}
