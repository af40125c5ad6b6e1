// The menu on the wire: items, categories, sales, coupons that staff list, and a page of any of them.
// Web makes them from Ordering's menu, StorefrontClient reads them. Money is minor units beside one currency.

/// One menu item, of any kind.
public struct MenuItemBody: Hashable, Sendable, Decodable, JSONWritable {
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
        id: Int64,
        kind: String,
        category: Int64,
        title: String,
        description: String,
        imageURL: String,
        price: Int64,
        salePercent: Int? = nil,
        currentPrice: Int64,
        currency: String,
        tags: [String],
        isAvailable: Bool,
        salesGroupId: Int64? = nil,
        currencyExponent: Int,
        unavailable: UnavailableBody? = nil
    ) {
        self.id = id
        self.kind = kind
        self.category = category
        self.title = title
        self.description = description
        self.imageURL = imageURL
        self.price = price
        self.salePercent = salePercent
        self.currentPrice = currentPrice
        self.currency = currency
        self.tags = tags
        self.isAvailable = isAvailable
        self.salesGroupId = salesGroupId
        self.currencyExponent = currencyExponent
        self.unavailable = unavailable
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("kind", kind)
            $0.field("category", category)
            $0.field("title", title)
            $0.field("description", description)
            $0.field("imageURL", imageURL)
            $0.field("price", price)
            $0.field("salePercent", salePercent)
            $0.field("currentPrice", currentPrice)
            $0.field("currency", currency)
            $0.field("tags", tags)
            $0.field("isAvailable", isAvailable)
            $0.field("salesGroupId", salesGroupId)
            $0.field("currencyExponent", currencyExponent)
            $0.field("unavailable", unavailable)
        }
    }
}

/// One category of the menu.
public struct CategoryBody: Hashable, Sendable, Decodable, JSONWritable {
    /// The category's number, three digits.
    public let id: Int64
    /// Plain text.
    public let title: String
    /// A path on this server or a URL; empty where there is no picture.
    public let imageURL: String

    package init(
        id: Int64,
        title: String,
        imageURL: String
    ) {
        self.id = id
        self.title = title
        self.imageURL = imageURL
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("title", title)
            $0.field("imageURL", imageURL)
        }
    }
}

/// One sales group: only text, or a set of items that go into the basket together.
public struct SaleBody: Hashable, Sendable, Decodable, JSONWritable {
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
        id: Int64,
        kind: String,
        title: String,
        headline: String,
        description: String,
        previewImageURL: String,
        backgroundImageURL: String,
        items: [SaleItemBody],
        total: Int64,
        currency: String,
        currencyExponent: Int
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.headline = headline
        self.description = description
        self.previewImageURL = previewImageURL
        self.backgroundImageURL = backgroundImageURL
        self.items = items
        self.total = total
        self.currency = currency
        self.currencyExponent = currencyExponent
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("kind", kind)
            $0.field("title", title)
            $0.field("headline", headline)
            $0.field("description", description)
            $0.field("previewImageURL", previewImageURL)
            $0.field("backgroundImageURL", backgroundImageURL)
            $0.field("items", items)
            $0.field("total", total)
            $0.field("currency", currency)
            $0.field("currencyExponent", currencyExponent)
        }
    }
}

/// A menu item in a set, and how many of it.
public struct SaleItemBody: Hashable, Sendable, Decodable, JSONWritable {
    /// The item as the menu shows it.
    public let menuItem: MenuItemBody
    /// At least 1.
    public let quantity: Int

    package init(
        menuItem: MenuItemBody,
        quantity: Int
    ) {
        self.menuItem = menuItem
        self.quantity = quantity
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("menuItem", menuItem)
            $0.field("quantity", quantity)
        }
    }
}

/// A coupon that staff list publicly.
public struct CouponBody: Hashable, Sendable, Decodable, JSONWritable {
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
        key: String,
        title: String,
        description: String,
        startsAt: String? = nil,
        endsAt: String? = nil,
        minimumSubtotal: Int64? = nil,
        currency: String,
        currencyExponent: Int
    ) {
        self.key = key
        self.title = title
        self.description = description
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.minimumSubtotal = minimumSubtotal
        self.currency = currency
        self.currencyExponent = currencyExponent
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("key", key)
            $0.field("title", title)
            $0.field("description", description)
            $0.field("startsAt", startsAt)
            $0.field("endsAt", endsAt)
            $0.field("minimumSubtotal", minimumSubtotal)
            $0.field("currency", currency)
            $0.field("currencyExponent", currencyExponent)
        }
    }
}
