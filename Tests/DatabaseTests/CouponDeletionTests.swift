// A coupon is deleted only while no order uses it. Orders that are not committed yet count too.
// Tests refuse_coupon_delete and count_coupon_version of sql/002_coupons.sql.
import Logging
import Ordering
import Postgres
import Shop
import Support
import Testing

@testable import Database

@Suite("Deleting a coupon")
struct CouponDeletionTests {
    @Test("Deleting a coupon waits for an uncommitted order that redeems it first, and is then refused")
    func uncommittedOrder() async throws {
        try await OpenShop.with { open async throws in
            let database = open.database
            // Each order waits with its commit for an advisory lock.
            try await database.psql(
                """
                create function wait_for_test() returns trigger language plpgsql as $$
                begin
                    perform set_config('lock_timeout', '0', true), pg_advisory_xact_lock(1);
                    return null;
                end $$;
                create constraint trigger wait_for_test after insert on orders deferrable initially deferred
                    for each row execute function wait_for_test();
                """)
            let test = try await PostgresConnection.connect(database.url, logger: .silent)
            try await test.run(script: "select pg_advisory_lock(1)")
            let draft = try await open.draft(open.basket(), by: Guest(1), coupon: "FOLLOW")
            let checkout = Task { try await open.shop.checkouts.submit(draft) }
            let waiting =
                "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            try await eventually("the checkout waits") { try await database.psql(waiting) == "1" }
            let deletion = Task { try await database.staff("delete from coupons where key = 'FOLLOW'") }
            try await eventually("the deletion waits") { try await database.psql(waiting) == "2" }
            try await test.run(script: "select pg_advisory_unlock(1)")
            await test.close()
            #expect(try await checkout.value.isPlaced)
            let refusal = await #expect(throws: PsqlFailed.self) { try await deletion.value }
            #expect(refusal?.output.contains("ended, not deleted") == true, "\(refusal?.output ?? "")")
            let kept = "select count(*) from orders join coupons on coupons.id = coupon_id"
            #expect(try await database.psql(kept) == "1")
        }
    }

    @Test("A checkout that was decided by a deleted coupon is not placed with another coupon of the same id and key")
    func replacedCoupon() async throws {
        try await OpenShop.with { open async throws in
            func insert(percent: Int) -> String {
                """
                insert into coupons (id, key, title, description, benefit, percent)
                values (90, 'HALF', 'Half', 'Off the basket.', 'percent', \(percent));
                """
            }
            try await open.database.staff(insert(percent: 50))
            let draft = try await open.draft(open.basket(), by: Guest(1), coupon: "HALF")
            let facts = try await open.storage.loadCheckoutFacts([FactsQuestion(draft)])
            let menu = try await open.storage.loadMenu().menu
            guard case .accept(let order) = Checkout.decide(draft, try facts[0].get().facts(menu: menu)) else {
                Issue.record("the checkout is not accepted")
                return
            }
            try await open.database.staff("begin; delete from coupons where id = 90; \(insert(percent: 10)) commit")
            #expect(try await open.storage.placeOrders([order]) == [:])
            let left = "select count(*), (select redeemed from coupon_redemptions where coupon_id = 90) from orders"
            #expect(try await open.database.psql(left) == "0|0")
            // The next try is refused, because the price has changed.
            #expect(try await open.shop.checkouts.submit(draft).order == nil)
        }
    }
}
