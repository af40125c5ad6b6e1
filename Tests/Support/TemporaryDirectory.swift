// Temporary directories for tests.
import FoundationEssentials

/// Directories for tests.
package enum TemporaryDirectory {
    /// Creates an empty directory of mode 0700 with a unique name.
    package static func make() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "welms-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return path
    }

    /// Creates a directory for `body` and removes it afterwards, even if `body` throws.
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
