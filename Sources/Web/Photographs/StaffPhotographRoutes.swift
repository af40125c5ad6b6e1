// Lets staff upload or remove a dish's photograph. The body is the file, whatever its name and Content-Type.
import HTTPServing
import HTTPTypes
import Ordering
import Photographs
import Shop
import Wire

/// `/v1/staff/menu/{id}/photograph`.
struct StaffPhotographRoutes: AuthenticatedRoutes {
    let shop: RunningShop
    let authentication: StaffAuthentication

    func add(to routes: inout StaffRouteTable) {
        routes.put(
            "/v1/staff/menu/{id}/photograph", "For staff: sets the photograph of an item", needing: .editMenu,
            largeBody: PhotoProcessor.byteLimit, setPhotograph)
        routes.delete(
            "/v1/staff/menu/{id}/photograph", "For staff: removes the photograph of an item", needing: .editMenu,
            removePhotograph)
    }

    private func setPhotograph(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws
        -> Response
    {
        let bytes = try request.photograph()
        switch try await shop.staff.setPhotograph(of: item(context), from: bytes, by: member) {
        case .done(let change): return try Self.answer(change)
        case .rejected(let refusal):
            if case .failed(let reason) = refusal {
                context.logger.error("Could not process a photograph", metadata: ["error": "\(reason)"])
            }
            throw refusal.problem
        }
    }

    private func removePhotograph(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws
        -> Response
    {
        try Self.answer(await shop.staff.removePhotograph(of: item(context), by: member))
    }

    /// Item ids start at 1, so 0 matches none.
    private func item(_ context: RequestContext) -> MenuItemID { MenuItemID(rawValue: context.pathNumber("id") ?? 0) }

    /// Responds with the changed item.
    private static func answer(_ change: StockChange) throws(Problem) -> Response {
        switch change {
        case .item(let item, let menu):
            return .json(MenuItemBody(item, in: menu), headers: [.contentLanguage: menu.language.text])
        case .option, .notFound: throw .unknownMenuItem
        }
    }
}

extension Request {
    /// The body as the file of a photograph. Throws 413 or 415.
    fileprivate func photograph() throws -> [UInt8] {
        do {
            return try file(limit: PhotoProcessor.byteLimit)
        } catch BodyError.tooLarge {
            throw PhotographError.tooLarge
        }
    }
}
