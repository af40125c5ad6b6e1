// The menu on the wire: items, categories, sales, coupons that staff list, and a page of any of them.
// Web makes them from Ordering's menu, StorefrontClient reads them. Money is minor units beside one currency.

/// One menu item, of any kind.
public struct MenuItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The item's number; it starts with its category's three digits.
    public let id: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// The category's number.
    public let category: Int64
    /// Plain text.
    public let title: String
    /// Plain text.
    public let description: String
    /// A path on this server or a URL; empty where there is no picture.
    public let imageURL: String
    /// The price before any sale, minor units.
    public let price: Int64
    /// 1…99 on discount and special items.
    public let salePercent: Int?
    /// What it costs now, minor units.
    public let currentPrice: Int64
    /// ISO 4217, e.g. `USD`.
    public let currency: String
    /// Plain words.
    public let tags: [String]
    /// False while it is sold out.
    public let isAvailable: Bool
    /// The sale a special item belongs to.
    public let salesGroupId: Int64?
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// Why it can't be had; null where it can.
    public let unavailable: UnavailableBody?

    package init(
        id: Int64, kind: String, category: Int64, title: String, description: String, imageURL: String, price: Int64,
        salePercent: Int? = nil, currentPrice: Int64, currency: String, tags: [String], isAvailable: Bool, salesGroupId: Int64? = nil,
        currencyExponent: Int, unavailable: UnavailableBody? = nil
    ) {
        (self.id, self.kind, self.category, self.title) = (id, kind, category, title)
        (self.description, self.imageURL, self.price, self.salePercent) = (description, imageURL, price, salePercent)
        (self.currentPrice, self.currency, self.tags, self.isAvailable) = (currentPrice, currency, tags, isAvailable)
        (self.salesGroupId, self.currencyExponent, self.unavailable) = (salesGroupId, currencyExponent, unavailable)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("kind", kind)
        writer.field("category", category)
        writer.field("title", title)
        writer.field("description", description)
        writer.field("imageURL", imageURL)
        writer.field("price", price)
        writer.field("salePercent", salePercent)
        writer.field("currentPrice", currentPrice)
        writer.field("currency", currency)
        writer.field("tags", tags)
        writer.field("isAvailable", isAvailable)
        writer.field("salesGroupId", salesGroupId)
        writer.field("currencyExponent", currencyExponent)
        writer.field("unavailable", unavailable)
    }
}

/// One category of the menu.
public struct CategoryBody: Hashable, Sendable, Decodable, JSONObject {
    /// The category's number, three digits.
    public let id: Int64
    /// Plain text.
    public let title: String
    /// A path on this server or a URL; empty where there is no picture.
    public let imageURL: String

    package init(id: Int64, title: String, imageURL: String) { (self.id, self.title, self.imageURL) = (id, title, imageURL) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
        writer.field("imageURL", imageURL)
    }
}

/// One sales group: only text, or a set of items that go into the basket together.
public struct SaleBody: Hashable, Sendable, Decodable, JSONObject {
    /// The sale's number.
    public let id: Int64
    /// `set` or `information`.
    public let kind: String
    /// Plain text.
    public let title: String
    /// Plain text, short.
    public let headline: String
    /// Plain text.
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

    package init(
        id: Int64, kind: String, title: String, headline: String, description: String, previewImageURL: String, backgroundImageURL: String,
        items: [SaleItemBody], total: Int64, currency: String, currencyExponent: Int
    ) {
        (self.id, self.kind, self.title) = (id, kind, title)
        (self.headline, self.description, self.previewImageURL) = (headline, description, previewImageURL)
        (self.backgroundImageURL, self.items, self.total) = (backgroundImageURL, items, total)
        (self.currency, self.currencyExponent) = (currency, currencyExponent)
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

/// A coupon that staff list publicly.
public struct CouponBody: Hashable, Sendable, Decodable, JSONObject {
    /// The word to type at checkout.
    public let key: String
    /// Plain text.
    public let title: String
    /// Plain text, what it gives and when.
    public let description: String
    /// From when on it can be used, RFC 3339; null: already.
    public let startsAt: String?
    /// Until when, exclusive; null: for good.
    public let endsAt: String?
    /// The lowest subtotal it can be used with, minor units; null: any.
    public let minimumSubtotal: Int64?
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int

    package init(
        key: String, title: String, description: String, startsAt: String? = nil, endsAt: String? = nil, minimumSubtotal: Int64? = nil,
        currency: String, currencyExponent: Int
    ) {
        (self.key, self.title, self.description) = (key, title, description)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
        (self.currency, self.currencyExponent) = (currency, currencyExponent)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("key", key)
        writer.field("title", title)
        writer.field("description", description)
        writer.field("startsAt", startsAt)
        writer.field("endsAt", endsAt)
        writer.field("minimumSubtotal", minimumSubtotal)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
    }
}
