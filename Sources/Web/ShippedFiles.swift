// Everything that the server serves from files next to the program.
import HTTPServing
import Pages

/// The pages, pictures and OpenAPI description, encoded and compressed: about a hundred files.
package struct ShippedFiles: Sendable {
    let pages: PageFiles
    let pictures: Pictures
    let description: OpenAPIRoutes

    /// Loads all files; throws if one is missing.
    /// - Parameter pictures: The pictures of the shipped menu, by file name.
    package init(pictures: [String: [UInt8]]) throws(ShippedFile.Missing) {
        pages = try PageFiles()
        self.pictures = Pictures(pictures)
        description = try OpenAPIRoutes()
    }
}
