// Lets staff in, each to what their role may do: by the token of the settings, which is a manager's, or a member's own.
// Put before every route of the staff by StaffRouteTable. Read next: Sources/Ordering/Staff/StaffRole.swift, Sources/Shop/Staff/StaffMembers.swift.
import HTTPTypes
import NIOCore
import Ordering
import Shop

struct StaffDoor: Sendable {
    /// Nil: only members come in.
    let token: StaffToken?
    let members: StaffMembers
    let wrongTokens: WrongStaffTokens

    /// Whether there is a token that opens anything.
    func hasKey() async throws -> Bool {
        if token != nil { return true }
        return try await members.isAny()
    }

    /// Authenticates a request. The token of the settings is accepted while the database is away, too.
    ///
    /// Tokens of members are accepted from an address that has reached the limit. They have 256 random bits, so nobody
    /// finds one by trying, and a tablet with a withdrawn token must not lock out the others behind its address.
    /// The token of the settings is refused there like a wrong one.
    func member(asking request: Request, _ context: WebContext) async throws -> StaffMember {
        guard request.headers.contains(.authorization) else {
            throw try await hasKey() ? Problem.staffTokenRequired : Problem.staffTokenMissing
        }
        let (given, peer) = (request.bearerToken, context.channel.remoteAddress)
        let verdict: WrongStaffTokens.Verdict
        if let given, let token, token.isMatched(by: given) {
            guard let seconds = wrongTokens.wait(request.headers, from: peer) else { return .ofTheSettings }
            verdict = .limited(seconds: seconds)
        } else if let given, members.heldMember(showing: given) != nil,
            let member = try await members.member(showing: given)
        {
            return member
        } else {
            verdict = wrongTokens.count(request.headers, from: peer)
        }
        do {
            if let given, let member = try await members.member(showing: given) {
                wrongTokens.takeBack(verdict)
                return member
            }
            guard try await hasKey() else {
                wrongTokens.takeBack(verdict)
                throw Problem.staffTokenMissing
            }
        } catch let fault as ShopFault {
            // The database is away. A guess at the token of the settings still counts.
            if token == nil { wrongTokens.takeBack(verdict) }
            throw fault
        }
        wrongTokens.log(request, context)
        throw wrongTokens.refusal(verdict)
    }

    /// Whether a request may bring a large body: its token is known without asking the database.
    ///
    /// A wrong token counts here and again when its request is refused. If it counted there only, many requests at the
    /// same time could learn from what the server reads whether they have the token of the settings.
    func isKnown(_ headers: HTTPFields, from peer: SocketAddress?, for permission: StaffPermission) -> Bool {
        guard let given = headers[.authorization].flatMap(BearerToken.parse) else { return false }
        if let member = members.heldMember(showing: given) { return member.may(permission) }
        guard let token else { return false }
        if token.isMatched(by: given) { return wrongTokens.wait(headers, from: peer) == nil }
        _ = wrongTokens.count(headers, from: peer)
        return false
    }

    /// Watches the token with which a stream was opened; nil for the token of the settings, which is never withdrawn.
    func watch(
        _ request: Request, _ member: StaffMember, for permission: StaffPermission,
        onWithdrawal: @escaping @Sendable () -> Void
    ) -> TokenWatch? {
        guard member != .ofTheSettings, let token = request.bearerToken else { return nil }
        return members.watch(token: token, for: permission, onWithdrawal: onWithdrawal)
    }

    /// Lets through who may, and nobody else, before anything of the request is looked at.
    func guarding(_ permission: StaffPermission, _ handler: @escaping StaffHandler) -> Handler {
        { request, context in
            let member = try await member(asking: request, context)
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
