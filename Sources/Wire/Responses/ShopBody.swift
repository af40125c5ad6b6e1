// The shop that guests order from.

/// `GET /v1/shop`: the shop's texts, its currency, its time zone and its languages.
public struct ShopBody: Hashable, Sendable, Decodable, JSONObject {
    /// The name of the shop.
    public let name: String
    /// The address in one line; null if staff entered none.
    public let address: String?
    /// The phone number as guests dial it; null if staff entered none.
    public let phone: String?
    /// The legal imprint; null if staff entered none.
    public let imprint: String?
    /// The privacy policy; null if staff entered none.
    public let privacy: String?
    /// ISO 4217.
    public let currency: String
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The IANA time zone of the opening hours, such as `Europe/Berlin`.
    public let timeZone: String
    /// The languages of the menu as BCP 47 tags, the shop's own language first.
    public let languages: [String]
    /// The languages of the texts that differ from the response's Content-Language; left out if empty.
    public let textLanguages: ShopTextLanguagesBody?

    package init(
        name: String, address: String?, phone: String?, imprint: String?, privacy: String?, currency: String,
        currencyExponent: Int,
        timeZone: String, languages: [String], textLanguages: ShopTextLanguagesBody? = nil
    ) {
        (self.name, self.address, self.phone, self.imprint, self.privacy) = (name, address, phone, imprint, privacy)
        (self.currency, self.currencyExponent, self.timeZone, self.languages) = (
            currency, currencyExponent, timeZone, languages
        )
        self.textLanguages = textLanguages
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("name", name)
        writer.field("address", address)
        writer.field("phone", phone)
        writer.field("imprint", imprint)
        writer.field("privacy", privacy)
        writer.field("currency", currency)
        writer.field("currencyExponent", currencyExponent)
        writer.field("timeZone", timeZone)
        writer.field("languages", languages)
        writer.fieldIfPresent("textLanguages", textLanguages)
    }
}

/// Language tags (RFC 5646) by member. A text in the response's Content-Language has none.
public struct ShopTextLanguagesBody: Hashable, Sendable, Decodable, JSONObject {
    /// The language of `imprint`.
    public let imprint: String?
    /// The language of `privacy`.
    public let privacy: String?

    package init(imprint: String? = nil, privacy: String? = nil) { (self.imprint, self.privacy) = (imprint, privacy) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("imprint", imprint)
        writer.fieldIfPresent("privacy", privacy)
    }
}
