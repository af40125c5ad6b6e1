// The problem responses for rejected basket changes.
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

extension Problem {
    static let basketNotFound = Problem(
        .notFound, "basket_not_found", "This basket is gone. Please start a new one.",
        hint: "POST /v1/baskets starts one.")

    /// The basket became an order, which has the same id.
    static func basketAlreadyOrdered(_ id: BasketID) -> Problem {
        var problem = Problem(
            .conflict, "basket_already_ordered", "This basket has already been ordered and can’t be changed any more.",
            hint: "Its order is at /v1/orders/\(id).")
        problem.add("orderId", id.description)
        return problem
    }

    init(_ errors: FieldErrors) { self = .validationFailed(errors.all.map { FieldErrorBody($0) }) }

    init(_ rejection: BasketRejection, _ id: BasketID) {
        switch rejection {
        case .basketNotFound: self = .basketNotFound
        case .preconditionFailed: self = .preconditionFailed
        case .changeRejected(let refusal): self.init(refusal, id)
        }
    }

    /// The problem for a basket change that the domain rejected.
    init(_ refusal: BasketChangeRejection, _ id: BasketID) {
        switch refusal {
        case .basketAlreadyOrdered: self = .basketAlreadyOrdered(id)
        case .itemNotInBasket: self.init(.notFound, "item_not_in_basket", "This is no longer in your basket.")
        case .severalLines(let lines):
            self.init(
                .conflict, "several_lines",
                "This dish is in your basket with different options. Please choose which one you mean.",
                hint: "Address a line by its id: /v1/baskets/\(id)/lines/{lineId}.")
            add("lineIds", lines.map(\.rawValue))
        case .menuItemNotFound: self = .unknownMenuItem
        case .saleNotFound:
            self.init(.notFound, "sale_not_found", "This offer no longer exists, or its set is not in your basket.")
        case .saleAlreadyInBasket:
            self.init(
                .conflict, "sale_already_in_basket",
                "This set is in your basket already. Please remove it to add it again.")
        case .itemSoldOut:
            self.init(.conflict, "item_sold_out", "This is sold out at the moment. Please choose something else.")
        case .quantityOutOfRange(let limit):
            self.init(
                "quantity_out_of_range", field: "quantity", limit: limit, "Please choose 1 to \(limit) of each dish.")
        case .basketFull(let limit):
            self.init(
                "basket_full", field: "basket", limit: limit,
                "A basket can hold at most \(limit) different dishes and sets.")
        case .tooManyOptions(let limit):
            self.init(
                "too_many_options", field: "options", limit: limit,
                "The dishes of a basket can have at most \(limit) options.")
        case .invalid(let errors): self.init(errors)
        case .saleHasNoItems:
            self.init(
                .unprocessableContent, "sale_has_no_items",
                "This offer is for information only. It can’t be added to the basket.")
        }
    }

    private init(_ code: String, field: String, limit: Int, _ detail: String) {
        self.init(.unprocessableContent, code, detail)
        let error = FieldErrorBody(
            field: field, code: code, message: detail, params: ["limit": .integer(Int64(limit))])
        errors = [RejectedField(error)]
    }
}
