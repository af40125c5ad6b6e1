// The problem responses of the staff routes.
import HTTPServing
import HTTPTypes
import Ordering
import Wire

extension Problem {
    /// No staff token is configured and no member exists, so the staff routes do not exist.
    static let staffTokenMissing = Problem(
        .notFound, "staff_token_missing",
        "The staff page is closed, because no staff token exists yet. Please create one.",
        hint: "Run welms staff add NAME --role manager, or start the server with WELMS_STAFF_TOKEN set.")

    /// The request has no token. The header then has no error code (RFC 6750, section 3).
    static let staffTokenRequired = Problem(
        .unauthorized, "token_required", "This is for staff only. Please sign in with a staff token.",
        hint: "Send the token as Authorization: Bearer.", headers: [.wwwAuthenticate: "Bearer"])

    /// The token is unknown or withdrawn (RFC 6750, section 3.1).
    static let invalidStaffToken = Problem(
        .unauthorized, "invalid_token",
        "This staff token is unknown or was withdrawn. Please sign in with another one.",
        headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])

    /// The member is authenticated but lacks the permission (RFC 6750, section 3.1).
    static func insufficientRole(_ role: StaffRole, _ permission: StaffPermission) -> Problem {
        Problem(
            .forbidden, "insufficient_role", "Your role (\(role.rawValue)) does not allow this. Please ask a manager.",
            hint: "This needs the permission \(permission.rawValue). GET /v1/staff/me lists a token’s permissions.",
            headers: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="\#(permission.rawValue)""#])
    }

    static let orderNumberUnknown = Problem(
        .notFound, "order_not_found",
        "No order has this number. Please enter all eight digits, including leading zeros.")

    static let unknownOption = Problem(
        .notFound, "option_not_found", "This option does not exist, or it is retired.",
        hint: "GET /v1/staff/options lists all options.")

    /// A constraint of the shop's tables rejected the change, with a hint.
    static func shopChangeRefused(_ sentence: String, hint: String?) -> Problem {
        Problem(
            .unprocessableContent, "shop_change_refused", "This change is not possible, and nothing was changed.",
            hint: hint ?? sentence)
    }

    /// The database rejected the step, with its own explanation.
    static func stepRefused(_ rule: StepRule, _ sentence: String) -> Problem {
        switch rule {
        case .validTransition, .estimateOnlyWithoutWantedTime, .onlyAcceptedOrdersCanBeDelayed:
            Problem(.conflict, "order_step_refused", sentence)
        case .onlyLastStepCanBeTakenBack: Problem(.conflict, "step_overtaken", sentence)
        case .takeBackWithinTenSeconds: Problem(.conflict, "step_too_old", sentence)
        }
    }
}
