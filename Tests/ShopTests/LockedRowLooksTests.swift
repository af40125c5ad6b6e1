// How it is found out who holds a row: by looks that wait for nobody. Tests Sources/Shop/Locks/LockedRows.swift by itself, with
// sql/022_locked_rows.sql; what it is good for: LockedRowsTests.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("Looks at rows that may be held", .timeLimit(.minutes(5)))
struct LockedRowLooksTests {
    @Test("A row that one transaction after the other holds, as many orders do, is not held; one that a transaction does not let go of is")
    func oneAfterTheOther() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            let hold = "begin; update item_stock set remaining = remaining where menu_item_id"
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            let first = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            let second = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "\(hold) = 4001")
            try await first.run(script: "\(hold) = 3001")
            let changes = Mutex<[any Error]>([])
            let locked = LockedRows(
                database: open.storage,
                between: {
                    do {
                        try await first.run(script: "commit")
                        try await second.run(script: "\(hold) = 3001")
                    } catch {
                        changes.withLock { $0.append(error) }
                    }
                }, onHealthChange: { _ in })
            let (soda, fries) = (
                ContestedRow.count(.item(MenuItemID(rawValue: 4001))), ContestedRow.count(.item(MenuItemID(rawValue: 3001)))
            )
            #expect(try await Set(open.storage.loadLockedRows(among: [soda, fries]).keys) == [soda, fries])
            #expect(try await locked.find(among: [soda, fries]) == [soda])
            #expect(locked.holds(anyOf: [soda]) && !locked.holds(anyOf: [fries]))
            #expect(changes.withLock { $0.isEmpty })
            for connection in [staff, first, second] { await connection.close() }
        }
    }

    @Test("What was waited for in vain is left alone until it is looked at; what is free comes back at once while the rest is looked at")
    func doubted() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = remaining where menu_item_id = 4001")
            let (soda, fries) = (
                ContestedRow.count(.item(MenuItemID(rawValue: 4001))), ContestedRow.count(.item(MenuItemID(rawValue: 3001)))
            )
            let (looks, look) = AsyncStream.makeStream(of: Void.self)
            let (pause, end) = AsyncStream.makeStream(of: Never.self)
            let locked = LockedRows(
                database: open.storage,
                between: {
                    look.yield()
                    for await _ in pause {}
                }, onHealthChange: { _ in })
            locked.doubt([soda, fries])
            #expect(locked.holds(anyOf: [soda]) && locked.holds(anyOf: [fries]) && locked.suspected.isEmpty)
            let service = Task { await locked.run() }
            for await _ in looks { break }
            #expect(locked.holds(anyOf: [soda]) && !locked.holds(anyOf: [fries]) && locked.suspected == [fries])
            end.finish()
            try await eventually("it is known who holds it") { try await locked.find(among: [soda]) == [soda] }
            try await staff.run(script: "commit")
            try await eventually("it is free") { locked.isEmpty }
            #expect(!locked.holds(anyOf: [soda]))
            service.cancel()
            await staff.close()
        }
    }

    @Test("What was doubted and is free is kept apart until somebody has it, also where nobody else is in the way, and no longer")
    func trusted() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let draft = try await open.draft(open.basket([4001: 1]), by: Guest(1))
            let locked = open.shop.locked
            locked.doubt([.count(.item(MenuItemID(rawValue: 4001)))])
            try await eventually("it was looked at") { locked.isEmpty }
            #expect(try await open.shop.checkouts.submit(draft).isPlaced)
            #expect(locked.suspected.isEmpty)
        }
    }

    @Test(
        "Where the database refuses the look, that is told once with its reason, and its end once; nobody waits for it"
    )
    func unread() async throws {
        try await OpenShop.with { open async throws in
            let heard = Mutex<[Health]>([])
            let locked = LockedRows(database: open.storage, onHealthChange: { health in heard.withLock { $0.append(health) } })
            let service = Task { await locked.run() }
            try await open.database.psql("alter function locked_rows rename to locked_rows_of_another_version")
            let soda = ContestedRow.count(.item(MenuItemID(rawValue: 4001)))
            locked.doubt([soda])
            try await eventually("it is told") { heard.withLock { !$0.isEmpty } }
            #expect(!locked.holds(anyOf: [soda]))
            locked.doubt([soda])
            try await eventually("it is left alone no longer") { !locked.holds(anyOf: [soda]) }
            try await open.database.psql("alter function locked_rows_of_another_version rename to locked_rows")
            try await eventually("it looks again") { heard.withLock { $0.last == .healthy } }
            let told = heard.withLock { $0 }
            #expect(told.count == 2)
            guard case .failing(let reason)? = told.first else {
                Issue.record("nothing fails")
                return
            }
            #expect(reason.contains("locked_rows"))
            service.cancel()
        }
    }
}
