// What the server answers from files that lie beside the program. Read by the executable while the database is asked, and by the tests'
// server. Read next: ShopApplication.swift.

/// The pages, the pictures and the description, compressed and ready: a hundred files.
package struct ShippedFiles: Sendable {
    let pages: StorefrontPage
    let pictures: Pictures
    let description: OpenAPIRoutes

    /// Reads them all; throws if one is missing.
    /// - Parameter pictures: Those that ship with the menu, by their files' names.
    package init(pictures: [String: [UInt8]]) throws(ShippedFile.Missing) {
        pages = try StorefrontPage()
        self.pictures = Pictures(pictures)
        description = try OpenAPIRoutes()
    }
}
