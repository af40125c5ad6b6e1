// What staff ask of the list of orders: `state`, `open`, `limit` and `cursor`. Called by StaffRoutes.

import Ordering

/// Which orders, and which page of them.
struct StaffOrderQuery {
    let states: [OrderState]
    let limit: Int
    let after: OrderPlace?

    init(_ query: QueryParameters) throws(ParameterError) {
        var states = OrderState.allCases
        if let text = query["state"], !text.isEmpty {
            guard let state = OrderState(rawValue: text) else {
                let names = OrderState.allCases.map(\.rawValue).joined(separator: ", ")
                throw ParameterError(name: "state", message: "state must be one of \(names).")
            }
            states = [state]
        }
        switch query["open"] {
        case nil, "": break
        case "true": states = states.filter(\.isOpen)
        case "false": states = states.filter { !$0.isOpen }
        default: throw ParameterError(name: "open", message: "open must be true or false.")
        }
        self.states = states
        limit = try ListWindow.limit(query["limit"])
        after = try query["cursor"].flatMap { text throws(ParameterError) in
            if text.isEmpty { return nil }
            guard let place = OrderPlace(cursor: text) else {
                throw ParameterError(name: "cursor", message: "cursor must be the nextCursor of a page of this list.")
            }
            return place
        }
    }
}
