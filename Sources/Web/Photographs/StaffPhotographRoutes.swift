// How staff give a dish its photograph: the file as the body, whatever it is called and declared as. Read next: Shop's StaffDesk+Photographs.swift.
import HTTPTypes
import Ordering
import Photographs
import Shop
import Wire

/// `/v1/staff/menu/{id}/photograph`.
struct StaffPhotographRoutes: GuardedRoutes {
    let shop: RunningShop
    let door: StaffDoor

    func add(to routes: inout StaffRouteTable) {
        routes.put(
            "/v1/staff/menu/{id}/photograph", "For staff: shows an item with a photograph", needing: .editMenu,
            largeBody: PhotoStudio.byteLimit, setPhotograph)
        routes.delete(
            "/v1/staff/menu/{id}/photograph", "For staff: shows an item without its photograph", needing: .editMenu, removePhotograph)
    }

    private func setPhotograph(_ request: Request, _ context: WebContext, _ member: StaffMember) async throws -> Response {
        let bytes = try request.file(limit: PhotoStudio.byteLimit)
        switch try await shop.staff.setPhotograph(of: item(context), from: bytes, by: member) {
        case .done(let change): return try Self.answer(change)
        case .refused(let refusal):
            if case .failed(let reason) = refusal {
                context.logger.error("A photograph could not be worked on", metadata: ["error": "\(reason)"])
            }
            throw refusal.problem
        }
    }

    private func removePhotograph(_ request: Request, _ context: WebContext, _ member: StaffMember) async throws -> Response {
        try Self.answer(await shop.staff.removePhotograph(of: item(context), by: member))
    }

    /// There is no item of number 0.
    private func item(_ context: WebContext) -> MenuItemID { MenuItemID(rawValue: context.pathNumber("id") ?? 0) }

    /// What the item has become.
    private static func answer(_ change: StockChange) throws(Problem) -> Response {
        switch change {
        case .item(let item, let menu): return .json(MenuItemBody(item, in: menu), headers: [.contentLanguage: menu.language.text])
        case .option, .unknown: throw .unknownMenuItem
        }
    }
}
