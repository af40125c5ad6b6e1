// The files that ship with the program: sql/, seed/ and the pictures in it. Used by Migration, SeedFile and Web.
import Foundation

/// Reads the folders of the repository that travel with the program as its resources.
package enum Resources {
    /// A file's name and bytes.
    package struct File: Sendable {
        /// Such as `001_menu.sql`.
        package let name: String
        /// Its content.
        package let bytes: [UInt8]
    }

    /// What should be there is not.
    package struct Missing: Error, CustomStringConvertible {
        /// Which path, and what to do.
        package let description: String

        /// Of this path.
        package init(path: String) {
            description = "\(path) is not there or not readable: build again, or put the build's *.resources beside the program"
        }
    }

    /// The files of a folder whose names end in `ending`, by name.
    package static func files(in folder: String, ending: String) throws(Missing) -> [File] {
        let path = Bundle.module.bundlePath + "/" + folder
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch { throw Missing(path: path) }
        return try names.filter { $0.hasSuffix(ending) }.sorted().map { name throws(Missing) in
            File(name: name, bytes: try bytes(of: path + "/" + name))
        }
    }

    /// The content of a file that ships with the program, of whichever target.
    package static func bytes(of path: String) throws(Missing) -> [UInt8] {
        do { return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) } catch { throw Missing(path: path) }
    }
}
