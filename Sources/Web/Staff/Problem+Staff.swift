// Why staff were not let in, or an order was not moved, as HTTP. Thrown by StaffRoutes.
import HTTPTypes
import Ordering
import Wire

extension Problem {
    /// The settings name no staff token and there is no member: what is behind it is not there.
    static let staffTokenMissing = Problem(
        .notFound, "staff_token_missing", "The staff page is closed: nobody has a staff token.",
        hint: "Make one with welms staff add NAME --role manager, or start the server with WELMS_STAFF_TOKEN set.")

    /// The request brings no token (RFC 6750, section 3: then without an error's name).
    static let staffTokenRequired = Problem(
        .unauthorized, "token_required", "This is for staff only. Please sign in with a staff token.",
        hint: "Send it as Authorization: Bearer.", headers: [.wwwAuthenticate: "Bearer"])

    /// The token is neither a member's nor that of the settings, or it was withdrawn (RFC 6750, section 3.1).
    static let invalidStaffToken = Problem(
        .unauthorized, "invalid_token", "This staff token is unknown or was withdrawn.",
        headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])

    /// The member is known, and what they ask for is for others (RFC 6750, section 3.1).
    static func insufficientRole(_ role: StaffRole, _ permission: StaffPermission) -> Problem {
        Problem(
            .forbidden, "insufficient_role", "Your role (\(role.rawValue)) does not allow this.",
            hint: "It needs the permission \(permission.rawValue). GET /v1/staff/me lists what a token may do.",
            headers: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="\#(permission.rawValue)""#])
    }

    static let orderNumberUnknown = Problem(
        .notFound, "order_not_found", "There is no order with this number. A number has eight digits, with its leading zeros.")

    static let unknownOption = Problem(
        .notFound, "option_not_found", "There is no option with this number, or it is retired.",
        hint: "GET /v1/staff/options lists all options.")

    /// A constraint of the shop's tables refused the change, and says how it would be right.
    static func shopChangeRefused(_ sentence: String, hint: String?) -> Problem {
        Problem(
            .unprocessableContent, "shop_change_refused", "This change is not possible, and nothing was changed.",
            hint: hint ?? sentence)
    }

    /// The database refused the step, in its own words.
    static func stepRefused(_ rule: StepRule, _ sentence: String) -> Problem {
        switch rule {
        case .makesSense, .minutesAreForSoon, .delaysWhatIsAccepted: Problem(.conflict, "order_step_refused", sentence)
        case .takesBackTheLast: Problem(.conflict, "step_overtaken", sentence)
        case .takesBackInTime: Problem(.conflict, "step_too_old", sentence)
        }
    }
}
