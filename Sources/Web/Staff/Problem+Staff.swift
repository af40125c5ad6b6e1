// Why staff were not let in, or an order was not moved, as HTTP. Thrown by StaffRoutes.
import HTTPTypes

extension Problem {
    /// The settings name no staff token: what is behind it is not there.
    static let staffTokenMissing = Problem(
        .notFound, "staff_token_missing", "This is closed: the server has no staff token.",
        hint: "Start it with WELMS_STAFF_TOKEN set, or with --staff-token.")

    /// The request brings no token (RFC 6750, section 3: then without an error's name).
    static let staffTokenRequired = Problem(
        .unauthorized, "token_required", "This is for staff only: it needs the shop's staff token.",
        hint: "Send it as Authorization: Bearer.", headers: [.wwwAuthenticate: "Bearer"])

    /// The token is not the one of the settings (RFC 6750, section 3.1).
    static let invalidStaffToken = Problem(
        .unauthorized, "invalid_token", "This is not the shop's staff token.",
        headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])

    static let orderNumberUnknown = Problem(
        .notFound, "order_not_found", "There is no order with this number. A number has eight digits, with its leading zeros.")

    static let unknownOption = Problem(
        .notFound, "option_not_found", "There is no option with this number, or it is retired.",
        hint: "GET /v1/staff/options lists all options.")

    /// Somebody is at this order in SQL, in a transaction that is still open.
    static let orderIsLocked = Problem(
        .conflict, "being_changed", "Somebody is changing this order and has not finished. Please try again when they have.")

    /// Somebody is changing the menu in SQL, in a transaction that is still open.
    static let menuIsLocked = Problem(
        .conflict, "being_changed", "Somebody is changing the menu and has not finished. Please try again when they have.")

    /// The database refused the step, in its own words.
    static func orderStepRefused(_ sentence: String) -> Problem { Problem(.conflict, "order_step_refused", sentence) }
}
