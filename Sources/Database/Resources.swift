// The files that ship with the program: sql/, seed/ and its pictures.
import Foundation

/// Reads the resource folders of the program.
package enum Resources {
    package struct File: Sendable {
        /// Such as `001_menu.sql`.
        package let name: String
        package let bytes: [UInt8]
    }

    /// A resource is missing.
    package struct Missing: Error, CustomStringConvertible {
        /// The missing path, and what to do.
        package let description: String

        package init(path: String) {
            description =
                "\(path) is missing or not readable: build again, or put the build's *.resources beside the program"
        }
    }

    /// The files of a folder with this suffix, sorted by name.
    package static func files(in folder: String, ending: String) throws(Missing) -> [File] {
        let path = Bundle.module.bundlePath + "/" + folder
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch { throw Missing(path: path) }
        return try names.filter { $0.hasSuffix(ending) }.sorted().map { name throws(Missing) in
            let file = URL(fileURLWithPath: path + "/" + name)
            do { return File(name: name, bytes: [UInt8](try Data(contentsOf: file))) } catch {
                throw Missing(path: file.path)
            }
        }
    }

    /// The pictures of the shipped menu, by file name.
    package static func pictures() throws(Missing) -> [String: [UInt8]] {
        Dictionary(
            try files(in: "seed/pictures", ending: ".svg").map { ($0.name, $0.bytes) },
            uniquingKeysWith: { first, _ in first })
    }
}
