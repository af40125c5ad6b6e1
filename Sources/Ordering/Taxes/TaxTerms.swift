// The tax rates of the shop, and their assignment to categories and fees.

/// A tax rate that staff defined.
package struct TaxRate: Sendable, Hashable {
    package let id: Int64
    /// For the guest, plain text.
    package let title: String
    package let percent: Rate

    package init(id: Int64, title: String, percent: Rate) { (self.id, self.title, self.percent) = (id, title, percent) }
}

/// The tax rate of a category.
package struct CategoryTax: Sendable, Hashable {
    package let category: CategoryID
    /// The fulfilment to which the rate applies; nil: both.
    package let fulfilment: Fulfilment?
    /// The id of the rate.
    package let rate: Int64

    package init(_ category: CategoryID, _ fulfilment: Fulfilment? = nil, rate: Int64) {
        (self.category, self.fulfilment, self.rate) = (category, fulfilment, rate)
    }
}

/// The tax settings of the shop.
package struct TaxTerms: Sendable, Hashable {
    private struct CategoryKey: Hashable {
        let category: CategoryID
        let fulfilment: Fulfilment?
    }

    /// By id.
    package let rates: [TaxRate]
    /// Whether prices include the tax; otherwise it is added to them.
    package let pricesIncludeTax: Bool
    /// The rate ids of the fees. A fee without a rate is taxed in proportion to the goods.
    package let deliveryRate, smallOrderRate, serviceRate: Int64?
    private let categories: [CategoryKey: Int64]

    /// The defaults are those of a shop without taxes.
    package init(
        rates: [TaxRate] = [], categories: [CategoryTax] = [], pricesIncludeTax: Bool = true,
        deliveryRate: Int64? = nil,
        smallOrderRate: Int64? = nil,
        serviceRate: Int64? = nil
    ) {
        self.rates = rates.sorted { $0.id < $1.id }
        self.pricesIncludeTax = pricesIncludeTax
        (self.deliveryRate, self.smallOrderRate, self.serviceRate) = (deliveryRate, smallOrderRate, serviceRate)
        self.categories = Dictionary(
            categories.map { (CategoryKey(category: $0.category, fulfilment: $0.fulfilment), $0.rate) },
            uniquingKeysWith: { first, _ in first })
    }

    private init(_ terms: TaxTerms, rates: [TaxRate]) {
        (self.rates, pricesIncludeTax, categories) = (rates, terms.pricesIncludeTax, terms.categories)
        (deliveryRate, smallOrderRate, serviceRate) = (terms.deliveryRate, terms.smallOrderRate, terms.serviceRate)
    }

    /// The same taxes with other titles of the rates.
    func titled(_ title: (TaxRate) -> String) -> TaxTerms {
        TaxTerms(self, rates: rates.map { TaxRate(id: $0.id, title: title($0), percent: $0.percent) })
    }

    /// The title of the rate with this id; nil if it does not exist.
    func title(ofRate id: Int64) -> String? { rates.first { $0.id == id }?.title }

    /// The id of the rate of a category; nil if it is not taxed.
    func rate(of category: CategoryID?, _ fulfilment: Fulfilment) -> Int64? {
        guard let category else { return nil }
        return categories[CategoryKey(category: category, fulfilment: fulfilment)]
            ?? categories[CategoryKey(category: category, fulfilment: nil)]
    }
}
