// Reads resource files that ship with the program.
import Foundation

/// Reads resource files that ship with the program.
package enum ShippedFile {
    /// A required file is missing or invalid.
    package struct Missing: Error, CustomStringConvertible {
        let path: String
        let reason: String

        package init(path: String, reason: String = "the file is missing or not readable") {
            (self.path, self.reason) = (path, reason)
        }

        package var description: String {
            "Cannot serve \(path): \(reason). Build again, or put the build's *.resources next to the program."
        }
    }

    package static func bytes(of path: String) throws(Missing) -> [UInt8] {
        do { return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) } catch { throw Missing(path: path) }
    }
}
