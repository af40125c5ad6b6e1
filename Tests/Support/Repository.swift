// The files of this repository, for tests that hold what is written about the code against the code.
import Foundation

/// The repository that the tests were built from.
package enum Repository {
    /// Its directory, without a slash at the end.
    package static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL.path

    /// A file's text.
    package static func text(of file: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }

    /// Whether there is such a file or folder.
    package static func holds(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(file)")
    }
}
