// The menu that this server serves: an immutable snapshot, reloaded when the database says that it moved on.
// Baskets and checkouts ask for one no older than the revision their facts were read at; Web serves the menu from it, and goes on
// serving it while the database is away. Run as a service by RunningShop. Read next: Sources/Database/Menu/LoadMenu.swift.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// The menu as it is served. One reference, for each request takes it along.
package final class MenuSnapshot: Sendable {
    /// As it was read.
    fileprivate let read: Menu
    /// With what is left of what staff count.
    fileprivate let counted: Menu
    /// The database's clock, as it was read when the database last said that it is current.
    fileprivate let clock: DatabaseClock
    /// Whether the newest look at the database failed: the menu may have moved on since.
    package let isStale: Bool
    /// What was left at the newest look of what is counted. What is counted goes by the menu's revision; nil where that was another one.
    package let stock: StockLeft?

    fileprivate init(read: Menu, counted: Menu, clock: DatabaseClock, isStale: Bool, stock: StockLeft?) {
        (self.read, self.counted, self.clock, self.isStale, self.stock) = (read, counted, clock, isStale, stock)
    }

    /// The menu now, by the database's clock, which goes on while the database is away; what there is none left of can't be had.
    package var menu: Menu { counted.at(clock.now) }

    /// The same without a look at what is left: for checkouts and the times that are offered, which know it better.
    var uncounted: Menu { read.at(clock.now) }

    /// How long ago the database last said that it is current.
    package var age: Duration { .now - clock.readAt }

    /// What it can be read in.
    package var languages: ShopLanguages { read.languages }

    /// Where a phone number without a country belongs to.
    package var defaultCountry: String { read.defaultCountry }
}

/// The menu, kept up to date.
package final class CurrentMenu: Service {
    private struct State {
        var current: MenuSnapshot?
        /// What was left at the newest reading.
        var reading: RevisionReading?
        /// What somebody reads now, for all who need it.
        var loading: Task<Result<MenuSnapshot, DatabaseFault>, Never>?
        var health: Health?
        /// How many looks in a row took too long.
        var slowReads = 0
        /// Set by the demonstration: until then every reading fails.
        var failsUntil: ContinuousClock.Instant?
    }

    private let database: ShopDatabase
    private let replicas: ReadReplicas
    private let logger: Logger
    private let onHealthChange: @Sendable (Health) -> Void
    private let state = Mutex(State())
    /// Ends with the first look.
    private let (beforeFirstLook, endOfFirstLook) = AsyncStream.makeStream(of: Never.self)
    private let poller = Poller()
    private let translated = TranslatedMenus()

    /// The menu of `database`, read on a replica where one has it.
    init(
        database: ShopDatabase, replicas: ReadReplicas, logger: Logger, onHealthChange: @escaping @Sendable (Health) -> Void
    ) {
        (self.database, self.replicas, self.logger, self.onHealthChange) = (database, replicas, logger, onHealthChange)
    }

    /// Nil until the menu was read for the first time.
    package var current: MenuSnapshot? { state.withLock { $0.current } }

    /// The menu in one of the shop's languages; as it is if nothing is said.
    package func menu(_ menu: Menu, in language: LanguageTag?) -> Menu { translated.menu(menu, in: language) }

    /// A menu at least as new as `revision`: the current one, or a fresh one.
    func menu(atLeast revision: Int64) async throws(DatabaseFault) -> MenuSnapshot {
        while true {
            if let current, current.read.revision >= revision { return current }
            let (loading, isOwn) = loading()
            let menu = try await loading.value.get()
            // One that somebody else began may have begun too early.
            if isOwn || menu.read.revision >= revision { return menu }
        }
    }

    /// The menu with what was left at a reading: from then on everybody has it so.
    func menu(asOf reading: RevisionReading) async throws(DatabaseFault) -> Menu {
        note(reading)
        return keep(try await menu(atLeast: reading.revision).read, reading.clock).menu
    }

    /// What is left, unless a reading that began later was there first.
    private func note(_ reading: RevisionReading) {
        state.withLock { state in
            if state.reading.map({ $0.began <= reading.began }) ?? true { state.reading = reading }
        }
    }

    /// The loading that is under way, or one of the caller's own. After a change everybody asks at the same moment, and one will do.
    private func loading() -> (Task<Result<MenuSnapshot, DatabaseFault>, Never>, isOwn: Bool) {
        state.withLock { state in
            if let loading = state.loading { return (loading, false) }
            let loading = Task {
                defer { self.state.withLock { $0.loading = nil } }
                do throws(DatabaseFault) { return Result<MenuSnapshot, DatabaseFault>.success(try await load()) } catch {
                    return .failure(error)
                }
            }
            state.loading = loading
            return (loading, true)
        }
    }

    /// Waits, but not for long, until the service has looked for the first time: the menu is there, or could not be had.
    /// For one caller, at the start.
    package func firstLook(within limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { for await _ in self.beforeFirstLook {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Makes every reading of the menu fail for a while, for the demonstration of the error channel.
    package func simulateFailure(for duration: Duration) { state.withLock { $0.failsUntil = .now + duration } }

    /// Looks at the revision once a second, and at once when a change is announced; reloads when it moved.
    package func run() async throws {
        // Once a second is also the way to hear of changes while nobody listens, as behind a pooler that drops LISTEN.
        await poller.run {
            await self.refresh()
            self.endOfFirstLook.finish()
        }
        endOfFirstLook.finish()
    }

    private func refresh() async {
        do {
            try failIfSimulated()
            let before = current?.read
            let reading = try await database.loadMenuRevision()
            let revision = reading.revision
            note(reading)
            if let before, before.revision == revision {
                keep(before, reading.clock)
            } else {
                // Where the revision has gone down since it was last seen, staff have put back a dump.
                let menu: Menu
                if let before, before.revision > revision {
                    menu = try await load(ofOtherHistory: true).read
                } else if let replicated = await loadReplicated(atLeast: revision) {
                    keep(replicated, reading.clock)
                    menu = replicated
                } else {
                    menu = try await load().read
                }
                logger.info("menu loaded", metadata: ["revision": "\(menu.revision)"])
            }
            state.withLock { $0.slowReads = 0 }
            report(.healthy)
        } catch {
            state.withLock { state in
                state.current = state.current.map {
                    MenuSnapshot(
                        read: $0.read, counted: $0.counted, clock: $0.clock, isStale: true, stock: $0.stock)
                }
            }
            switch error.kind {
            case .connectionLost, .unavailable, .overloaded, .cancelled: break  // the pool tells of these
            case .timedOut:
                // Once it may be a connection that stands still, which the pool gives up. Again it is somebody who holds a table of the menu.
                let isAgain = state.withLock { state in
                    state.slowReads += 1
                    return state.slowReads > 1
                }
                if isAgain, database.use.openConnections > 0 { report(.failing("\(error)")) }
            case .invalidParameter, .undecodable, .values, .race, .locked, .restarting, .readOnly, .database: report(.failing("\(error)"))
            }
        }
    }

    private func load(ofOtherHistory: Bool = false) async throws(DatabaseFault) -> MenuSnapshot {
        try failIfSimulated()
        let reading = try await database.loadMenu()
        return keep(reading.menu, reading.clock, ofOtherHistory: ofOtherHistory)
    }

    /// The menu as a replica has it; nil where none has this revision yet. A replica is some milliseconds behind a change that was announced
    /// just now, so it is asked a few times; nobody waits for this but the next look.
    private func loadReplicated(atLeast revision: Int64) async -> Menu? {
        for attempt in 0..<4 {
            if attempt > 0 { try? await Task.sleep(for: .milliseconds(25)) }
            let known = await replicas.read { replica throws(DatabaseFault) in try await replica.loadMenuRevision().revision }
            guard let known else { return nil }
            guard known >= revision else { continue }
            let menu = await replicas.read(within: .seconds(2)) { replica throws(DatabaseFault) in try await replica.loadMenu().menu }
            // Of several replicas another one may have answered.
            return menu.flatMap { $0.revision >= revision ? $0 : nil }
        }
        return nil
    }

    /// Two loads can overtake each other; the newer menu stays.
    @discardableResult
    private func keep(_ menu: Menu, _ clock: DatabaseClock, ofOtherHistory: Bool = false) -> MenuSnapshot {
        state.withLock { state in
            // A menu is made anew only where it is another one, or something is gone or there again.
            let before = state.current.flatMap { $0.read.revision == menu.revision && !ofOtherHistory ? $0.counted : nil }
            let counted = (before ?? menu).stocked(state.reading?.stock ?? .untracked)
            let stock = state.reading.flatMap { $0.revision == menu.revision ? $0.stock : nil }
            let snapshot = MenuSnapshot(read: menu, counted: counted, clock: clock, isStale: false, stock: stock)
            if ofOtherHistory || state.current.map({ $0.read.revision <= menu.revision }) ?? true { state.current = snapshot }
            return snapshot
        }
    }

    private func report(_ health: Health) {
        let isNews = state.withLock { state in
            defer { state.health = health }
            return state.health != health
        }
        if isNews { onHealthChange(health) }
    }

    private func failIfSimulated() throws(DatabaseFault) {
        if let until = state.withLock({ $0.failsUntil }), .now < until { throw .undecodable("simulated failure of the menu") }
    }
}

extension CurrentMenu: AnnouncementListener {
    func listeningBegan() { poller.ask() }
    func listeningEnded() {}
    func announced(_ announcement: Announcement) { if announcement == .menuChanged { poller.ask() } }
}
