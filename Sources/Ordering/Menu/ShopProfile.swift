// The shop's name, address and texts, shown at GET /v1/shop and on receipts.

/// How the shop presents itself: plain text, nil if staff have written nothing.
package struct ShopProfile: Sendable, Hashable {
    package let name: String
    package let address, phone, imprint: String?
    /// How the shop uses the guests' data.
    package let privacy: String?
    /// The shop's number at the tax office.
    package let taxNumber: String?

    package init(
        name: String = "", address: String? = nil, phone: String? = nil, imprint: String? = nil, privacy: String? = nil,
        taxNumber: String? = nil
    ) {
        (self.name, self.address, self.phone, self.imprint, self.privacy) = (name, address, phone, imprint, privacy)
        self.taxNumber = taxNumber
    }

    /// The profile with translated texts.
    func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> ShopProfile {
        func description(_ shopText: ShopText) -> String? { text(.shopTexts, shopText.rawValue).description }
        return ShopProfile(
            name: name, address: address, phone: phone, imprint: description(.imprint) ?? imprint,
            privacy: description(.privacy) ?? privacy, taxNumber: taxNumber)
    }
}
