// Which program this is. The program says it at its command line, and GET /livez to whoever asks a server.
// The commit is found by Sources/Origin when the program is built.

/// The version, and the commit that it was built from.
package struct ProgramVersion: Sendable, Hashable, CustomStringConvertible {
    /// Goes up with each release.
    package let number = "0.1.0"
    /// The whole id; nil: it was built where git tells of none.
    package let commit: String?
    /// Whether it was built of what that commit does not have.
    package let isChanged: Bool

    package init(commit: String? = nil, isChanged: Bool = false) { (self.commit, self.isChanged) = (commit, isChanged) }

    /// As one reads it.
    package var description: String {
        guard let commit else { return "welms \(number), of no known commit: it was built without git" }
        return "welms \(number), commit \(commit)" + (isChanged ? " and changes that are in no commit" : "")
    }
}
