// An open transaction that locks a slot's row fails only the requests for that slot, within a second.
// Staff who lock their capacity settings do not block checkouts. Covers take_slots and give_slot_back of
// sql/016_hours.sql.
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite("Locked rows of slots", .timeLimit(.minutes(5)))
struct LockedSlotTests {
    static let lockStatements = [
        "update slot_uses set order_count = order_count where starts_at = $slot",
        """
        create temporary table kept on commit drop as select * from slot_uses where starts_at = $slot;
        delete from slot_uses where starts_at = $slot; insert into slot_uses select * from kept
        """,
    ]

    @Test(
        "Checkouts and cancellations of a locked slot fail until it is free; all other orders are placed meanwhile",
        arguments: lockStatements)
    func lockedSlot(_ statement: String) async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await LastSlotTests.enableSlots(on: open, open, "slot_minutes = 60, orders_per_slot = 12")
            let first = try await open.shop.checkouts.submit(
                open.makeDraft(open.makeBasket(), by: Guest(0), wantedAt: slots[0]))
            let order = try #require(first.order)
            let wanting = try await runConcurrently(Array(1..<11)) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0), wantedAt: slots[0])
            }
            let others = try await runConcurrently(Array(0..<24)) {
                try await open.makeDraft(
                    open.makeBasket(), by: Guest(100 + $0), coupon: $0 % 3 == 1 ? "FRST" : nil,
                    wantedAt: $0 % 2 == 0 ? slots[1] : nil)
            }
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            let lockStatement = statement.replacing("$slot", with: "'\(slots[0].rfc3339)'")
            try await holder.run(script: "begin; \(lockStatement)")
            let begin = ContinuousClock.now
            async let refused = runConcurrently(wanting) { draft -> Duration? in
                do throws(ShopFault) {
                    _ = try await open.shop.checkouts.submit(draft)
                    return nil
                } catch {
                    #expect(error == .rowLocked)
                    return .now - begin
                }
            }
            #expect(
                try await runConcurrently(others) { try await open.shop.checkouts.submit($0).isPlaced }.allSatisfy {
                    $0
                })
            // Requests fail after about 1 s. The test permits 10 s, because the machine may be busy.
            for time in try await refused { #expect(try #require(time) < .seconds(10)) }
            await #expect(throws: ShopFault.rowLocked) { _ = try await open.shop.orders.cancel(order.id) }
            try await holder.run(script: "commit")
            await holder.close()
            #expect(
                try await runConcurrently(wanting) { try await Self.submit($0, to: open).isPlaced }.allSatisfy { $0 })
            let counts = "select order_count from slot_uses order by starts_at"
            #expect(try await open.database.psql(counts) == "11\n12")
            #expect(try await open.database.psql(LastSlotTests.discrepancies) == "")
        }
    }

    @Test("While staff lock the row with the capacity, checkouts and cancellations use the committed capacity")
    func capacities() async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await LastSlotTests.enableSlots(on: open, open, "slot_minutes = 60, orders_per_slot = 5")
            let drafts = try await runConcurrently(Array(0..<8)) {
                try await open.makeDraft(open.makeBasket(), by: Guest($0), wantedAt: slots[0])
            }
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update fulfilments set orders_per_slot = 1")
            let answers = try await runConcurrently(drafts) { try await Self.submit($0, to: open) }
            #expect(answers.filter(\.isPlaced).count == 5 && answers.filter { $0.errorCodes == [.slotFull] }.count == 3)
            let order = try #require(answers.lazy.compactMap(\.order).first)
            #expect(try await open.shop.orders.cancel(order.id) == .cancelled)
            try await staff.run(script: "commit")
            await staff.close()
            // The four placed orders remain, so the reduced capacity of one is used up.
            let next = try await open.makeDraft(open.makeBasket(), by: Guest(20), wantedAt: slots[0])
            #expect(try await Self.submit(next, to: open).errorCodes == [.slotFull])
            #expect(try await open.database.psql("select order_count from slot_uses") == "4")
            #expect(try await open.database.psql(LastSlotTests.discrepancies) == "")
        }
    }

    /// Retries, as a guest would, until the server has noticed that the row is free.
    private static func submit(_ draft: CheckoutDraft, to open: ShopFixture) async throws -> CheckoutAnswer {
        while true {
            do throws(ShopFault) { return try await open.shop.checkouts.submit(draft) } catch {
                guard error == .rowLocked || error == .tooManyConflicts else { throw error }
            }
        }
    }
}
