// Who guests order from, in the shop's own words. Menu holds it; Web shows it at GET /v1/shop and on receipts.

/// The shop as it presents itself; plain text, nil where staff have written nothing.
package struct ShopAbout: Sendable, Hashable {
    package let name: String
    package let address, phone, imprint: String?
    /// What the shop does with what guests tell it.
    package let privacy: String?
    /// What the tax office knows it by.
    package let taxNumber: String?

    package init(
        name: String = "", address: String? = nil, phone: String? = nil, imprint: String? = nil, privacy: String? = nil,
        taxNumber: String? = nil
    ) {
        (self.name, self.address, self.phone, self.imprint, self.privacy) = (name, address, phone, imprint, privacy)
        self.taxNumber = taxNumber
    }

    /// The same with texts as staff have translated them.
    func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> ShopAbout {
        func description(_ one: ShopText) -> String? { text(.shopTexts, one.rawValue).description }
        return ShopAbout(
            name: name, address: address, phone: phone, imprint: description(.imprint) ?? imprint,
            privacy: description(.privacy) ?? privacy, taxNumber: taxNumber)
    }
}
