// A photograph of a menu item on the wire: the sizes that there are. Made by Web, read by StorefrontClient.
// Read next: MenuBodies.swift.

/// A photograph; each of its sizes is the whole picture.
public struct PhotographBody: Hashable, Sendable, Decodable, JSONObject {
    /// The narrowest first; one at least.
    public let sizes: [PhotographSizeBody]

    package init(sizes: [PhotographSizeBody]) { self.sizes = sizes }

    package func writeFields(to writer: inout JSONWriter) { writer.field("sizes", sizes) }
}

/// One size of a photograph.
public struct PhotographSizeBody: Hashable, Sendable, Decodable, JSONObject {
    /// In pixels.
    public let width: Int
    /// In pixels; all sizes are 4:3.
    public let height: Int
    /// A path on this server. What lies there never changes: WebP for who accepts it, else JPEG.
    public let url: String

    package init(width: Int, height: Int, url: String) { (self.width, self.height, self.url) = (width, height, url) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("width", width)
        writer.field("height", height)
        writer.field("url", url)
    }
}
