// How LockedRows checks suspect rows. The checks themselves wait for no lock. Covers LockedRows with
// sql/022_locked_rows.sql. LockedRowsTests covers the effect on requests.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("Suspect rows", .timeLimit(.minutes(5)))
struct SuspectRowTests {
    @Test("A row counts as locked if one transaction keeps it locked, not if several transactions lock it in turn")
    func lockedInTurn() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            let lockStatement = "begin; update item_stock set remaining = remaining where menu_item_id"
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            let first = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            let second = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "\(lockStatement) = 4001")
            try await first.run(script: "\(lockStatement) = 3001")
            let changes = Mutex<[any Error]>([])
            let locked = LockedRows(
                database: open.storage,
                waitBetweenChecks: {
                    do {
                        try await first.run(script: "commit")
                        try await second.run(script: "\(lockStatement) = 3001")
                    } catch {
                        changes.withLock { $0.append(error) }
                    }
                }, onHealthChange: { _ in })
            let (soda, fries) = (
                ContestedRow.stock(.item(MenuItemID(rawValue: 4001))),
                ContestedRow.stock(.item(MenuItemID(rawValue: 3001)))
            )
            #expect(try await Set(open.storage.loadLockedRows(among: [soda, fries]).keys) == [soda, fries])
            #expect(try await locked.findLocked(among: [soda, fries]) == [soda])
            #expect(locked.isLocked(anyOf: [soda]) && !locked.isLocked(anyOf: [fries]))
            #expect(changes.withLock { $0.isEmpty })
            for connection in [staff, first, second] { await connection.close() }
        }
    }

    @Test("A suspect row counts as locked until it is checked, and a free row does not wait for the check of another")
    func suspectRows() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = remaining where menu_item_id = 4001")
            let (soda, fries) = (
                ContestedRow.stock(.item(MenuItemID(rawValue: 4001))),
                ContestedRow.stock(.item(MenuItemID(rawValue: 3001)))
            )
            let (checks, check) = AsyncStream.makeStream(of: Void.self)
            let (pause, end) = AsyncStream.makeStream(of: Never.self)
            let locked = LockedRows(
                database: open.storage,
                waitBetweenChecks: {
                    check.yield()
                    for await _ in pause {}
                }, onHealthChange: { _ in })
            locked.markSuspect([soda, fries])
            #expect(locked.isLocked(anyOf: [soda]) && locked.isLocked(anyOf: [fries]) && locked.suspects.isEmpty)
            let service = Task { await locked.run() }
            for await _ in checks { break }
            #expect(locked.isLocked(anyOf: [soda]) && !locked.isLocked(anyOf: [fries]) && locked.suspects == [fries])
            end.finish()
            try await eventually("the locked row is found") { try await locked.findLocked(among: [soda]) == [soda] }
            try await staff.run(script: "commit")
            try await eventually("no row is locked") { locked.isEmpty }
            #expect(!locked.isLocked(anyOf: [soda]))
            service.cancel()
            await staff.close()
        }
    }

    @Test("A free row remains suspect only until one checkout has locked it")
    func cleared() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let draft = try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest(1))
            let locked = open.shop.locked
            locked.markSuspect([.stock(.item(MenuItemID(rawValue: 4001)))])
            try await eventually("the row was checked") { locked.isEmpty }
            #expect(try await open.shop.checkouts.submit(draft).isPlaced)
            #expect(locked.suspects.isEmpty)
        }
    }

    @Test("A failing check of rows is reported once with its reason, its recovery is reported once, and no job waits")
    func failedCheck() async throws {
        try await ShopFixture.with { open async throws in
            let reports = Mutex<[ComponentHealth]>([])
            let locked = LockedRows(
                database: open.storage, onHealthChange: { health in reports.withLock { $0.append(health) } })
            let service = Task { await locked.run() }
            try await open.database.psql("alter function locked_rows rename to locked_rows_of_another_version")
            let soda = ContestedRow.stock(.item(MenuItemID(rawValue: 4001)))
            locked.markSuspect([soda])
            try await eventually("the failure is reported") { reports.withLock { !$0.isEmpty } }
            #expect(!locked.isLocked(anyOf: [soda]))
            locked.markSuspect([soda])
            try await eventually("the row is no longer skipped") { !locked.isLocked(anyOf: [soda]) }
            try await open.database.psql("alter function locked_rows_of_another_version rename to locked_rows")
            try await eventually("the check succeeds again") { reports.withLock { $0.last == .healthy } }
            let changes = reports.withLock { $0 }
            #expect(changes.count == 2)
            guard case .failing(let reason)? = changes.first else {
                Issue.record("no failure is reported")
                return
            }
            #expect(reason.contains("locked_rows"))
            service.cancel()
        }
    }
}
