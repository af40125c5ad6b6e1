// Builds the response of live validation: each sent field with its value or error, basket errors and the quote.
import HTTPServing
import Ordering
import Wire

extension ValidationBody {
    /// - Parameter basketError: Why there is no quote, if known.
    init(fields: [ValidatedField], basketError: FieldErrorBody? = nil, quote: Quote? = nil, isReady: Bool = false) {
        var results: [CheckoutField: FieldResultBody] = [:]
        for judged in fields {
            guard case .form(let field) = judged.path, let name = CheckoutField(rawValue: field.rawValue),
                results[name] == nil
            else { continue }
            results[name] = FieldResultBody(judged)
        }
        let basketErrors = fields.compactMap { field -> FieldErrorBody? in
            guard field.path >= .basket, case .failure(let error) = field.result else { return nil }
            return FieldErrorBody(error)
        }
        self.init(
            fields: FieldResultsBody(results),
            errors: [basketError].compactMap(\.self) + basketErrors, quote: quote.map(QuoteBody.init), isReady: isReady)
    }

    /// A form validated with its basket. A basket without a quote is already ordered.
    init(_ form: CheckoutValidation) {
        self.init(
            fields: form.fields, basketError: form.quote == nil ? .basketAlreadyOrdered : nil, quote: form.quote,
            isReady: form.isReady)
    }
}

extension FieldErrorBody {
    static let basketNotFound = FieldErrorBody(
        field: FieldPath.basket.description, code: "basket_not_found",
        message: "This basket is gone. Please start a new one.", params: [:])
    /// The basket became an order.
    static let basketAlreadyOrdered = FieldErrorBody(
        field: FieldPath.basket.description, code: "basket_already_ordered",
        message: "This basket has already been ordered. Please see the order, or start a new basket.", params: [:])

    /// The database is currently unavailable.
    static func basketUnavailable(_ problem: Problem) -> FieldErrorBody {
        FieldErrorBody(
            field: FieldPath.basket.description, code: problem.code,
            message: "We can’t load your basket at the moment. Please try again in a few seconds.", params: [:])
    }
}

extension FieldResultBody {
    fileprivate init(_ field: ValidatedField) {
        switch field.result {
        case .success(let value): self.init(value: FieldValue(value))
        case .failure(let error):
            self.init(
                code: error.code.rawValue, message: error.message, params: error.params.mapValues(FieldValue.init))
        }
    }
}
