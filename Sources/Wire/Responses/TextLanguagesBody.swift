// The languages of texts that have no translation into the response's language.

/// Language tags (RFC 5646) by member. A text in the response's Content-Language has none.
public struct TextLanguagesBody: Hashable, Sendable, Decodable, JSONObject {
    /// The language of `title`.
    public let title: String?
    /// The language of `headline`, which only sales groups have.
    public let headline: String?
    /// The language of `description`.
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
