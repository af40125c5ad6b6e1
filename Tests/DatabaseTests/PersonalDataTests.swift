// The personal data of finished orders is replaced after the days that the shop has set, and coupon limits stay exact.
// Tests sql/030_personal_data.sql, sql/033_personal_data_faults.sql and Sources/Database/Retention/Pruning.swift.
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite("Personal data")
struct PersonalDataTests {
    private static let switchOn = "update shop set personal_data_days = 30"

    /// The number of each order, and which of its personal data is replaced.
    private static let replacedData = """
        select number, name is null, phone like 'hmac:%', email like 'hmac:%', address is null, comment is null,
            (lines[1]).note is null
        from orders order by number
        """

    /// Makes all orders finished and a month old.
    private static let finishAll = """
        update orders set state = 'delivered', placed_at = placed_at - interval '31 days' where name is not null;
        update order_steps set at = at - interval '31 days'
        """

    private static let retryNow = "update postponed_orders set retry_at = now()"

    private static func prune(_ database: TestDatabase, _ log: LogRecorder = .init()) async throws -> Pruning.Outcome? {
        try await Pruning(url: database.serverURL, basketAge: .seconds(30 * 86_400), logger: log.logger).run()
    }

    @Test("Without the setting, no order is changed and the shop has no key for hashed guest keys")
    func off() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(1...3, state: "delivered", placedAt: "now() - interval '9 years'")
            let before = try await database.psql("select * from orders order by number")
            #expect(try await Self.prune(database) == .init())
            #expect(try await database.psql("select * from orders order by number") == before)
            #expect(try await database.psql("select guest_key is null from shop_secrets") == "t")
        }
    }

    @Test("Personal data of finished orders is replaced after the period and not before, and of open orders never")
    func period() async throws {
        try await TestDatabase.with(.migrated) { database in
            for (number, state, days) in [
                (1, "delivered", 31), (2, "delivered", 29), (3, "accepted", 900), (4, "rejected", 31),
                (5, "cancelled", 31), (6, "delivered", 31),
            ] {
                try await database.insertOrders(
                    number...number, state: state, placedAt: "now() - interval '\(days) days'")
            }
            try await database.psql(
                """
                update orders set comment = 'Ring twice', lines[1].note = 'no onions';
                -- The last order was delivered yesterday.
                insert into order_steps (order_id, step, state, at)
                select id, 1, 'delivered', now() - interval '1 day' from orders where number = '00000006'
                """)
            try await database.psqlAsStaff(Self.switchOn)
            let amounts = """
                select number, state, total, placed_at, postcode, fingerprint, (lines[1]).title, (lines[1]).unit_price
                from orders order by number
                """
            let before = try await database.psql(amounts)
            #expect(try await Self.prune(database) == .init(replacedOrders: 3))
            #expect(
                try await database.psql(Self.replacedData) == """
                    00000001|t|t|t|t|t|t
                    00000002|f|f|f|f|f|f
                    00000003|f|f|f|f|f|f
                    00000004|t|t|t|t|t|t
                    00000005|t|t|t|t|t|t
                    00000006|f|f|f|f|f|f
                    """)
            #expect(try await database.psql(amounts) == before)
            #expect(try await database.psql("select count(*) from postponed_orders") == "2")

            // A later round examines the postponed orders again, and those that are old enough by then.
            try await database.psql(
                """
                update orders set placed_at = now() - interval '30 days 1 second' where number = '00000002';
                update order_steps set at = now() - interval '31 days';
                \(Self.retryNow)
                """)
            #expect(try await Self.prune(database) == .init(replacedOrders: 2))
            #expect(try await database.psql("select number from orders where name is not null") == "00000003")
            #expect(try await database.psql("select count(*) from postponed_orders") == "1")
            #expect(try await Self.prune(database) == .init())
        }
    }

    @Test("A hashed guest key is the first half of HMAC-SHA256 by a test vector of RFC 4231")
    func hash() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            #expect(
                try await database.psql(
                    "select hashed_guest_key('what do ya want for nothing?', hmac_pads('Jefe'))")
                    == "hmac:5bdcc146bf60754e6a042426089575c7")
            #expect(try await database.psql("select hashed_guest_key('tel:1', null) is null") == "t")
        }
    }

    @Test("First-order coupons and guest limits count orders without personal data, by the phone and by the email")
    func coupons() async throws {
        try await ShopFixture.with { fixture async throws in
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FRST").isPlaced)
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FOLLOW").isPlaced)
            #expect(try await fixture.placeOrder(by: Guest(3)).isPlaced)
            try await fixture.database.psql(Self.finishAll)
            try await fixture.database.psqlAsStaff(Self.switchOn)
            #expect(try await Self.prune(fixture.database) == .init(replacedOrders: 3))
            #expect(
                try await fixture.database.psql(
                    "select count(*), count(*) filter (where guest_key like 'hmac:%') from coupon_uses") == "4|4")

            for (number, coupon, code) in [
                (1, "FRST", FieldErrorCode.couponFirstOrderOnly), (2, "FOLLOW", FieldErrorCode.couponAlreadyUsed),
                (3, "FRST", FieldErrorCode.couponFirstOrderOnly),
            ] {
                var (byPhone, byEmail) = (Guest(number), Guest(number))
                byPhone.email = "somebody.else@example.com"
                byEmail.phone = Guest(100 + number).phone
                for guest in [Guest(number), byPhone, byEmail] {
                    #expect(
                        try await fixture.placeOrder(by: guest, coupon: coupon).errorCodes == [code],
                        "\(number) \(coupon)")
                }
            }
            #expect(try await fixture.placeOrder(by: Guest(4), coupon: "FRST").isPlaced, "a new guest")

            // One of two uses is hashed. One of two concurrent orders gets the other use.
            try await fixture.database.psqlAsStaff("update coupons set guest_limit = 2 where key = 'FOLLOW'")
            let drafts = [
                try await fixture.makeDraft(fixture.makeBasket(), by: Guest(2), coupon: "FOLLOW"),
                try await fixture.makeDraft(fixture.makeBasket(), by: Guest(2), coupon: "FOLLOW"),
            ]
            let answers = try await runConcurrently([0, 1]) { try await fixture.shop.checkouts.submit(drafts[$0]) }
            #expect(answers.filter(\.isPlaced).count == 1)
            let order = try #require(answers.compactMap(\.order).first)
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FOLLOW").errorCodes == [.couponAlreadyUsed])
            #expect(try await fixture.storage.cancelOrder(order.id) == .cancelled)
            #expect(try await fixture.placeOrder(by: Guest(2), coupon: "FOLLOW").isPlaced)
        }
    }

    @Test("Staff find an order without personal data by its number, and not by name, phone or hash; it has no customer")
    func search() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(7...7, state: "delivered", placedAt: "now() - interval '31 days'")
            try await database.psqlAsStaff(Self.switchOn)
            #expect(try await Self.prune(database) == .init(replacedOrders: 1))
            let phone = try await database.psql("select phone from orders")
            try await OpenOrderReadTests.withStorage(on: database) { storage async throws in
                for (words, numbers) in [
                    ("00000007", ["00000007"]), ("ann", []), ("+1 300 000 0007", []), ("300 000 0007", []),
                    (phone, []), (String(phone.dropFirst(5)), []),
                ] {
                    guard let search = OrderSearch(words, defaultCountry: "US") else { continue }
                    let found = try await storage.loadOrders(
                        in: OrderState.allCases, matching: search, limit: 20, after: nil)
                    #expect(found.orders.map(\.number) == numbers, "\(words)")
                    #expect(found.orders.allSatisfy { $0.customer == nil })
                }
            }
        }
    }

    @Test("An order whose mail is still to be sent waits, and then loses the answer of the mail server, too")
    func pendingMail() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(1...1, state: "rejected", placedAt: "now() - interval '31 days'")
            try await database.psql(
                """
                insert into order_mails (order_id, state, at, due_at, answer)
                select id, 'rejected', placed_at, now(), '450 ann.1@example.com is busy' from orders
                """)
            try await database.psqlAsStaff(Self.switchOn)
            #expect(try await Self.prune(database) == .init())
            #expect(try await database.psql("select name, email from orders") == "Ann|ann.1@example.com")
            try await database.psql("update order_mails set sent_at = now(); \(Self.retryNow)")
            #expect(try await Self.prune(database) == .init(replacedOrders: 1))
            #expect(try await database.psql("select answer is null, sent_at is not null from order_mails") == "t|t")
        }
    }

    @Test("A locked order is skipped and delays no other order, and a later round replaces its personal data")
    func lockedOrder() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(1...3, state: "delivered", placedAt: "now() - interval '31 days'")
            try await database.psqlAsStaff(Self.switchOn)
            let lockHolder = try await PostgresConnection.connect(database.url, logger: .silent)
            try await lockHolder.run(script: "begin; select from orders where number = '00000002' for update")
            #expect(try await Self.prune(database) == .init(replacedOrders: 2))
            try await lockHolder.run(script: "commit")
            await lockHolder.close()
            try await database.psql(Self.retryNow)
            #expect(try await Self.prune(database) == .init(replacedOrders: 1))
        }
    }

    @Test("A failure of the database stops no other kind, and the next round continues after the last committed batch")
    func failure() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(
                1...300, state: "delivered", placedAt: "now() - interval '40 days' + n * interval '1 minute'")
            try await database.psql(
                """
                insert into recent_mails (order_id, state, attempt, recipient, at)
                values (gen_random_uuid(), 'placed', 1, '', now() - interval '2 hours');
                create function fail() returns trigger language plpgsql as $$ begin
                    if old.number = '00000250' then raise 'no disk' using errcode = 'disk_full'; end if;
                    return new;
                end $$;
                create trigger a_failure before update on orders for each row execute function fail()
                """)
            try await database.psqlAsStaff(Self.switchOn)
            let failed = try #require(try await Self.prune(database))
            #expect(Set(failed.failures.keys) == [.orders])
            #expect(failed.deletedRows == [.recentMails: 1] && failed.replacedOrders == 200)
            try await database.psql("drop trigger a_failure on orders")
            #expect(try await Self.prune(database) == .init(replacedOrders: 100))
        }
    }

    @Test("An order whose update is rejected is logged without its data, tried again later, and delays no other order")
    func rejectedOrders() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(
                1...300, state: "delivered", placedAt: "now() - interval '40 days' + n * interval '1 minute'")
            try await database.psql(
                """
                alter table orders add constraint newer check (number not in ('00000100', '00000101')) not valid;
                create function fail() returns trigger language plpgsql as $$ begin
                    if old.number = '00000250' then raise '%', old.email using errcode = 'data_exception'; end if;
                    return new;
                end $$;
                create trigger a_failure before update on orders for each row execute function fail()
                """)
            try await database.psqlAsStaff(Self.switchOn)
            let tables = ["orders", "order_steps", "order_mails", "coupon_uses", "baskets", "postponed_orders"]
            let start = try await database.countReads(of: tables)
            let log = LogRecorder()
            #expect(try await Self.prune(database, log) == .init(replacedOrders: 297))
            // Both batches contain a rejected order, so each order is examined twice.
            let first = try await database.countReads(of: tables)
            #expect((300...3600).contains(first - start), "\(first - start)")
            #expect(
                try await database.psql("select number from orders where name is not null order by number") == """
                    00000100
                    00000101
                    00000250
                    """)
            let warnings = log.lines.withLock { $0 }.filter { $0.hasPrefix("warning") }
            #expect(warnings.count == 2, "\(warnings)")
            #expect(warnings.first?.contains("of 2 orders could not be replaced") == true)
            #expect(warnings.first?.contains("23514: ") == true && warnings.first?.contains("\"newer\"") == true)
            #expect(warnings.last?.contains("22000") == true && warnings.last?.contains("@") == false)

            // The next round examines none of them, and a round after a day examines only them.
            let begin = try await database.countReads(of: tables)
            #expect(try await Self.prune(database) == .init())
            let second = try await database.countReads(of: tables)
            #expect(second - begin <= 20, "\(second - begin)")
            #expect(
                try await database.psql(
                    "select count(*) from postponed_orders where retry_at > now() + interval '23 hours'") == "3")
            try await database.psql(Self.retryNow)
            let retry = try await database.countReads(of: tables)
            #expect(try await Self.prune(database) == .init())
            let third = try await database.countReads(of: tables)
            #expect(third - retry <= 100, "\(third - retry)")

            try await database.psql(
                "alter table orders drop constraint newer; drop trigger a_failure on orders; \(Self.retryNow)")
            #expect(try await Self.prune(database) == .init(replacedOrders: 3))
            #expect(try await database.psql("select count(*) from postponed_orders") == "0")
        }
    }

    @Test("A round reads few rows for each order that it changes, and none of the orders that it has finished")
    func reads() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.insertOrders(1...1000, state: "delivered", placedAt: "now() - interval '40 days'")
            try await database.insertOrders(1001...3000, state: "delivered")
            try await database.psqlAsStaff(Self.switchOn)
            let tables = ["orders", "order_steps", "order_mails", "coupon_uses", "baskets", "postponed_orders"]
            let start = try await database.countReads(of: tables)
            #expect(try await Self.prune(database) == .init(replacedOrders: 1000))
            let first = try await database.countReads(of: tables)
            #expect((1000...12_000).contains(first - start), "\(first - start)")
            #expect(try await Self.prune(database) == .init())
            let second = try await database.countReads(of: tables)
            #expect(second - first <= 20, "\(second - first)")
        }
    }

    @Test("The audit of an order contains no data of its guest")
    func audit() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            for state in ["accepted", "preparing", "on_the_way"] {
                try await fixture.database.psqlAsStaff("select advance_order('\(order.number)', '\(state)')")
            }
            try await fixture.database.psqlAsStaff("select delay_order('\(order.number)', 20, 'much snow')")
            #expect(try await fixture.database.psql("select count(*) from audit where what = 'orders'") == "4")
            #expect(
                try await fixture.database.psql(
                    "select count(*) from audit where to_jsonb(audit)::text ~* 'ann lee|5550001|guest.1@|main street'")
                    == "0")
        }
    }
}
