// A file of this room that ships beside the program. Read by StorefrontPage and OpenAPIDocument when the server starts.
import Foundation

/// Reads such files.
package enum ShippedFile {
    /// What should be there is not.
    package struct Missing: Error, CustomStringConvertible {
        let path: String
        var reason = "it is not there or not readable"

        package var description: String {
            "\(path) can't be sent, \(reason): build again, or put the build's *.resources beside the program"
        }
    }

    static func bytes(of path: String) throws(Missing) -> [UInt8] {
        do { return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) } catch { throw Missing(path: path) }
    }
}
