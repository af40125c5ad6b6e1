// The menu on the wire: items, categories and coupons that staff list. Web makes them from Ordering's menu, StorefrontClient reads them. Money is
// minor units beside one currency. Read next: OptionBodies.swift, SaleBodies.swift.

/// One menu item, of any kind.
public struct MenuItemBody: Hashable, Sendable, Decodable, JSONObject {
    /// The item's number; it starts with its category's three digits.
    public let id: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// The category's number.
    public let category: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// Up to 1000 characters without markup, in the language of the answer.
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
    /// Whether there is anything to choose with it; what, says the item itself.
    public let hasOptions: Bool
    /// Whether something must be chosen, for as it comes it would be refused.
    public let needsChoice: Bool
    /// How many there are; null where nobody counts.
    public let left: Int64?
    /// The allergens in it without any options, by name.
    public let contains: [String]
    /// Those that may have got into it.
    public let mayContain: [String]
    /// Whether what is named is all there is; if not, there may be more.
    public let allergensAreKnown: Bool
    /// What it is right for, such as `vegan`.
    public let diets: [String]
    /// How old one has to be for it; null where anybody may have it.
    public let minimumAge: Int?
    /// Of one portion without any options; null where nothing is known.
    public let nutrition: NutritionBody?
    /// What can be chosen with it, in staff's order; only where the item itself was asked for.
    public let optionGroups: [OptionGroupBody]?
    /// A photograph of it, to be shown in the place of `imageURL`; null where there is none.
    public let photograph: PhotographBody?
    /// What its own texts are in, where that is another language than the answer's; nil where none is.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, kind: String, category: Int64, title: String, description: String, imageURL: String, price: Int64,
        salePercent: Int? = nil, currentPrice: Int64, currency: String, tags: [String], isAvailable: Bool, salesGroupId: Int64? = nil,
        currencyExponent: Int, unavailable: UnavailableBody? = nil, hasOptions: Bool = false, needsChoice: Bool = false, left: Int64? = nil,
        contains: [String] = [], mayContain: [String] = [], allergensAreKnown: Bool = false, diets: [String] = [], minimumAge: Int? = nil,
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
    /// The category's number, three digits.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// A path on this server or a URL; empty where there is no picture.
    public let imageURL: String
    /// What its own texts are in, where that is another language than the answer's; nil where none is.
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
    /// The word to type at checkout.
    public let key: String
    /// Up to 100 characters without markup, in the language of the answer.
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
    /// What its own texts are in, where that is another language than the answer's; nil where none is.
    public let languages: TextLanguagesBody?

    package init(
        key: String, title: String, description: String, startsAt: String? = nil, endsAt: String? = nil, minimumSubtotal: Int64? = nil,
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
