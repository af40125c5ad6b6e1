// Authenticates staff: caches the members and the digests of their tokens for half a second. So the database gets only
// a few queries a second, however many tokens a client tries.
import Digests
import Database
import Ordering
import ServiceLifecycle
import Synchronization

/// Authenticates staff members by their tokens.
package final class StaffAuthenticator: Service {
    private struct State {
        var credentials: [StaffCredential] = []
        /// When the query for the cached credentials began; nil: they may be outdated.
        var queriedAt: ContinuousClock.Instant?
        var loading: Task<Result<[StaffCredential], DatabaseFault>, Never>?
        /// Incremented with each change. A query that began before a change is not cached.
        var changes = 0
        /// The tokens of open streams.
        var watches: [Int64: Watch] = [:]
        var lastWatch: Int64 = 0

        func isValid(_ watch: Watch) -> Bool {
            credentials.contains { watch.digest.isEqual(to: $0.tokenDigest) && $0.member.may(watch.permission) }
        }

        /// Removes the watches whose tokens were withdrawn.
        mutating func takeWithdrawn() -> [Watch] {
            let withdrawn = watches.filter { !isValid($0.value) }
            for number in withdrawn.keys { watches[number] = nil }
            return Array(withdrawn.values)
        }
    }

    private struct Watch: Sendable {
        let digest: SHA256Digest
        let permission: StaffPermission
        let onWithdrawal: @Sendable () -> Void
    }

    /// How long a withdrawn token may stay valid if no notification arrives.
    private static let cacheLifetime = Duration.milliseconds(500)
    /// The maximum age of the cache by which a token is rejected. It is short, so that a new member gets access.
    private static let rejectionCacheLifetime = Duration.milliseconds(50)
    /// How often the database is queried while a stream is open: a stream ends within a second of the withdrawal of its
    /// token, even if no notification arrives.
    private static let interval = Duration.milliseconds(400)

    private let database: ShopDatabase
    private let state = Mutex(State())
    private let poller = Poller()

    init(database: ShopDatabase) { self.database = database }

    /// Keeps the cached members up to date, so that `cachedMember` knows a token before the whole request has arrived.
    /// Ends the streams of withdrawn tokens.
    package func run() async throws {
        await poller.run(every: Self.interval, isDue: { $0 == 0 || self.hasWatches }) {
            // A failure is reported to the next request.
            do { _ = try await self.load() } catch {}
        }
    }

    /// The member with this token; nil if the token is not valid.
    package func member(withToken token: String) async throws(ShopFault) -> StaffMember? {
        let digest = SHA256Digest(of: Array(token.utf8))
        if let member = Self.member(digest, in: try await passes(noOlderThan: Self.cacheLifetime)) { return member }
        return Self.member(digest, in: try await passes(noOlderThan: Self.rejectionCacheLifetime))
    }

    /// The member with this token according to the cache, which may be outdated. Sends no query.
    package func cachedMember(withToken token: String) -> StaffMember? {
        Self.member(SHA256Digest(of: Array(token.utf8)), in: state.withLock { $0.credentials })
    }

    /// Watches the token of an open stream. Compares tokens and not names, because a member who is added again has a
    /// new token.
    /// - Parameter onWithdrawal: Called once when the token is withdrawn or loses the permission. Must not block.
    package func watch(
        token: String, for permission: StaffPermission, onWithdrawal: @escaping @Sendable () -> Void
    ) -> TokenWatch {
        let watch = Watch(
            digest: SHA256Digest(of: Array(token.utf8)), permission: permission, onWithdrawal: onWithdrawal)
        let number = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = watch
            return state.lastWatch
        }
        return TokenWatch(members: self, number: number)
    }

    /// Whether the watched token is still valid.
    fileprivate func isValid(_ number: Int64) async -> Bool {
        // If the database is unreachable, the stream ends, and its client authenticates again.
        guard (try? await passes(noOlderThan: Self.cacheLifetime)) != nil else { return false }
        return state.withLock { state in state.watches[number].map { state.isValid($0) } ?? false }
    }

    fileprivate func forgetWatch(_ number: Int64) { _ = state.withLock { $0.watches.removeValue(forKey: number) } }

    private var hasWatches: Bool { state.withLock { !$0.watches.isEmpty } }

    /// Whether there is any staff member.
    package func hasMembers() async throws(ShopFault) -> Bool {
        if try await !passes(noOlderThan: Self.cacheLifetime).isEmpty { return true }
        return try await !passes(noOlderThan: Self.rejectionCacheLifetime).isEmpty
    }

    /// Compares all digests, each in constant time, so that the time reveals neither the member nor a matching prefix.
    private static func member(_ digest: SHA256Digest, in passes: [StaffCredential]) -> StaffMember? {
        passes.reduce(StaffMember?.none) { found, pass in digest.isEqual(to: pass.tokenDigest) ? pass.member : found }
    }

    private func passes(noOlderThan age: Duration) async throws(ShopFault) -> [StaffCredential] {
        let held = state.withLock { state in state.queriedAt.flatMap { .now - $0 <= age ? state.credentials : nil } }
        if let held { return held }
        do { return try await load() } catch { throw ShopFault(error) }
    }

    /// Queries the database. Concurrent callers share the query, unless a change arrived after it began.
    private func load() async throws(DatabaseFault) -> [StaffCredential] {
        let loading = state.withLock { state in
            if let loading = state.loading { return loading }
            let (asked, changes) = (ContinuousClock.now, state.changes)
            let loading = Task {
                do throws(DatabaseFault) {
                    let passes = try await database.loadStaffCredentials()
                    let withdrawn = self.state.withLock { state -> [Watch] in
                        guard state.changes == changes else { return [] }
                        (state.credentials, state.queriedAt, state.loading) = (passes, asked, nil)
                        return state.takeWithdrawn()
                    }
                    for watch in withdrawn { watch.onWithdrawal() }
                    return Result<[StaffCredential], DatabaseFault>.success(passes)
                } catch {
                    self.state.withLock { if $0.changes == changes { $0.loading = nil } }
                    return .failure(error)
                }
            }
            state.loading = loading
            return loading
        }
        return try await loading.value.get()
    }
}

/// The watch of one stream's token. Releasing it also ends the watch, because a stream that HEAD requested never begins
/// or ends.
package final class TokenWatch: Sendable {
    private let members: StaffAuthenticator
    private let number: Int64

    fileprivate init(members: StaffAuthenticator, number: Int64) { (self.members, self.number) = (members, number) }

    deinit { members.forgetWatch(number) }

    /// Whether the token is valid according to a query that is at most half a second old.
    package func isValid() async -> Bool { await members.isValid(number) }

    /// Ends the watch, because the stream has ended.
    package func cancel() { members.forgetWatch(number) }
}

extension StaffAuthenticator: NotificationObserver {
    func listeningBegan() { invalidate() }

    func listeningEnded() {}

    func received(_ announcement: DatabaseNotification) { if announcement == .staffChanged { invalidate() } }

    private func invalidate() {
        state.withLock { state in
            state.changes += 1
            (state.queriedAt, state.loading) = (nil, nil)
        }
        poller.trigger()
    }
}
