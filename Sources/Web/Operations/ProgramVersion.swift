// Identifies the program on the command line and in GET /livez. Sources/Origin determines the commit at build time.

/// The version, and the commit that it was built from.
package struct ProgramVersion: Sendable, Hashable, CustomStringConvertible {
    /// Increases with each release.
    package let number = "1.0.0"
    /// The complete commit id; nil if the program was built without git.
    package let commit: String?
    /// Whether the build contained uncommitted changes.
    package let hasUncommittedChanges: Bool

    package init(commit: String? = nil, hasUncommittedChanges: Bool = false) {
        (self.commit, self.hasUncommittedChanges) = (commit, hasUncommittedChanges)
    }

    /// The version and commit as text.
    package var description: String {
        guard let commit else { return "welms \(number), commit unknown: built without git" }
        return "welms \(number), commit \(commit)" + (hasUncommittedChanges ? " and uncommitted changes" : "")
    }
}
