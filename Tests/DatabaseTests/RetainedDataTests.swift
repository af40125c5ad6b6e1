// Each kind of data is deleted after its retention, keeps the rows that a rule needs, and fails on its own.
// Tests sql/023_retention.sql, sql/029_audit_pruning.sql and Sources/Database/Retention.
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite("Retained data")
struct RetainedDataTests {
    /// Inserts one expired row of each kind. Another number makes other keys.
    private static func insertExpiredRows(_ number: Int = 1) -> String {
        """
        insert into audit (at, who, what, after) values (now() - interval '25 months', 'Ann', 'shop', '{}');
        insert into recent_mails (order_id, state, attempt, recipient, at)
        values (gen_random_uuid(), 'placed', 1, '', now() - interval '2 hours');
        insert into order_mails (order_id, state, at, due_at, sent_at)
        select basket_id_at(moment), 'placed', moment, moment, moment
        from (select now() - interval '400 days' as moment) as expired;
        insert into slot_uses (fulfilment, starts_at) values ('pickup', now() - interval '31 days');
        insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
        values (1, 'tel:1', extract(year from now()) - 2, \(number), gen_random_uuid());
        insert into stock_days (subject, id, day) values ('options', \(number), current_date - 370);
        insert into baskets (id, currency, changed_at)
        values ('018bcfe5-6800-7000-8000-00000000000\(number)', 'USD', now() - interval '31 days')
        """
    }

    /// The kinds that delete rows. PersonalDataTests tests the other one.
    private static let deletingKinds = Pruning.Kind.allCases.filter { $0 != .orders }
    private static let everyKindOnce = Dictionary(uniqueKeysWithValues: deletingKinds.map { ($0, 1) })

    private static func prune(_ database: TestDatabase) async throws -> Pruning.Outcome? {
        try await Pruning(url: database.serverURL, basketAge: .seconds(30 * 86_400), logger: .silent).run()
    }

    @Test("A kind that fails does not stop the others, and the next round prunes it", arguments: deletingKinds)
    func failure(kind: Pruning.Kind) async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                """
                \(Self.insertExpiredRows());
                create function fail() returns trigger language plpgsql as $$ begin raise 'no disk'; end $$;
                create trigger a_failure before delete on \(kind.rawValue) for each row execute function fail()
                """)
            let failed = try #require(try await Self.prune(database))
            #expect(failed.failures.keys.sorted { $0.rawValue < $1.rawValue } == [kind])
            #expect(failed.deletedRows == Self.everyKindOnce.filter { $0.key != kind })
            try await database.psql("drop trigger a_failure on \(kind.rawValue)")
            #expect(try await Self.prune(database) == .init(deletedRows: [kind: 1]))
        }
    }

    @Test("A kind whose function the server may not call fails alone")
    func privilege() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                """
                \(Self.insertExpiredRows());
                revoke execute on function prune_audit(integer), prune_slot_uses(integer) from welms_server
                """)
            let outcome = try #require(try await Self.prune(database))
            #expect(Set(outcome.failures.keys) == [.audit, .slotUses])
            #expect(outcome.deletedRows == Self.everyKindOnce.filter { $0.key != .audit && $0.key != .slotUses })
        }
    }

    @Test("Rows that an open transaction has locked are skipped and delay no other row, also on Citus")
    func lockedRows() async throws {
        for isDistributed in [false, true] {
            try await TestDatabase.with(.migrated) { database in
                if isDistributed {
                    try await Psql.run(
                        file: "\(Repository.path)/sql/distributed/006_retention.sql", url: database.url)
                }
                try await database.psql(Self.insertExpiredRows())
                let lockHolder = try await PostgresConnection.connect(database.url, logger: .silent)
                let locks = Self.deletingKinds.map { "select from \($0.rawValue) for update" }
                try await lockHolder.run(script: "begin; \(locks.joined(separator: "; "))")
                try await database.psql(Self.insertExpiredRows(2))
                #expect(try await Self.prune(database) == .init(deletedRows: Self.everyKindOnce))
                try await lockHolder.run(script: "commit")
                await lockHolder.close()
                #expect(try await Self.prune(database) == .init(deletedRows: Self.everyKindOnce))
            }
        }
    }

    /// Inserts audit rows in this order, so that their ids ascend. Each has the age of its months.
    private static func insertAudit(_ rows: [(count: Int, months: Int)]) -> String {
        rows.map { count, months in
            """
            insert into audit (at, who, what, after)
            select now() - interval '\(months) months', 'Ann', 'shop', '{}' from generate_series(1, \(count))
            """
        }.joined(separator: ";\n")
    }

    @Test("Expired audit rows among younger ones are deleted, and no younger one is")
    func mixedAudit() async throws {
        try await TestDatabase.with(.migrated) { database in
            let mixed = (1...3).flatMap { _ in [(count: 30, months: 23), (count: 1, months: 25)] }
            try await database.psql(Self.insertAudit(mixed + [(count: 5001, months: 25), (count: 150, months: 23)]))
            #expect(try await Self.prune(database) == .init(deletedRows: [.audit: 5004]))
            #expect(
                try await database.psql(
                    "select count(*), count(*) filter (where audit_is_retained(at)) from audit where who = 'Ann'")
                    == "240|240")
            #expect(try await Self.prune(database) == .init())
        }
    }

    @Test("Expired audit rows behind 100 younger ones are deleted when the younger ones have expired")
    func precededAudit() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.insertAudit([(count: 100, months: 23), (count: 50, months: 25)]))
            #expect(try await Self.prune(database) == .init())
            try await database.psql(
                """
                alter table audit disable trigger audit_is_append_only;
                update audit set at = at - interval '2 months' where audit_is_retained(at);
                alter table audit enable trigger audit_is_append_only
                """)
            #expect(try await Self.prune(database) == .init(deletedRows: [.audit: 150]))
        }
    }

    @Test("Cancelling an order of a past slot returns the slot within 30 days, and succeeds after its row is deleted")
    func pastSlots() async throws {
        try await ShopFixture.with { fixture async throws in
            for (age, remaining) in [("29 days", "0|0"), ("31 days", "")] {
                let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
                try await fixture.database.psql(
                    """
                    update orders set wanted_at = now() - interval '\(age)', slot_items = 2, eta_minutes = null
                    where id = '\(order.id)';
                    insert into slot_uses (fulfilment, starts_at, order_count, item_count)
                    select 'delivery', wanted_at, 1, 2 from orders where id = '\(order.id)'
                    """)
                #expect(try await Self.prune(fixture.database)?.failures == [:])
                #expect(try await fixture.storage.cancelOrder(order.id) == .cancelled)
                #expect(
                    try await fixture.database.psql(
                        """
                        select order_count, item_count from slot_uses
                        where starts_at = (select wanted_at from orders where id = '\(order.id)')
                        """) == remaining)
            }
            try await fixture.database.psql(
                "insert into slot_uses (fulfilment, starts_at) values ('pickup', now() + interval '1 hour')")
            #expect(try await Self.prune(fixture.database) == .init(), "future slots are kept")
        }
    }

    @Test("Cancelling an order returns the stock of a past day within a year, and succeeds after the day is deleted")
    func pastStockDays() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff("insert into item_stock (menu_item_id, per_day) values (2001, 5)")
            for (days, remaining) in [(360, "0"), (370, "")] {
                let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
                try await fixture.database.psql(
                    """
                    update stock_days set day = current_date - \(days) where sold = 1;
                    update stock_movements set day = current_date - \(days) where order_id = '\(order.id)'
                    """)
                #expect(try await Self.prune(fixture.database)?.failures == [:])
                #expect(try await fixture.storage.cancelOrder(order.id) == .cancelled)
                #expect(
                    try await fixture.database.psql("select sold from stock_days where day = current_date - \(days)")
                        == remaining)
            }
            // The portions that were sold today still count. The last basket is filled before the server can read that
            // the dish is sold out.
            let lastBasket = try await fixture.makeBasket()
            for number in 1...5 { #expect(try await fixture.placeOrder(by: Guest(number)).isPlaced) }
            #expect(try await Self.prune(fixture.database)?.failures == [:])
            let draft = try await fixture.makeDraft(lastBasket, by: Guest(6))
            #expect(try await fixture.shop.checkouts.submit(draft).errorCodes == [.stockShort])
        }
    }

    @Test("A coupon once per guest stays used after pruning, however long ago the guest used it")
    func couponForEver() async throws {
        try await ShopFixture.with { fixture async throws in
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").isPlaced)
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FRST").isPlaced)
            try await fixture.database.psql("update orders set placed_at = placed_at - interval '9 years'")
            let uses = try await fixture.database.psql("select * from coupon_uses order by guest_key")
            #expect(try await Self.prune(fixture.database) == .init())
            #expect(try await fixture.database.psql("select * from coupon_uses order by guest_key") == uses)
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").errorCodes == [.couponAlreadyUsed])
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FRST").errorCodes == [.couponFirstOrderOnly])
        }
    }

    @Test("A coupon once per year stays used this year after pruning, and an order of a pruned year can be cancelled")
    func couponPerYear() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff(
                "update coupons set guest_period = 'calendar_year' where key = 'FOLLOW'")
            let old = try #require(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").order)
            try await fixture.database.psql(
                """
                update orders set placed_at = placed_at - interval '2 years';
                update coupon_uses set period = period - 2
                """)
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").isPlaced, "in another year")
            try await fixture.database.psql(
                """
                insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
                select coupon_id, 'tel:0', period - 1, 1, gen_random_uuid() from coupon_uses
                where guest_key like 'tel:%' order by period desc limit 1
                """)
            #expect(try await Self.prune(fixture.database) == .init(deletedRows: [.couponUses: 2]))
            #expect(try await fixture.database.psql("select count(*) from coupon_uses") == "3")
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").errorCodes == [.couponAlreadyUsed])
            #expect(try await fixture.storage.cancelOrder(old.id) == .cancelled)
            #expect(try await fixture.database.psql("select max(redeemed) from coupon_redemptions") == "1")
        }
    }

    @Test("A mail is kept for a year after its step, also if its basket is older")
    func mails() async throws {
        try await TestDatabase.with(.migrated) { database in
            // The age of the basket and of the mail in days, and the state as a name.
            try await database.psql(
                """
                insert into order_mails (order_id, state, at, due_at)
                select basket_id_at(now() - basket * interval '1 day'), state, now() - mail * interval '1 day', now()
                from (values (900, 900, 'placed'), (900, 364, 'accepted'), (400, 366, 'on_the_way'),
                    (364, 364, 'rejected'), (1, 1, 'cancelled')) as mail (basket, mail, state)
                """)
            #expect(try await Self.prune(database) == .init(deletedRows: [.orderMails: 2]))
            #expect(
                try await database.psql("select string_agg(state, ' ' order by state) from order_mails")
                    == "accepted cancelled rejected")
        }
    }
}
