// What the server answers from files that lie beside the program. Read by the executable while the database is asked, and by the tests'
// server. Read next: ShopApplication.swift.
import Database

/// The pages, the pictures and the description, compressed and ready: a hundred files.
package struct ShippedFiles: Sendable {
    let pages: StorefrontPage
    let pictures: Pictures
    let description: OpenAPIRoutes

    /// Reads them all; throws if one is missing.
    package init(for configuration: WebConfiguration) throws(Resources.Missing) {
        pages = try StorefrontPage(hasStaffToken: configuration.staffToken != nil)
        pictures = try Pictures()
        description = try OpenAPIRoutes()
    }
}
