// The routes for a member's own identity and for the audit.
import HTTPServing
import Ordering
import Shop
import Wire

/// `/v1/staff/me` and `/v1/staff/audit`.
struct StaffPeopleRoutes: AuthenticatedRoutes {
    let shop: RunningShop
    let authentication: StaffAuthentication

    func add(to routes: inout StaffRouteTable) {
        routes.get("/v1/staff/me", "For staff: the own member, role and permissions", needing: .readSelf, readSelf)
        routes.get(
            "/v1/staff/audit", "For staff: the audit of changes, the newest first", needing: .readAudit, listAudit)
    }

    private func readSelf(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response
    {
        .forStaff(
            request,
            StaffMemberBody(
                name: member.name, role: member.role.rawValue, permissions: member.role.permissions.map(\.rawValue)))
    }

    private static let list = "audit"

    private func listAudit(_ request: Request, _ context: RequestContext) async throws -> Response {
        let query = try request.query()
        let limit = try query.limit()
        let before = try query.cursor(of: Self.list, numbers: 1) {
            $0.numbers[0] > 0 && $0.text.isEmpty ? $0.numbers[0] : nil
        }
        let entries = try await shop.staff.audit(limit: limit + 1, before: before)
        let page = entries.prefix(limit)
        let next = entries.count > limit ? page.last.map { Cursor([$0.id], []).encoded(for: Self.list) } : nil
        return .forStaff(request, Page(items: page.map(AuditEntryBody.init), nextCursor: next))
    }
}

extension AuditEntryBody {
    fileprivate init(_ entry: AuditEntry) {
        self.init(
            id: entry.id, at: entry.changedAt.rfc3339, who: entry.author, role: entry.role?.rawValue, what: entry.table,
            subject: entry.rowID,
            before: entry.before, after: entry.after, why: entry.reason)
    }
}
