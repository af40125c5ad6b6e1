// The sizes of a menu item's photograph.

/// A photograph. Each size shows the whole picture.
public struct PhotographBody: Hashable, Sendable, Decodable, JSONObject {
    /// The sizes, the narrowest first; at least one.
    public let sizes: [PhotographSizeBody]

    package init(sizes: [PhotographSizeBody]) { self.sizes = sizes }

    package func writeFields(to writer: inout JSONWriter) { writer.field("sizes", sizes) }
}

/// One size of a photograph.
public struct PhotographSizeBody: Hashable, Sendable, Decodable, JSONObject {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels; all sizes are 4:3.
    public let height: Int
    /// A path on this server. Its content never changes: WebP if the client accepts it, else JPEG.
    public let url: String

    package init(width: Int, height: Int, url: String) { (self.width, self.height, self.url) = (width, height, url) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("width", width)
        writer.field("height", height)
        writer.field("url", url)
    }
}
