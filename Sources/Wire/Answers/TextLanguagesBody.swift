// What a thing's texts are in where nobody has translated them. Part of the bodies of the menu; made by Web, read by StorefrontClient.
// Read next: MenuBodies.swift.

/// Tags of languages (RFC 5646) by the member whose text they are of; null for a text that is in the answer's Content-Language.
public struct TextLanguagesBody: Hashable, Sendable, Decodable, JSONObject {
    /// Of `title`.
    public let title: String?
    /// Of `headline`, which sales have.
    public let headline: String?
    /// Of `description`.
    public let description: String?

    package init(title: String? = nil, headline: String? = nil, description: String? = nil) {
        (self.title, self.headline, self.description) = (title, headline, description)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("title", title)
        writer.fieldIfPresent("headline", headline)
        writer.fieldIfPresent("description", description)
    }
}
