// Staff can delete a coupon only if no order redeems it. Uncommitted orders count, too.
import Logging
import Ordering
import Postgres
import Shop
import Support
import Testing

@testable import Database

@Suite("Coupon deletion")
struct CouponDeletionTests {
    @Test("Deleting a coupon waits for an uncommitted order that redeems it, and then fails")
    func uncommittedOrder() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            // Each order waits for an advisory lock before it commits.
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
            let draft = try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1), coupon: "FOLLOW")
            let checkout = Task { try await fixture.shop.checkouts.submit(draft) }
            let blockedSessions =
                "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            try await eventually("the checkout waits") { try await database.psql(blockedSessions) == "1" }
            let deletion = Task { try await database.psqlAsStaff("delete from coupons where key = 'FOLLOW'") }
            try await eventually("the deletion waits") { try await database.psql(blockedSessions) == "2" }
            try await test.run(script: "select pg_advisory_unlock(1)")
            await test.close()
            #expect(try await checkout.value.isPlaced)
            let refusal = await #expect(throws: PsqlFailed.self) { try await deletion.value }
            #expect(refusal?.output.contains("ended, not deleted") == true, "\(refusal?.output ?? "")")
            let kept = "select count(*) from orders join coupons on coupons.id = coupon_id"
            #expect(try await database.psql(kept) == "1")
        }
    }

    @Test("A checkout accepted with a coupon is not placed with another coupon of the same id and key")
    func replacedCoupon() async throws {
        try await ShopFixture.with { fixture async throws in
            func insert(percent: Int) -> String {
                """
                insert into coupons (id, key, title, description, benefit, percent)
                values (90, 'HALF', 'Half', 'Off the basket.', 'percent', \(percent));
                """
            }
            try await fixture.database.psqlAsStaff(insert(percent: 50))
            let draft = try await fixture.makeDraft(fixture.makeBasket(), by: Guest(1), coupon: "HALF")
            let facts = try await fixture.storage.loadCheckoutFacts([CheckoutFactsQuery(draft)])
            let menu = try await fixture.storage.loadMenu().menu
            guard case .accept(let order) = Checkout.decide(draft, try facts[0].get().facts(menu: menu)) else {
                Issue.record("the checkout is not accepted")
                return
            }
            try await fixture.database.psqlAsStaff(
                "begin; delete from coupons where id = 90; \(insert(percent: 10)) commit")
            #expect(try await fixture.storage.placeOrders([order]) == [:])
            let counts = "select count(*), (select redeemed from coupon_redemptions where coupon_id = 90) from orders"
            #expect(try await fixture.database.psql(counts) == "0|0")
            // The retry is rejected, because the price has changed.
            #expect(try await fixture.shop.checkouts.submit(draft).order == nil)
        }
    }
}
