// The menu of this server: an immutable snapshot, reloaded when the menu revision changes. Guests can still read it
// while the database is unreachable.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// A menu snapshot. A class, because every request retains it.
package final class MenuSnapshot: Sendable {
    /// The menu as it was read, without stock levels.
    fileprivate let menuWithoutStock: Menu
    /// The menu with its stock levels.
    fileprivate let menuWithStock: Menu
    /// The database's clock at the time when the snapshot was last confirmed.
    fileprivate let clock: DatabaseClock
    /// Whether the newest poll failed: the menu may have changed since.
    package let isStale: Bool
    /// The stock levels at the newest poll; nil if they belong to another menu revision.
    package let stock: StockLevels?

    fileprivate init(
        menuWithoutStock: Menu, menuWithStock: Menu, clock: DatabaseClock, isStale: Bool, stock: StockLevels?
    ) {
        (self.menuWithoutStock, self.menuWithStock, self.clock, self.isStale, self.stock) = (
            menuWithoutStock, menuWithStock, clock, isStale, stock
        )
    }

    /// The menu at the current database time, which advances while the database is unreachable. Sold-out items are
    /// unavailable.
    package var menu: Menu { menuWithStock.evaluated(at: clock.now) }

    /// The menu without stock levels, for checkouts and wanted times, which read newer levels themselves.
    var withoutStock: Menu { menuWithoutStock.evaluated(at: clock.now) }

    /// How long ago the database last confirmed the snapshot.
    package var age: Duration { .now - clock.readAt }

    /// The languages of the menu.
    package var languages: ShopLanguages { menuWithoutStock.languages }

    /// The country of phone numbers without a country code.
    package var defaultCountry: String { menuWithoutStock.defaultCountry }
}

/// Keeps the menu snapshot up to date.
package final class CurrentMenu: Service {
    private struct State {
        var current: MenuSnapshot?
        /// The newest known revision, with its stock levels.
        var reading: LoadedMenuRevision?
        /// The load in progress, shared by all callers.
        var loading: Task<Result<MenuSnapshot, DatabaseFault>, Never>?
        var health: ComponentHealth?
        /// How many polls in a row timed out.
        var slowReads = 0
        /// The end of a simulated failure, for the demonstration.
        var failsUntil: ContinuousClock.Instant?
    }

    private let database: ShopDatabase
    private let replicas: ReadReplicas
    private let logger: Logger
    private let onHealthChange: @Sendable (ComponentHealth) -> Void
    private let state = Mutex(State())
    /// A stream without elements that finishes after the first poll.
    private let (firstPoll, endOfFirstPoll) = AsyncStream.makeStream(of: Never.self)
    private let poller = Poller()
    private let translated = TranslatedMenus()

    /// Serves the menu of `database`, read from a replica if one has the revision.
    init(
        database: ShopDatabase, replicas: ReadReplicas, logger: Logger,
        onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.database, self.replicas, self.logger, self.onHealthChange) = (database, replicas, logger, onHealthChange)
    }

    /// The current snapshot; nil until the menu was loaded for the first time.
    package var current: MenuSnapshot? { state.withLock { $0.current } }

    /// The menu in one of the shop's languages; unchanged without a language.
    package func menu(_ menu: Menu, in language: LanguageTag?) -> Menu { translated.menu(menu, in: language) }

    /// A snapshot at least as new as `revision`: the current one or a newly loaded one.
    func menu(atLeast revision: Int64) async throws(DatabaseFault) -> MenuSnapshot {
        while true {
            if let current, current.menuWithoutStock.revision >= revision { return current }
            let (loading, isOwn) = loading()
            let menu = try await loading.value.get()
            // A load that another caller began may have read an older revision.
            if isOwn || menu.menuWithoutStock.revision >= revision { return menu }
        }
    }

    /// The menu with the stock levels of a reading, which becomes the current snapshot.
    func menu(asOf reading: LoadedMenuRevision) async throws(DatabaseFault) -> Menu {
        keepReading(reading)
        return keep(try await menu(atLeast: reading.revision).menuWithoutStock, reading.clock).menu
    }

    /// Keeps the reading, unless a reading that began later is already there.
    private func keepReading(_ reading: LoadedMenuRevision) {
        state.withLock { state in
            if state.reading.map({ $0.startedAt <= reading.startedAt }) ?? true { state.reading = reading }
        }
    }

    /// The load in progress, or a new one. After a change many requests need the menu at the same time, and one load is
    /// enough.
    private func loading() -> (Task<Result<MenuSnapshot, DatabaseFault>, Never>, isOwn: Bool) {
        state.withLock { state in
            if let loading = state.loading { return (loading, false) }
            let loading = Task {
                defer { self.state.withLock { $0.loading = nil } }
                do throws(DatabaseFault) { return Result<MenuSnapshot, DatabaseFault>.success(try await load()) } catch
                {
                    return .failure(error)
                }
            }
            state.loading = loading
            return (loading, true)
        }
    }

    /// Waits for the end of the first poll, but at most for `limit`. Call it only once, when the server starts.
    package func waitForFirstPoll(within limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { for await _ in self.firstPoll {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Makes every load fail for a while, for the demonstration of the error channel.
    package func simulateFailure(for duration: Duration) { state.withLock { $0.failsUntil = .now + duration } }

    /// Polls the revision once a second and after notifications, and reloads the menu when it changed.
    package func run() async throws {
        // Polling also finds changes behind a pooler that drops LISTEN.
        await poller.run {
            await self.refresh()
            self.endOfFirstPoll.finish()
        }
        endOfFirstPoll.finish()
    }

    private func refresh() async {
        do {
            try failIfSimulated()
            let before = current?.menuWithoutStock
            let reading = try await database.loadMenuRevision()
            let revision = reading.revision
            keepReading(reading)
            if let before, before.revision == revision {
                keep(before, reading.clock)
            } else {
                // A lower revision means that staff restored a dump.
                let menu: Menu
                if let before, before.revision > revision {
                    menu = try await load(isRestored: true).menuWithoutStock
                } else if let replicated = await loadReplicated(atLeast: revision) {
                    keep(replicated, reading.clock)
                    menu = replicated
                } else {
                    menu = try await load().menuWithoutStock
                }
                logger.info("menu loaded", metadata: ["revision": "\(menu.revision)"])
            }
            state.withLock { $0.slowReads = 0 }
            report(.healthy)
        } catch {
            state.withLock { state in
                state.current = state.current.map {
                    MenuSnapshot(
                        menuWithoutStock: $0.menuWithoutStock, menuWithStock: $0.menuWithStock, clock: $0.clock,
                        isStale: true, stock: $0.stock)
                }
            }
            switch error.kind {
            case .connectionLost, .unavailable, .overloaded, .cancelled: break  // reported by the pool
            case .timedOut:
                // The first time-out may be a broken connection, which the pool closes. A second one means that another
                // session has locked a table of the menu.
                let isRepeated = state.withLock { state in
                    state.slowReads += 1
                    return state.slowReads > 1
                }
                if isRepeated, database.poolUsage.openConnections > 0 { report(.failing("\(error)")) }
            case .invalidParameter, .undecodable, .rejectedValues, .conflict, .locked, .restarting, .readOnly,
                .database:
                report(.failing("\(error)"))
            }
        }
    }

    private func load(isRestored: Bool = false) async throws(DatabaseFault) -> MenuSnapshot {
        try failIfSimulated()
        let reading = try await database.loadMenu()
        return keep(reading.menu, reading.clock, isRestored: isRestored)
    }

    /// Loads the menu from a replica; nil if none has this revision. Tries up to four times, because a replica is some
    /// milliseconds behind a change. This delays only the next poll.
    private func loadReplicated(atLeast revision: Int64) async -> Menu? {
        for attempt in 0..<4 {
            if attempt > 0 { try? await Task.sleep(for: .milliseconds(25)) }
            let known = await replicas.read { replica throws(DatabaseFault) in
                try await replica.loadMenuRevision().revision
            }
            guard let known else { return nil }
            guard known >= revision else { continue }
            let menu = await replicas.read(within: .seconds(2)) { replica throws(DatabaseFault) in
                try await replica.loadMenu().menu
            }
            // Another replica may have answered.
            return menu.flatMap { $0.revision >= revision ? $0 : nil }
        }
        return nil
    }

    /// Keeps the newer of two menus whose loads overlap.
    @discardableResult
    private func keep(_ menu: Menu, _ clock: DatabaseClock, isRestored: Bool = false) -> MenuSnapshot {
        state.withLock { state in
            // Derives a new menu only if the revision or the availability of an item changed.
            let before = state.current.flatMap {
                $0.menuWithoutStock.revision == menu.revision && !isRestored ? $0.menuWithStock : nil
            }
            let counted = (before ?? menu).withStock(state.reading?.stock ?? .untracked)
            let stock = state.reading.flatMap { $0.revision == menu.revision ? $0.stock : nil }
            let snapshot = MenuSnapshot(
                menuWithoutStock: menu, menuWithStock: counted, clock: clock, isStale: false, stock: stock)
            if isRestored || state.current.map({ $0.menuWithoutStock.revision <= menu.revision }) ?? true {
                state.current = snapshot
            }
            return snapshot
        }
    }

    private func report(_ health: ComponentHealth) {
        let hasChanged = state.withLock { state in
            defer { state.health = health }
            return state.health != health
        }
        if hasChanged { onHealthChange(health) }
    }

    private func failIfSimulated() throws(DatabaseFault) {
        if let until = state.withLock({ $0.failsUntil }), .now < until {
            throw .undecodable("simulated failure of the menu")
        }
    }
}

extension CurrentMenu: NotificationObserver {
    func listeningBegan() { poller.trigger() }
    func listeningEnded() {}
    func received(_ announcement: DatabaseNotification) { if announcement == .menuChanged { poller.trigger() } }
}
