// Lets staff in, each to what their role may do: by the token of the settings, which is a manager's, or a member's own.
// Put before every route of the staff by StaffRouteTable. Read next: Sources/Ordering/Staff/StaffRole.swift, Sources/Shop/Staff/StaffMembers.swift.
import HTTPTypes
import Ordering
import Shop

struct StaffDoor: Sendable {
    /// Nil: only members come in.
    let token: StaffToken?
    let members: StaffMembers

    /// Whether there is a token that opens anything.
    func hasKey() async throws -> Bool {
        if token != nil { return true }
        return try await members.isAny()
    }

    /// Who asks. The settings' token opens also while the database is away.
    func member(asking request: Request) async throws -> StaffMember {
        guard request.headers.contains(.authorization) else {
            throw try await hasKey() ? Problem.staffTokenRequired : Problem.staffTokenMissing
        }
        if let given = request.bearerToken {
            if let token, token.isMatched(by: given) { return .ofTheSettings }
            if let member = try await members.member(showing: given) { return member }
        }
        throw try await hasKey() ? Problem.invalidStaffToken : Problem.staffTokenMissing
    }

    /// Whether a request that brings a large body comes from somebody who may, as far as is known without asking the database.
    func isKnown(_ headers: HTTPFields, for permission: StaffPermission) -> Bool {
        guard let given = headers[.authorization].flatMap(BearerToken.parse) else { return false }
        if let token, token.isMatched(by: given) { return true }
        return members.heldMember(showing: given)?.may(permission) ?? false
    }

    /// Whether somebody who came in would still be let in.
    func stillLets(_ member: StaffMember) -> Bool { member == .ofTheSettings || members.stillHolds(member) }

    /// Lets through who may, and nobody else, before anything of the request is looked at.
    func guarding(_ permission: StaffPermission, _ handler: @escaping StaffHandler) -> Handler {
        { request, context in
            let member = try await member(asking: request)
            guard member.may(permission) else { throw Problem.insufficientRole(member.role, permission) }
            return try await handler(request, context, member)
        }
    }
}

extension StaffMember {
    /// Where a route asks for more, by what its body says, than it does of everybody.
    func require(_ permission: StaffPermission) throws(Problem) {
        guard may(permission) else { throw .insufficientRole(role, permission) }
    }
}
