// One existing database instead of a new database per test, because a Citus cluster cannot be cloned.
// WELMS_TEST_DATABASE_URL names it (make test-citus). Its tests run serially, and each begins with the shipped shop.
import Database
import FoundationEssentials
import Logging

/// The database of a whole run.
enum SharedDatabase {
    /// The database; nil in an ordinary run.
    static let existing: TestDatabase? = {
        guard let url = ProcessInfo.processInfo.environment["WELMS_TEST_DATABASE_URL"], !url.isEmpty else { return nil }
        return TestDatabase(name: "given", url: url)
    }()

    /// Restores the shipped shop: no baskets, no orders, and no changes by staff.
    static func reset(_ database: TestDatabase) async throws {
        try await database.psql(
            """
            truncate baskets, orders, order_steps, pending_order_steps, order_mails, recent_mails, coupon_uses;
            truncate unfinished_baskets; update basket_pruning set examined_to = default;
            update coupon_redemptions set redeemed = 0; update coupons set redemption_limit = null;
            delete from coupons;
            delete from item_stock; delete from option_stock;
            truncate stock_days, stock_movements, slot_uses;
            update shop set currency = default, time_zone = default, business_day_start = default;
            update fulfilments set lead_minutes = default, slot_minutes = default, horizon_days = default,
                orders_per_slot = default, items_per_slot = default;
            do $$ begin
                execute replace(pg_get_functiondef('limit_lock_wait'::regproc), '60s', '100ms');
            end $$;
            """)
        for file in try SeedFile.shipped() { try await file.load(into: database.url, logger: .silent) }
    }
}
