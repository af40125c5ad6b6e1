// Authenticates staff and checks their role: with the token of the settings, which acts as a manager, or a member's
// own token.
import HTTPServing
import HTTPTypes
import Ordering
import Shop

struct StaffAuthentication: Sendable {
    /// Nil: only members' tokens are accepted.
    let token: StaffToken?
    let members: StaffAuthenticator
    let wrongTokens: StaffTokenGuessLimit

    /// Whether any valid token exists.
    func hasAnyToken() async throws -> Bool {
        if token != nil { return true }
        return try await members.hasMembers()
    }

    /// Whether a valid token exists or may exist. Without the database the staff page is served, and reports the fault
    /// when staff sign in.
    func mayHaveToken() async throws -> Bool {
        do { return try await hasAnyToken() } catch is ShopFault { return true }
    }

    /// Authenticates a request. The token of the settings is accepted without a query of the database.
    ///
    /// Members' tokens are accepted even from a rate-limited address. They have 256 random bits and cannot be
    /// guessed, and one tablet with a withdrawn token must not lock out the others.
    func authenticate(_ request: Request, _ context: RequestContext) async throws -> StaffMember {
        guard request.headers.contains(.authorization) else {
            throw try await hasAnyToken() ? Problem.staffTokenRequired : Problem.staffTokenMissing
        }
        let (given, peer) = (request.bearerToken, context.peer)
        let verdict: StaffTokenGuessLimit.Verdict
        if let given, let token, token.matches(given) {
            guard let seconds = wrongTokens.retryAfter(request.headers, from: peer) else { return .settingsToken }
            verdict = .limited(seconds: seconds)
        } else if let given, members.cachedMember(withToken: given) != nil,
            let member = try await members.member(withToken: given)
        {
            return member
        } else {
            verdict = wrongTokens.count(request.headers, from: peer)
        }
        do {
            if let given, let member = try await members.member(withToken: given) {
                wrongTokens.refund(verdict)
                return member
            }
            guard try await hasAnyToken() else {
                wrongTokens.refund(verdict)
                throw Problem.staffTokenMissing
            }
        } catch let fault as ShopFault {
            // The database is unavailable. A guess at the token of the settings still counts.
            if token == nil { wrongTokens.refund(verdict) }
            throw fault
        }
        wrongTokens.log(request, context)
        throw wrongTokens.problem(verdict)
    }

    /// Whether the server may read a large body of this request. Checks the token without a query of the database.
    ///
    /// Counts a wrong token here and again in the final rejection. Otherwise concurrent requests could learn whether a
    /// guess at the token of the settings is right, because the body is read only then.
    func isAuthorised(_ headers: HTTPFields, from peer: NetworkAddress?, for permission: StaffPermission) -> Bool {
        guard let given = headers[.authorization].flatMap(BearerToken.parse) else { return false }
        if let member = members.cachedMember(withToken: given) { return member.may(permission) }
        guard let token else { return false }
        if token.matches(given) { return wrongTokens.retryAfter(headers, from: peer) == nil }
        _ = wrongTokens.count(headers, from: peer)
        return false
    }

    /// Watches the token of a stream; nil for the token of the settings, which cannot be withdrawn.
    func watch(
        _ request: Request, _ member: StaffMember, for permission: StaffPermission,
        onWithdrawal: @escaping @Sendable () -> Void
    ) -> TokenWatch? {
        guard member != .settingsToken, let token = request.bearerToken else { return nil }
        return members.watch(token: token, for: permission, onWithdrawal: onWithdrawal)
    }

    /// Authenticates and authorises before the handler examines the request.
    func requiring(_ permission: StaffPermission, _ handler: @escaping StaffHandler) -> Handler {
        { request, context in
            let member = try await authenticate(request, context)
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
