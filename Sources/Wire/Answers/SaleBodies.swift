// The sales on the wire, with the items of their sets. Made by Web from Ordering's menu, read by StorefrontClient.
// Read next: MenuBodies.swift.

/// One sales group: only text, or a set of items that go into the basket together.
public struct SaleBody: Hashable, Sendable, Decodable, JSONObject {
    /// The sale's number.
    public let id: Int64
    /// `set` or `information`.
    public let kind: String
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// Plain text, short.
    public let headline: String
    /// Up to 2000 characters without markup, in the language of the answer.
    public let description: String
    /// The small picture; empty where there is none.
    public let previewImageURL: String
    /// The large picture; empty where there is none.
    public let backgroundImageURL: String
    /// What is in the set; empty for information.
    public let items: [SaleItemBody]
    /// What the set costs now, minor units; 0 for information.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// What its own texts are in, where that is another language than the answer's; nil where none is.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, kind: String, title: String, headline: String, description: String, previewImageURL: String, backgroundImageURL: String,
        items: [SaleItemBody], total: Int64, currency: String, currencyExponent: Int, languages: TextLanguagesBody? = nil
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

/// A menu item in a set, and how many of it.
public struct SaleItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The item as the menu shows it.
    public let menuItem: MenuItemBody
    /// At least 1.
    public let quantity: Int

    package init(menuItem: MenuItemBody, quantity: Int) { (self.menuItem, self.quantity) = (menuItem, quantity) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("menuItem", menuItem)
        writer.field("quantity", quantity)
    }
}
