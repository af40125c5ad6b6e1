// The shop's status, and changes of pause, load, acceptance and hours. SQL offers the same operations.
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

/// `/v1/staff/shop` and the routes that change it.
struct StaffShopRoutes: AuthenticatedRoutes {
    let shop: RunningShop
    let authentication: StaffAuthentication

    func add(to routes: inout StaffRouteTable) {
        routes.get(
            "/v1/staff/shop", "For staff: whether the shop is open, paused or busy, and its hours", needing: .readShop,
            read)
        routes.post("/v1/staff/pause", "For staff: pauses orders until a time", needing: .pause, pause)
        routes.delete("/v1/staff/pause", "For staff: ends the pause", needing: .pause, endPause)
        routes.post(
            "/v1/staff/busy", "For staff: adds minutes to every order for a while, or stops adding them",
            needing: .pause, setBusy)
        routes.put(
            "/v1/staff/acceptance", "For staff: sets who accepts new orders, and within which time", needing: .pause,
            setAcceptance)
        routes.put(
            "/v1/staff/hours/{date}", "For staff: sets the hours of a date, or closes it", needing: .setHours, setHours)
        routes.delete(
            "/v1/staff/hours/{date}", "For staff: restores the weekly hours of a date", needing: .setHours, resetHours)
    }

    private func read(_ request: Request, _ context: RequestContext) async throws -> Response {
        .forStaff(request, StaffShopBody(try menu()))
    }

    private func pause(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response {
        let pause = try ShopPause.parse(try request.json(PauseBody.self), at: menu().moment).get()
        return try Self.answer(await shop.staff.setPause(pause, by: member))
    }

    private func endPause(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response
    {
        try Self.answer(await shop.staff.setPause(nil, by: member))
    }

    private func setBusy(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response
    {
        let busy = try BusyPeriod.parse(try request.json(BusyBody.self), at: menu().moment).get()
        return try Self.answer(await shop.staff.setBusy(busy, by: member))
    }

    private func setAcceptance(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws
        -> Response
    {
        let acceptance = try Acceptance.parse(try request.json(AcceptanceBody.self)).get()
        return try Self.answer(await shop.staff.setAcceptance(acceptance, by: member))
    }

    private func setHours(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response
    {
        let date = try date(context)
        let shifts = try [RawShift].parse(try request.json(HoursBody.self)).get()
        return try Self.answer(await shop.staff.setHours(shifts, on: date, by: member))
    }

    private func resetHours(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws
        -> Response
    {
        try Self.answer(await shop.staff.setHours(nil, on: date(context), by: member))
    }

    /// Responds with the shop's new status, or throws why it was not changed.
    private static func answer(_ change: ShopChange) throws(Problem) -> Response {
        switch change {
        case .done(let menu): return .json(StaffShopBody(menu))
        case .rejected(let sentence, let hint): throw .shopChangeRefused(sentence, hint: hint)
        }
    }

    private func menu() throws(Problem) -> Menu {
        guard let menu = shop.menu.current?.menu else { throw .databaseUnavailable }
        return menu
    }

    /// An invalid date is treated like an unknown path.
    private func date(_ context: RequestContext) throws(Problem) -> LocalDate {
        guard let date = LocalDate(rfc3339: context.path("date")) else { throw .notFound }
        return date
    }
}
