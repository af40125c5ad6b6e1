// Validates the bodies that change availability and stock counts, and reports all their errors at once.

import HTTPServing
import Ordering
import Wire

extension AvailabilityChange {
    /// The requested availability.
    static func parse(_ body: AvailabilityBody, at now: Instant) -> Result<AvailabilityChange, Problem> {
        var errors: [FieldErrorBody] = []
        func addError(_ field: String, _ code: String, _ message: String) {
            errors.append(FieldErrorBody(field: field, code: code, message: message, params: [:]))
        }
        if body.isAvailable == nil {
            addError("isAvailable", "required", "Enter true if it can be ordered, otherwise false.")
        }
        let until = body.until.flatMap { Instant(rfc3339: $0) }
        if body.until != nil, until == nil {
            addError("until", "invalid_time", "Enter a time with its offset, like 2026-11-21T17:00:00Z.")
        } else if let until, until <= now {
            addError("until", "not_in_future", "This time has passed. Enter a later one.")
        } else if until != nil, body.isAvailable == true {
            addError("until", "only_when_sold_out", "Only a sold-out item can have an end time. Leave it out.")
        }
        if body.untilTomorrow == true {
            if body.until != nil {
                addError("untilTomorrow", "not_with_until", "Give a time or tomorrow, not both.")
            } else if body.isAvailable == true {
                addError(
                    "untilTomorrow", "only_when_sold_out",
                    "Only a sold-out item can be sold out until tomorrow. Leave it out.")
            }
        }
        guard let isAvailable = body.isAvailable, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        if isAvailable { return .success(.available) }
        return .success(body.untilTomorrow == true ? .soldOutUntilTomorrow : .soldOut(until: until))
    }
}

extension StockPolicy {
    /// The requested stock policy.
    static func parse(_ body: StockBody) -> Result<StockPolicy, Problem> {
        var errors: [FieldErrorBody] = []
        for (field, count) in [("remaining", body.remaining), ("perDay", body.perDay)] {
            guard let count, !range.contains(count) else { continue }
            errors.append(
                FieldErrorBody(
                    field: field, code: "out_of_range", message: "Enter a number from 0 to 1,000,000,000.",
                    params: ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]))
        }
        if body.remaining != nil, body.perDay != nil {
            let message = "Enter either the units left now or the units per day, not both."
            errors.append(FieldErrorBody(field: "perDay", code: "not_with_remaining", message: message, params: [:]))
        }
        if !body.isSpecified {
            let message = "Enter the units left now, the units per day, or null to stop counting."
            errors.append(FieldErrorBody(field: "remaining", code: "required", message: message, params: [:]))
        }
        guard errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(body.remaining.map(StockPolicy.remaining) ?? body.perDay.map(StockPolicy.perDay) ?? .uncounted)
    }
}
