// The files that ship with the program: sql/, seed/ and the pictures in it. Used by Migration and SeedFile; the executable gives the
// pictures to Web.
import Foundation

/// Reads the folders of the repository that travel with the program as its resources.
package enum Resources {
    package struct File: Sendable {
        /// Such as `001_menu.sql`.
        package let name: String
        package let bytes: [UInt8]
    }

    /// What should be there is not.
    package struct Missing: Error, CustomStringConvertible {
        /// Which path, and what to do.
        package let description: String

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
            let file = URL(fileURLWithPath: path + "/" + name)
            do { return File(name: name, bytes: [UInt8](try Data(contentsOf: file))) } catch { throw Missing(path: file.path) }
        }
    }

    /// The pictures that the shipped menu names, by their files' names.
    package static func pictures() throws(Missing) -> [String: [UInt8]] {
        Dictionary(try files(in: "seed/pictures", ending: ".svg").map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    }
}
