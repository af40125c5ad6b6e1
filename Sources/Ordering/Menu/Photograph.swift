// A photograph of a dish. The database stores the files; the menu only knows digest and widths.

/// The formats in which browsers can load a photograph.
package enum PhotographFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case webp
}

/// A stored photograph.
package struct Photograph: Sendable, Hashable {
    /// The SHA-256 of its files in hex; changes with the picture.
    package let digest: String
    /// In pixels, narrowest first.
    package let widths: [Int]

    package init(digest: String, widths: [Int]) { (self.digest, self.widths) = (digest, widths) }

    /// The height at this width: 4:3, the shape of the picture on a menu item.
    package static func height(at width: Int) -> Int { (width * 3 + 2) / 4 }
}

/// A processed photograph with its files, ready to be stored.
package struct ProcessedPhotograph: Sendable {
    package struct File: Sendable {
        package let width: Int
        package let format: PhotographFormat
        package let bytes: [UInt8]

        package init(width: Int, format: PhotographFormat, bytes: [UInt8]) {
            (self.width, self.format, self.bytes) = (width, format, bytes)
        }
    }

    package let digest: String
    package let files: [File]

    package init(digest: String, files: [File]) { (self.digest, self.files) = (digest, files) }
}
