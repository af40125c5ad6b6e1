// The bodies of steps, judged: all that is wrong with one at once. Whether the step makes sense is the database's to say.
// Called by StaffRoutes.
import Ordering
import Wire

extension StaffStep {
    /// To another state, with a reason that is tidied like a guest's comment: up to 500 characters of plain text, nil when blank.
    static func judge(_ body: AdvanceBody) -> Result<StaffStep, Problem> {
        var errors: [FieldErrorBody] = []
        let state = body.state.flatMap(OrderState.init(rawValue:))
        if state == nil { errors.append(Self.unknown(body.state, of: OrderState.allCases.filter { $0 != .placed && $0 != .cancelled })) }
        let reason = Self.reason(body.reason, limit: 500, isNeeded: state == .rejected, &errors)
        if let minutes = body.minutes {
            if state != .accepted {
                errors.append(
                    FieldErrorBody(
                        field: "minutes", code: "only_when_accepting",
                        message: "Say minutes when you accept an order. Later you can delay it.",
                        params: [:]))
            } else if !(Int64(Self.minutes.lowerBound)...Int64(Self.minutes.upperBound)).contains(minutes) {
                errors.append(
                    FieldErrorBody(
                        field: "minutes", code: "out_of_range",
                        message: "Write a number from \(Self.minutes.lowerBound) to \(Self.minutes.upperBound).",
                        params: ["minimum": .integer(Int64(Self.minutes.lowerBound)), "maximum": .integer(Int64(Self.minutes.upperBound))]))
            }
        }
        if body.foodIsWasted == true, state != .rejected {
            errors.append(
                FieldErrorBody(
                    field: "foodIsWasted", code: "only_when_rejecting", message: "Food is wasted where an order is rejected.", params: [:]))
        }
        guard let state, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(.advance(to: state, reason: reason, minutes: body.minutes.map(Int.init), foodIsWasted: body.foodIsWasted))
    }

    /// Back from a state.
    static func judge(_ body: TakeBackBody) -> Result<StaffStep, Problem> {
        let states = [OrderState.accepted, .preparing, .onTheWay]
        guard let state = body.state.flatMap(OrderState.init(rawValue:)), states.contains(state) else {
            return .failure(.validationFailed([Self.unknown(body.state, of: states)]))
        }
        return .success(.takeBack(state))
    }

    /// Later, for a reason of up to 200 characters.
    static func judge(_ body: DelayBody) -> Result<StaffStep, Problem> {
        var errors: [FieldErrorBody] = []
        let moment = body.readyAt.flatMap { Instant(rfc3339: $0) }
        if moment == nil {
            errors.append(
                FieldErrorBody(
                    field: "readyAt", code: body.readyAt == nil ? "required" : "invalid_time",
                    message: "Write a moment with its offset, like 2026-11-21T17:00:00Z.", params: [:]))
        }
        let reason = Self.reason(body.reason, limit: Self.delayReasonLimit, isNeeded: true, &errors)
        guard let moment, let reason, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(.delay(until: moment, reason: reason))
    }

    private static func unknown(_ given: String?, of states: [OrderState]) -> FieldErrorBody {
        FieldErrorBody(
            field: "state", code: given == nil ? "required" : "unknown_state",
            message: "Write one of \(states.map(\.rawValue).joined(separator: ", ")).", params: [:])
    }

    private static func reason(_ text: String?, limit: Int, isNeeded: Bool, _ errors: inout [FieldErrorBody]) -> String? {
        func wrong(_ code: String, _ message: String, _ params: [String: Scalar] = [:]) {
            errors.append(FieldErrorBody(field: "reason", code: code, message: message, params: params))
        }
        func tooLong() { wrong("too_long", "Write up to \(limit) characters.", ["limit": .integer(Int64(limit))]) }
        switch OrderComment.parse(text ?? "") {
        case .success(let comment):
            if isNeeded, comment == nil { wrong("required", "Tell the guest why.") }
            if let comment, comment.text.unicodeScalars.count > limit { tooLong() }
            return comment?.text
        case .failure(let error) where error.code == .tooLong: tooLong()
        case .failure: wrong("invalid_reason", "Write plain text.")
        }
        return nil
    }
}
