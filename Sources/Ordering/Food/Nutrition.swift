// The nutrition of a portion in whole numbers. Figures that staff have not entered are unknown, and so are their sums.

/// The nutrition figures of one portion, none negative; nil if unknown.
package struct Nutrition: Sendable, Hashable {
    /// Energy in kJ.
    package let kilojoules: Int64?
    /// Energy in kcal.
    package let kilocalories: Int64?
    /// In milligrams.
    package let fat: Int64?
    /// Of the fat, in milligrams.
    package let saturates: Int64?
    /// In milligrams.
    package let carbohydrate: Int64?
    /// Of the carbohydrate, in milligrams.
    package let sugars: Int64?
    /// In milligrams.
    package let protein: Int64?
    /// In milligrams.
    package let salt: Int64?

    /// No figure is known.
    package static let unknown = Nutrition(all: (nil, nil, nil, nil, nil, nil, nil, nil))

    /// The figures; nil if one is negative.
    package init?(
        kilojoules: Int64? = nil, kilocalories: Int64? = nil, fat: Int64? = nil, saturates: Int64? = nil,
        carbohydrate: Int64? = nil,
        sugars: Int64? = nil, protein: Int64? = nil, salt: Int64? = nil
    ) {
        for figure in [kilojoules, kilocalories, fat, saturates, carbohydrate, sugars, protein, salt]
        where figure ?? 0 < 0 { return nil }
        self.init(all: (kilojoules, kilocalories, fat, saturates, carbohydrate, sugars, protein, salt))
    }

    private init(all: (Int64?, Int64?, Int64?, Int64?, Int64?, Int64?, Int64?, Int64?)) {
        (kilojoules, kilocalories, fat, saturates, carbohydrate, sugars, protein, salt) = all
    }

    /// Adds portions of another food. A figure is unknown if it is unknown in either, or if the sum overflows.
    func adding(_ portions: Int64, of other: Nutrition) -> Nutrition {
        func sum(_ own: Int64?, _ other: Int64?) -> Int64? {
            guard let own, let other else { return nil }
            let (product, isTooLarge) = other.multipliedReportingOverflow(by: portions)
            let (sum, isLarger) = own.addingReportingOverflow(product)
            return isTooLarge || isLarger ? nil : sum
        }
        return Nutrition(
            all: (
                sum(kilojoules, other.kilojoules), sum(kilocalories, other.kilocalories), sum(fat, other.fat),
                sum(saturates, other.saturates), sum(carbohydrate, other.carbohydrate), sum(sugars, other.sugars),
                sum(protein, other.protein), sum(salt, other.salt)
            ))
    }
}
