// A photograph of a dish: which sizes there are of it, and what it is called. Its bytes lie in the database, and no menu holds them.
// Made by the Photographs room from what staff give; shown by the menu's items.

/// What a browser may take a photograph as.
package enum PhotographFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case webp
}

/// A photograph that is there.
package struct Photograph: Sendable, Hashable {
    /// The SHA-256 of its files, in hex: another picture has another one.
    package let digest: String
    /// In pixels, the narrowest first.
    package let widths: [Int]

    package init(digest: String, widths: [Int]) { (self.digest, self.widths) = (digest, widths) }

    /// How high it is at this width: the shape of a card's picture, 4:3.
    package static func height(at width: Int) -> Int { (width * 3 + 2) / 4 }
}

/// A photograph with its files, on its way into the database.
package struct DevelopedPhotograph: Sendable {
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
