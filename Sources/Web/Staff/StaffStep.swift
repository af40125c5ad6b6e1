// Validates the bodies of order steps and reports all their errors at once. The database decides whether a step is
// possible.
import HTTPServing
import Ordering
import Wire

extension StaffStep {
    /// Accepts the order, with an optional number of minutes.
    static func parse(_ body: AcceptBody) -> Result<StaffStep, Problem> {
        guard let minutes = body.minutes else { return .success(.advance(to: .accepted)) }
        let errors = FieldErrorBody.outOfRange("minutes", minutes, Self.estimateMinutes)
        return errors.isEmpty
            ? .success(.advance(to: .accepted, minutes: Int(minutes))) : .failure(.validationFailed(errors))
    }

    /// Moves the order to another state. The reason is normalised like a guest's comment: up to 500 characters of
    /// plain text, nil when blank.
    static func parse(_ body: AdvanceBody) -> Result<StaffStep, Problem> {
        var errors: [FieldErrorBody] = []
        let state = body.state.flatMap(OrderState.init(rawValue:))
        if state == nil {
            errors.append(Self.unknown(body.state))
        }
        let reason = Self.reason(body.reason, limit: 500, isRequired: state == .rejected, &errors)
        if body.foodIsWasted == true, state != .rejected {
            errors.append(
                FieldErrorBody(
                    field: "foodIsWasted", code: "only_when_rejecting", message: "Only a rejection can waste food.",
                    params: [:]))
        }
        guard let state, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(.advance(to: state, reason: reason, foodIsWasted: body.foodIsWasted))
    }

    /// A pending rejection, with a reason as in AdvanceBody.
    static func parse(_ body: RejectBody) -> Result<StaffStep, Problem> {
        var errors: [FieldErrorBody] = []
        let reason = Self.reason(body.reason, limit: 500, isRequired: true, &errors)
        guard let reason, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(.schedule(.rejected, reason: reason, foodIsWasted: body.foodIsWasted))
    }

    /// Takes a step back, optionally from a given state.
    static func parse(_ body: TakeBackBody) -> Result<StaffStep, Problem> {
        guard body.state != nil else { return .success(.takeBack()) }
        guard let state = body.state.flatMap(OrderState.init(rawValue:)), state.isSetByStaff else {
            return .failure(.validationFailed([Self.unknown(body.state)]))
        }
        return .success(.takeBack(state))
    }

    /// Delays the order, with a reason of up to 200 characters.
    static func parse(_ body: DelayBody) -> Result<StaffStep, Problem> {
        var errors: [FieldErrorBody] = []
        if let minutes = body.minutes {
            errors += FieldErrorBody.outOfRange("minutes", minutes, Self.delayMinutes)
        } else {
            errors.append(FieldErrorBody("minutes", "required", "Enter the number of minutes."))
        }
        let reason = Self.reason(body.reason, limit: Self.delayReasonLimit, isRequired: true, &errors)
        guard let minutes = body.minutes, let reason, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(.delay(minutes: Int(minutes), reason: reason))
    }

    private static func unknown(_ given: String?) -> FieldErrorBody {
        let states = OrderState.allCases.filter(\.isSetByStaff)
        return FieldErrorBody(
            field: "state", code: given == nil ? "required" : "unknown_state",
            message: "Give one of \(states.map(\.rawValue).joined(separator: ", ")).", params: [:])
    }

    private static func reason(_ text: String?, limit: Int, isRequired: Bool, _ errors: inout [FieldErrorBody])
        -> String?
    {
        func addError(_ code: String, _ message: String, _ params: [String: FieldValue] = [:]) {
            errors.append(FieldErrorBody(field: "reason", code: code, message: message, params: params))
        }
        func tooLong() { addError("too_long", "Enter at most \(limit) characters.", ["limit": .integer(Int64(limit))]) }
        switch OrderComment.parse(text ?? "") {
        case .success(let comment):
            if isRequired, comment == nil { addError("required", "Tell the guest why.") }
            if let comment, comment.text.unicodeScalars.count > limit { tooLong() }
            return comment?.text
        case .failure(let error) where error.code == .tooLong: tooLong()
        case .failure: addError("invalid_reason", "Enter plain text.")
        }
        return nil
    }
}
