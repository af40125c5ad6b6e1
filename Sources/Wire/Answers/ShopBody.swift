// Who guests order from. Made by Web from Ordering's menu, read by StorefrontClient.

/// `GET /v1/shop`: the shop in its own words, as plain text, and what its prices and times are in.
public struct ShopBody: Hashable, Sendable, Decodable, JSONObject {
    /// What it is called.
    public let name: String
    /// Where it is, in one line; null where staff have written nothing, as for the three after it.
    public let address: String?
    /// As guests dial it.
    public let phone: String?
    /// Who answers for it, as the law asks of it.
    public let imprint: String?
    /// What it does with what guests tell it.
    public let privacy: String?
    /// ISO 4217.
    public let currency: String
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// IANA, such as `Europe/Berlin`: by its clocks the shop opens.
    public let timeZone: String
    /// BCP 47: what its menu can be read in, its own first.
    public let languages: [String]
    /// What the texts are in that are not in the answer's Content-Language; null where all are.
    public let textLanguages: ShopTextLanguagesBody?

    package init(
        name: String, address: String?, phone: String?, imprint: String?, privacy: String?, currency: String, currencyExponent: Int,
        timeZone: String, languages: [String], textLanguages: ShopTextLanguagesBody? = nil
    ) {
        (self.name, self.address, self.phone, self.imprint, self.privacy) = (name, address, phone, imprint, privacy)
        (self.currency, self.currencyExponent, self.timeZone, self.languages) = (currency, currencyExponent, timeZone, languages)
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

/// Tags of languages (RFC 5646) by the member whose text they are of; left out for a text that is in the answer's
/// Content-Language.
public struct ShopTextLanguagesBody: Hashable, Sendable, Decodable, JSONObject {
    /// Of `imprint`.
    public let imprint: String?
    /// Of `privacy`.
    public let privacy: String?

    package init(imprint: String? = nil, privacy: String? = nil) { (self.imprint, self.privacy) = (imprint, privacy) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("imprint", imprint)
        writer.fieldIfPresent("privacy", privacy)
    }
}
