// A step has the time at which it is made, even if its transaction began long before.
// Tests sql/007_order_steps.sql, and what a step writes into stock_movements and audit.
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite("Time of a step")
struct StepTimeTests {
    @Test(
        "A step has its own time, not that of an older transaction's start, and its minutes count from this time"
    )
    func openTransaction() async throws {
        try await ShopFixture.with { fixture async throws in
            let (database, storage) = (fixture.database, fixture.storage)
            try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 10)")
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            // The transaction's now() keeps the time of its first statement.
            try await staff.run(script: "begin; select now()")
            try await Task.sleep(for: .milliseconds(1500))
            let accepted = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            let rejected = try #require(try await fixture.placeOrder(by: Guest(2)).order)
            try await staff.run(
                script: """
                    select advance_order('\(accepted.number)', 'accepted', minutes => 25);
                    select pg_sleep(0.3);
                    select delay_order('\(accepted.number)', 10, 'the oven');
                    select advance_order('\(rejected.number)', 'rejected', 'closed');
                    update item_stock set remaining = 5 where menu_item_id = 2001;
                    commit
                    """)
            await staff.close()
            #expect(
                try await database.psql(
                    """
                    select bool_and(at > placed_at), count(*) from order_steps join orders on order_id = id;
                    select bool_and(at > (select max(placed_at) from orders))
                    from audit where what in ('orders', 'item_stock') and before is not null;
                    select bool_and(at > (select max(placed_at) from orders))
                    from stock_movements where reason = 'given_back' or change = -4
                    """) == "t|3\nt\nt")
            let steps = try #require(try await storage.loadHistories([accepted.id]).first).steps
            #expect(steps[1].promisedAt == steps[1].occurredAt.advanced(by: .seconds(25 * 60)))
            #expect(steps[2].occurredAt >= steps[1].occurredAt.advanced(by: .milliseconds(300)))
            #expect(steps[2].promisedAt == steps[1].promisedAt?.advanced(by: .seconds(600)))
        }
    }

    @Test("A step can be taken back within ten seconds after it was made, even if its transaction began long before")
    func takenBack() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            let staff = try await PostgresConnection.connect(fixture.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select now(), pg_sleep(10.5)")
            try await staff.run(script: "select advance_order('\(order.number)', 'accepted'); commit")
            await staff.close()
            try await fixture.database.psqlAsStaff("select take_back_step('\(order.number)')")
            #expect(try await fixture.storage.loadOrder(order.id)?.state == .placed)
        }
    }
}
