// Authenticates staff and checks their role: with the token of the settings, which acts as a manager, or a member's
// own token.
import HTTPTypes
import NIOCore
import Ordering
import Shop

struct StaffDoor: Sendable {
    /// Nil: only members' tokens are accepted.
    let token: StaffToken?
    let members: StaffMembers
    let wrongTokens: WrongStaffTokens

    /// Whether any valid token exists.
    func hasKey() async throws -> Bool {
        if token != nil { return true }
        return try await members.isAny()
    }

    /// Authenticates a request. The token of the settings works without the database.
    ///
    /// Members' tokens are accepted even from a rate-limited address. They have 256 random bits and cannot be
    /// guessed, and one tablet with a withdrawn token must not lock out the others.
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
            // The database is unavailable. A guess at the token of the settings still counts.
            if token == nil { wrongTokens.takeBack(verdict) }
            throw fault
        }
        wrongTokens.log(request, context)
        throw wrongTokens.refusal(verdict)
    }

    /// Whether a request may send a large body: its token is recognised without a query.
    ///
    /// A wrong token counts here and again in the final rejection. Otherwise concurrent requests could learn from
    /// what the server reads whether they guessed the token of the settings.
    func isKnown(_ headers: HTTPFields, from peer: SocketAddress?, for permission: StaffPermission) -> Bool {
        guard let given = headers[.authorization].flatMap(BearerToken.parse) else { return false }
        if let member = members.heldMember(showing: given) { return member.may(permission) }
        guard let token else { return false }
        if token.isMatched(by: given) { return wrongTokens.wait(headers, from: peer) == nil }
        _ = wrongTokens.count(headers, from: peer)
        return false
    }

    /// Watches the token of a stream; nil for the token of the settings, which cannot be withdrawn.
    func watch(
        _ request: Request, _ member: StaffMember, for permission: StaffPermission,
        onWithdrawal: @escaping @Sendable () -> Void
    ) -> TokenWatch? {
        guard member != .ofTheSettings, let token = request.bearerToken else { return nil }
        return members.watch(token: token, for: permission, onWithdrawal: onWithdrawal)
    }

    /// Authenticates and authorises before the handler examines the request.
    func guarding(_ permission: StaffPermission, _ handler: @escaping StaffHandler) -> Handler {
        { request, context in
            let member = try await member(asking: request, context)
            guard member.may(permission) else { throw Problem.insufficientRole(member.role, permission) }
            return try await handler(request, context, member)
        }
    }
}

extension StaffMember {
    /// For routes whose body may require an additional permission.
    func require(_ permission: StaffPermission) throws(Problem) {
        guard may(permission) else { throw .insufficientRole(role, permission) }
    }
}
