// Who may come in: the members of staff with their tokens' digests, held in memory for half a second. Asked by Web's StaffDoor of each request.
// However many tokens somebody tries, the database is asked a few times a second. Read next: Sources/Database/Staff/StaffMembers.swift.
import Digests
import Database
import Ordering
import ServiceLifecycle
import Synchronization

package final class StaffMembers: Service {
    private struct State {
        var passes: [StaffPass] = []
        /// When the database was asked for what is held; nil: it may be otherwise by now.
        var asked: ContinuousClock.Instant?
        var loading: Task<Result<[StaffPass], DatabaseFault>, Never>?
        /// Goes up with each word that somebody has changed: what was asked for before it is not kept as new.
        var changes = 0
        /// The tokens with which streams were opened that are still open.
        var watches: [Int64: Watch] = [:]
        var lastWatch: Int64 = 0

        func isValid(_ watch: Watch) -> Bool {
            passes.contains { watch.digest.isEqual(to: $0.tokenDigest) && $0.member.may(watch.permission) }
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

    /// For how long a withdrawn token may open something, where this server hears no announcements.
    private static let trust = Duration.milliseconds(500)
    /// How old what is held may be when a token is refused: who was added a moment ago gets in.
    private static let doubt = Duration.milliseconds(50)
    /// How often the database is asked while a stream is open: a stream ends within a second of the withdrawal of its
    /// token, also where no notification arrives.
    private static let interval = Duration.milliseconds(400)

    private let database: ShopDatabase
    private let state = Mutex(State())
    private let poller = Poller()

    init(database: ShopDatabase) { self.database = database }

    /// Keeps the cached members as they are in the database, so that a token is known before a whole request has come,
    /// and ends the streams of withdrawn tokens.
    package func run() async throws {
        await poller.run(every: Self.interval, isDue: { $0 == 0 || self.hasWatches }) {
            // What keeps it from looking is told to who asks for somebody.
            do { _ = try await self.load() } catch {}
        }
    }

    /// Who shows this token; nil: nobody whose token opens anything.
    package func member(showing token: String) async throws(ShopFault) -> StaffMember? {
        let digest = SHA256Digest(of: Array(token.utf8))
        if let member = Self.member(digest, in: try await passes(noOlderThan: Self.trust)) { return member }
        return Self.member(digest, in: try await passes(noOlderThan: Self.doubt))
    }

    /// The same by what is held, without a wait and without a promise.
    package func heldMember(showing token: String) -> StaffMember? {
        Self.member(SHA256Digest(of: Array(token.utf8)), in: state.withLock { $0.passes })
    }

    /// Watches a token for as long as a stream is open that was opened with it. Compares tokens, not names: a member who
    /// is added again has another one.
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

    /// See ``TokenWatch``.
    fileprivate func isValid(_ number: Int64) async -> Bool {
        // Fails if the database is away. The stream ends then, and its client authenticates anew.
        guard (try? await passes(noOlderThan: Self.trust)) != nil else { return false }
        return state.withLock { state in state.watches[number].map { state.isValid($0) } ?? false }
    }

    fileprivate func forgetWatch(_ number: Int64) { _ = state.withLock { $0.watches.removeValue(forKey: number) } }

    private var hasWatches: Bool { state.withLock { !$0.watches.isEmpty } }

    /// Whether there is anybody.
    package func isAny() async throws(ShopFault) -> Bool {
        if try await !passes(noOlderThan: Self.trust).isEmpty { return true }
        return try await !passes(noOlderThan: Self.doubt).isEmpty
    }

    /// Compares with all, each in constant time: which one it is shows as little as how far it is right.
    private static func member(_ digest: SHA256Digest, in passes: [StaffPass]) -> StaffMember? {
        passes.reduce(StaffMember?.none) { found, pass in digest.isEqual(to: pass.tokenDigest) ? pass.member : found }
    }

    private func passes(noOlderThan age: Duration) async throws(ShopFault) -> [StaffPass] {
        let held = state.withLock { state in state.asked.flatMap { .now - $0 <= age ? state.passes : nil } }
        if let held { return held }
        do { return try await load() } catch { throw ShopFault(error) }
    }

    /// Asks the database; those who come meanwhile wait for the same answer, unless something was changed since it was asked.
    private func load() async throws(DatabaseFault) -> [StaffPass] {
        let loading = state.withLock { state in
            if let loading = state.loading { return loading }
            let (asked, changes) = (ContinuousClock.now, state.changes)
            let loading = Task {
                do throws(DatabaseFault) {
                    let passes = try await database.loadStaffPasses()
                    let withdrawn = self.state.withLock { state -> [Watch] in
                        guard state.changes == changes else { return [] }
                        (state.passes, state.asked, state.loading) = (passes, asked, nil)
                        return state.takeWithdrawn()
                    }
                    for watch in withdrawn { watch.onWithdrawal() }
                    return Result<[StaffPass], DatabaseFault>.success(passes)
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

/// The token of one open stream. It is watched until it is cancelled or released: a stream that is asked for by HEAD never
/// begins.
package final class TokenWatch: Sendable {
    private let members: StaffMembers
    private let number: Int64

    fileprivate init(members: StaffMembers, number: Int64) { (self.members, self.number) = (members, number) }

    deinit { members.forgetWatch(number) }

    /// Whether the token is valid, by what the database said within the last half second.
    package func isValid() async -> Bool { await members.isValid(number) }

    /// The stream has ended.
    package func cancel() { members.forgetWatch(number) }
}

extension StaffMembers: AnnouncementListener {
    func listeningBegan() { forget() }

    func listeningEnded() {}

    func announced(_ announcement: Announcement) { if announcement == .staffChanged { forget() } }

    private func forget() {
        state.withLock { state in
            state.changes += 1
            (state.asked, state.loading) = (nil, nil)
        }
        poller.ask()
    }
}
