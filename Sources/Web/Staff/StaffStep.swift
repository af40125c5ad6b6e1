// The body of a step, judged: all that is wrong with it at once. Whether the step makes sense is the database's to say.
// Called by StaffRoutes.
import Ordering
import Wire

enum StaffStep {
    /// The state and the reason, tidied like a guest's comment: up to 500 characters of plain text, nil when blank.
    static func judge(_ body: AdvanceBody) -> Result<(state: OrderState, reason: String?), Problem> {
        var errors: [FieldErrorBody] = []
        var reason: String?
        let state = body.state.flatMap(OrderState.init(rawValue:))
        if state == nil {
            let names = OrderState.allCases.filter { $0 != .placed && $0 != .cancelled }.map(\.rawValue).joined(separator: ", ")
            errors.append(
                FieldErrorBody(
                    field: "state", code: body.state == nil ? "required" : "unknown_state", message: "Write one of \(names).", params: [:]))
        }
        switch OrderComment.parse(body.reason ?? "") {
        case .success(let comment):
            reason = comment?.text
            if state == .rejected, reason == nil {
                errors.append(FieldErrorBody(field: "reason", code: "required", message: "Tell the guest why.", params: [:]))
            }
        case .failure(let error) where error.code == .tooLong:
            errors.append(
                FieldErrorBody(field: "reason", code: "too_long", message: "Write up to 500 characters.", params: ["limit": .integer(500)]))
        case .failure:
            errors.append(FieldErrorBody(field: "reason", code: "invalid_reason", message: "Write plain text.", params: [:]))
        }
        guard let state, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success((state, reason))
    }
}
