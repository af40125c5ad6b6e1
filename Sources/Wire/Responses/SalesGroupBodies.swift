// The sales groups with the items of their sets.

/// A sales group: information only, or a set of items that are added to the basket together.
public struct SalesGroupBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the sales group.
    public let id: Int64
    /// `set` or `information`.
    public let kind: String
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// A short plain text.
    public let headline: String
    /// Up to 2000 characters without markup, in the language of the response.
    public let description: String
    /// The small picture; empty: none.
    public let previewImageURL: String
    /// The large picture; empty: none.
    public let backgroundImageURL: String
    /// The items of a set; empty for information.
    public let items: [SalesGroupItemBody]
    /// The current price of a set, minor units; 0 for information.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The languages of its own texts that differ from the response's language; left out if empty.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, kind: String, title: String, headline: String, description: String, previewImageURL: String,
        backgroundImageURL: String,
        items: [SalesGroupItemBody], total: Int64, currency: String, currencyExponent: Int,
        languages: TextLanguagesBody? = nil
    ) {
        (self.id, self.kind, self.title) = (id, kind, title)
        (self.headline, self.description, self.previewImageURL) = (headline, description, previewImageURL)
        (self.backgroundImageURL, self.items, self.total) = (backgroundImageURL, items, total)
        (self.currency, self.currencyExponent, self.languages) = (currency, currencyExponent, languages)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("kind", kind)
        writer.field("title", title)
        writer.field("headline", headline)
        writer.field("description", description)
        writer.field("previewImageURL", previewImageURL)
        writer.field("backgroundImageURL", backgroundImageURL)
        writer.field("items", items)
        writer.field("total", total)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
        writer.fieldIfPresent("languages", languages)
    }
}

/// A menu item of a set, with its quantity.
public struct SalesGroupItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The menu item.
    public let menuItem: MenuItemBody
    /// The quantity, at least 1.
    public let quantity: Int

    package init(menuItem: MenuItemBody, quantity: Int) { (self.menuItem, self.quantity) = (menuItem, quantity) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("menuItem", menuItem)
        writer.field("quantity", quantity)
    }
}
