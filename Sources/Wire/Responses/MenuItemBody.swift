// Menu items, categories and public coupons. Amounts are minor units of the currency beside them.

/// A menu item of any kind.
public struct MenuItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the menu item. It starts with the three digits of its category.
    public let id: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// The number of the category.
    public let category: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// Up to 1000 characters without markup, in the language of the response.
    public let description: String
    /// A path on this server or a URL; empty if there is no picture.
    public let imageURL: String
    /// The price before any sale, minor units.
    public let price: Int64
    /// 1…99 on discount and special items.
    public let salePercent: Int?
    /// The current price, minor units.
    public let currentPrice: Int64
    /// ISO 4217, e.g. `USD`.
    public let currency: String
    /// Words that describe the item.
    public let tags: [String]
    /// False while it is sold out or not served.
    public let isAvailable: Bool
    /// The sales group of a special item.
    public let salesGroupId: Int64?
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// Why it is unavailable; null while it is available.
    public let unavailable: UnavailableBody?
    /// Whether the item has options. `GET /v1/menu/{id}` returns them.
    public let hasOptions: Bool
    /// Whether the guest must select an option, because the defaults alone are rejected.
    public let needsChoice: Bool
    /// The units that are left; null if they are not counted.
    public let left: Int64?
    /// The names of the allergens in the item without options.
    public let contains: [String]
    /// The allergens that it may contain as traces.
    public let mayContain: [String]
    /// Whether `contains` and `mayContain` are complete; if false, there may be more allergens.
    public let allergensAreKnown: Bool
    /// The diets that it suits, such as `vegan`.
    public let diets: [String]
    /// The minimum age of the buyer; null: none.
    public let minimumAge: Int?
    /// The nutrition of one portion without options; null if it is unknown.
    public let nutrition: NutritionBody?
    /// The option groups in the order that staff chose; only in the response of `GET /v1/menu/{id}`.
    public let optionGroups: [OptionGroupBody]?
    /// A photograph, to be shown instead of `imageURL`; null: none.
    public let photograph: PhotographBody?
    /// The languages of its own texts that differ from the response's language; left out if empty.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, kind: String, category: Int64, title: String, description: String, imageURL: String, price: Int64,
        salePercent: Int? = nil, currentPrice: Int64, currency: String, tags: [String], isAvailable: Bool,
        salesGroupId: Int64? = nil,
        currencyExponent: Int, unavailable: UnavailableBody? = nil, hasOptions: Bool = false, needsChoice: Bool = false,
        left: Int64? = nil,
        contains: [String] = [], mayContain: [String] = [], allergensAreKnown: Bool = false, diets: [String] = [],
        minimumAge: Int? = nil,
        nutrition: NutritionBody? = nil, optionGroups: [OptionGroupBody]? = nil, photograph: PhotographBody? = nil,
        languages: TextLanguagesBody? = nil
    ) {
        (self.id, self.kind, self.category, self.title) = (id, kind, category, title)
        (self.description, self.imageURL, self.price, self.salePercent) = (description, imageURL, price, salePercent)
        (self.currentPrice, self.currency, self.tags, self.isAvailable) = (currentPrice, currency, tags, isAvailable)
        (self.salesGroupId, self.currencyExponent, self.unavailable) = (salesGroupId, currencyExponent, unavailable)
        (self.hasOptions, self.needsChoice, self.left) = (hasOptions, needsChoice, left)
        (self.contains, self.mayContain, self.allergensAreKnown) = (contains, mayContain, allergensAreKnown)
        (self.diets, self.minimumAge, self.nutrition, self.optionGroups) = (diets, minimumAge, nutrition, optionGroups)
        (self.photograph, self.languages) = (photograph, languages)
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
        writer.field("hasOptions", hasOptions)
        writer.field("needsChoice", needsChoice)
        writer.field("left", left)
        writer.field("contains", contains)
        writer.field("mayContain", mayContain)
        writer.field("allergensAreKnown", allergensAreKnown)
        writer.field("diets", diets)
        writer.field("minimumAge", minimumAge)
        writer.field("nutrition", nutrition)
        writer.fieldIfPresent("optionGroups", optionGroups)
        writer.field("photograph", photograph)
        writer.fieldIfPresent("languages", languages)
    }
}

/// One category of the menu.
public struct CategoryBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the category, three digits.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// A path on this server or a URL; empty if there is no picture.
    public let imageURL: String
    /// The languages of its own texts that differ from the response's language; left out if empty.
    public let languages: TextLanguagesBody?

    package init(id: Int64, title: String, imageURL: String, languages: TextLanguagesBody? = nil) {
        (self.id, self.title, self.imageURL, self.languages) = (id, title, imageURL, languages)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
        writer.field("imageURL", imageURL)
        writer.fieldIfPresent("languages", languages)
    }
}

/// A coupon that staff list publicly.
public struct CouponBody: Hashable, Sendable, Decodable, JSONObject {
    /// The code that the guest enters at the checkout.
    public let key: String
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// Plain text: the reduction and its conditions.
    public let description: String
    /// The start of its validity, RFC 3339; null: it has started.
    public let startsAt: String?
    /// The end of its validity, exclusive, RFC 3339; null: no end.
    public let endsAt: String?
    /// The minimum subtotal, minor units; null: none.
    public let minimumSubtotal: Int64?
    /// ISO 4217.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The languages of its own texts that differ from the response's language; left out if empty.
    public let languages: TextLanguagesBody?

    package init(
        key: String, title: String, description: String, startsAt: String? = nil, endsAt: String? = nil,
        minimumSubtotal: Int64? = nil,
        currency: String, currencyExponent: Int, languages: TextLanguagesBody? = nil
    ) {
        (self.key, self.title, self.description) = (key, title, description)
        (self.startsAt, self.endsAt, self.minimumSubtotal) = (startsAt, endsAt, minimumSubtotal)
        (self.currency, self.currencyExponent, self.languages) = (currency, currencyExponent, languages)
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
        writer.fieldIfPresent("languages", languages)
    }
}
