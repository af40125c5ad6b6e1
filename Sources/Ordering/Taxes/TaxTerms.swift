// What staff have written about taxes: rates, and which category has which. ShopTerms holds it. Next: Totals/Taxation.swift, which computes.

/// One of staff's rates.
package struct TaxRate: Sendable, Hashable {
    package let id: Int64
    /// For the guest, plain text.
    package let title: String
    package let percent: Rate

    package init(id: Int64, title: String, percent: Rate) { (self.id, self.title, self.percent) = (id, title, percent) }
}

/// The rate of a category.
package struct CategoryTax: Sendable, Hashable {
    package let category: CategoryID
    /// Where it holds; nil: for both.
    package let fulfilment: Fulfilment?
    /// The rate's id.
    package let rate: Int64

    package init(_ category: CategoryID, _ fulfilment: Fulfilment? = nil, rate: Int64) {
        (self.category, self.fulfilment, self.rate) = (category, fulfilment, rate)
    }
}

/// The shop's taxes.
package struct TaxTerms: Sendable, Hashable {
    private struct Place: Hashable {
        let category: CategoryID
        let fulfilment: Fulfilment?
    }

    /// By id.
    package let rates: [TaxRate]
    /// Whether prices hold the tax already; otherwise it is added to them.
    package let areIncluded: Bool
    /// The rates of fees, by id; one that is not named follows the goods.
    package let delivery, smallOrder, service: Int64?
    private let categories: [Place: Int64]

    /// The taxes; of a shop that has none, if nothing is said.
    package init(
        rates: [TaxRate] = [], categories: [CategoryTax] = [], areIncluded: Bool = true, delivery: Int64? = nil, smallOrder: Int64? = nil,
        service: Int64? = nil
    ) {
        self.rates = rates.sorted { $0.id < $1.id }
        self.areIncluded = areIncluded
        (self.delivery, self.smallOrder, self.service) = (delivery, smallOrder, service)
        self.categories = Dictionary(
            categories.map { (Place(category: $0.category, fulfilment: $0.fulfilment), $0.rate) }, uniquingKeysWith: { first, _ in first })
    }

    private init(_ terms: TaxTerms, rates: [TaxRate]) {
        (self.rates, areIncluded, categories) = (rates, terms.areIncluded, terms.categories)
        (delivery, smallOrder, service) = (terms.delivery, terms.smallOrder, terms.service)
    }

    /// The same taxes with these titles of the rates.
    func titled(_ title: (TaxRate) -> String) -> TaxTerms {
        TaxTerms(self, rates: rates.map { TaxRate(id: $0.id, title: title($0), percent: $0.percent) })
    }

    /// The title of the rate with this id; nil: there is none.
    func title(ofRate id: Int64) -> String? { rates.first { $0.id == id }?.title }

    /// The id of a category's rate; nil: it is not taxed.
    func rate(of category: CategoryID?, _ fulfilment: Fulfilment) -> Int64? {
        guard let category else { return nil }
        return categories[Place(category: category, fulfilment: fulfilment)] ?? categories[Place(category: category, fulfilment: nil)]
    }
}
