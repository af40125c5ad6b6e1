// The files that ship with the program: sql/, seed/ and the pictures in it. Used by Migration, SeedFile and the web's pictures.
import Foundation

/// Reads the folders of the repository that travel with the program as its resources.
public enum Resources {
    /// A file's name and bytes.
    public struct File: Sendable {
        /// Such as `001_menu.sql`.
        public let name: String
        /// Its content.
        public let bytes: [UInt8]
    }

    /// A folder that should be there is not.
    public struct Missing: Error, CustomStringConvertible {
        /// Which folder, and what to do.
        public let description: String

        /// With this description.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// The files of a folder whose names end in `ending`, by name.
    public static func files(in folder: String, ending: String) throws(Missing) -> [File] {
        let path = Bundle.module.bundlePath + "/" + folder
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(ending) }.sorted().map {
                File(name: $0, bytes: try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/" + $0))))
            }
        } catch {
            throw Missing(
                "\(path) is not there or not readable: build again, or put welms_Database.resources beside the program")
        }
    }
}
