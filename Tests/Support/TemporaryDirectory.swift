// A directory of a test's own under the system's temporary one.
// Used by TestCluster and by tests of whatever keeps files.
import FoundationEssentials

/// Directories for tests.
package enum TemporaryDirectory {
    /// Makes an empty directory of mode 0700 with a name that nobody else has.
    package static func make() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "welms-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return path
    }

    /// Makes one for `body` and removes it afterwards, whatever came of it.
    package static func with<T>(_ body: (String) async throws -> T) async throws -> T {
        let path = try make()
        do {
            let result = try await body(path)
            try FileManager.default.removeItem(atPath: path)
            return result
        } catch {
            try FileManager.default.removeItem(atPath: path)
            throw error
        }
    }
}
