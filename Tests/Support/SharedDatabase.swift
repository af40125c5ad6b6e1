// A database that is there already, instead of one for each test: a Citus cluster can't be cloned. Used where WELMS_TEST_DATABASE_URL names
// one (make test-citus), by tests that run one after the other and begin with the shop as it ships.
import Database
import FoundationEssentials
import Logging

/// The database of a whole run.
enum SharedDatabase {
    /// Nil in an ordinary run.
    static let given: TestDatabase? = {
        guard let url = ProcessInfo.processInfo.environment["WELMS_TEST_DATABASE_URL"], !url.isEmpty else { return nil }
        return TestDatabase(name: "given", url: url)
    }()

    /// The shop as it ships: nobody has a basket, and staff have changed nothing.
    static func empty(_ database: TestDatabase) async throws {
        try await database.psql(
            """
            truncate baskets, orders, order_steps, pending_order_steps, order_mails, recent_mails, coupon_uses;
            update coupon_redemptions set redeemed = 0; update coupons set redemption_limit = null;
            delete from coupons;
            delete from item_stock; delete from option_stock;
            truncate stock_days, stock_movements, slot_uses;
            update shop set currency = default, time_zone = default, business_day_start = default;
            update fulfilments set lead_minutes = default, slot_minutes = default, horizon_days = default, orders_per_slot = default, items_per_slot = default;
            """)
        for file in try SeedFile.shipped() { try await file.load(into: database.url, logger: .silent) }
    }
}
