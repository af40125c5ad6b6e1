// The files of this repository, for tests that hold what is written about the code against the code.
import Foundation

/// The repository that the tests were built from.
public enum Repository {
    /// Its directory, without a slash at the end.
    public static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL.path

    /// A file's text.
    public static func text(of file: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }

    /// Whether there is such a file or folder.
    public static func holds(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(file)")
    }
}
