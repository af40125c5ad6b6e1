// The files of this repository, for tests that compare the documentation with the code.
import Foundation

/// The repository that the tests were built from.
package enum Repository {
    /// The repository's directory, without a slash at the end.
    package static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL.path

    /// Returns the text of a file.
    package static func text(of file: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }

    /// Whether this file or folder exists.
    package static func contains(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(file)")
    }
}
