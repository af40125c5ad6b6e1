// Mails to guests through a real SMTP server, Tests/Tools/Mail/smtp.py, and failures of the server, the database and
// the process. Covers Sources/Shop/Mail and Sources/Mail/SMTP.
import Ordering
import Postgres
import Shop
import Support
import Synchronization
import Testing

@Suite("Order mails", .timeLimit(.minutes(5)))
struct OrderMailTests {
    /// Collects the reported health of the mail.
    private final class HealthReports: Sendable {
        let all = Mutex<[ComponentHealth]>([])
        var isFailing: Bool { all.withLock { $0.last.map { $0 != .healthy } ?? false } }
        var areHealthy: [Bool] { all.withLock { $0.map { $0 == .healthy } } }
        func record(_ health: ComponentHealth) { all.withLock { $0.append(health) } }
    }

    private static func with(
        _ server: MailServer, reports: HealthReports = HealthReports(),
        edit: (inout MailConfiguration) -> Void = { _ in },
        _ body: (ShopFixture) async throws -> Void
    ) async throws {
        var mail = try #require(MailConfiguration.withoutDelays(port: server.port))
        edit(&mail)
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database, mail: mail, onMail: reports.record) { open async throws in
                try await waitUntilStarted(database)
                try await body(open)
            }
        }
    }

    private static func waitUntilStarted(_ database: TestDatabase) async throws {
        try await eventually("the mailer has started") {
            try await database.psql("select count(*) from mailing") == "1"
        }
    }

    private static func order(_ open: ShopFixture, _ guest: Int, email: String? = nil, language: String? = nil)
        async throws -> Order
    {
        var guest = Guest(guest)
        if let email { guest.email = email }
        return try #require(
            try await open.shop.checkouts.submit(open.makeDraft(open.makeBasket(), by: guest, language: language)).order
        )
    }

    @Test("Each step is sent once in the guest's language, with its own Message-ID, valid headers and both texts")
    func steps() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                try await open.database.psqlAsStaff("update shop set languages = '{en,de,es}'")
                try await eventually("the languages are known") { open.shop.menu.current?.languages.all.count == 3 }
                let english = try await Self.order(open, 1)
                let german = try await Self.order(open, 2, language: "de")
                let spanish = try await Self.order(open, 3, language: "es")
                #expect(
                    try await open.database.psql("select coalesce(language, 'null') from orders order by phone")
                        == "null\nde\nes",
                    "the shop's own language is not stored")
                // Sets the time to take a step back to 0, so that no mail waits.
                try await open.database.psql(
                    """
                    create or replace function take_back_time() returns interval language sql immutable
                    as $$ select interval '0' $$
                    """)
                for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                    try await open.database.psqlAsStaff("select advance_order('\(english.number)', '\(state)')")
                }
                try await open.database.psqlAsStaff(
                    "select advance_order('\(german.number)', 'rejected', 'keine Brötchen <mehr>')")
                _ = try await open.shop.orders.cancel(spanish.id)
                let mails = try await server.mails(atLeast: 7)
                try await eventually("all mails are recorded") {
                    try await open.database.psql(
                        "select count(*) from order_mails where sent_at is not null and attempts = 1") == "7"
                }
                let ids = [
                    (english.id, ["placed", "accepted", "on_the_way"]), (german.id, ["placed", "rejected"]),
                    (spanish.id, ["placed", "cancelled"]),
                ].flatMap { id, states in states.map { "<\(id).\($0)@shop.example>" } }
                #expect(mails.map(\.messageID).sorted() == ids.sorted())
                for mail in mails {
                    #expect(
                        mail.sender == "orders@shop.example"
                            && mail.headers["From"] == "Welm's Delivery <orders@shop.example>")
                    #expect(mail.recipients == [mail.headers["To"] ?? ""] && mail.to.hasPrefix("Guest."))
                    #expect(mail.headers["Auto-Submitted"] == "auto-generated" && mail.headers["Mime-Version"] == "1.0")
                    #expect(mail.types == ["multipart/alternative", "text/plain", "text/html"])
                    #expect(
                        mail.isASCII && mail.longest <= 998 && mail.defects == []
                            && Set(mail.names).count == mail.names.count)
                }
                let placed = try #require(mails.first { $0.messageID.contains("\(german.id).placed") })
                #expect(
                    placed.headers["Content-Language"] == "de" && placed.subject.contains("wir haben Ihre Bestellung"))
                #expect(
                    placed.plain?.contains("The Big Tasty") == true && placed.plain?.contains("8,05\u{A0}$") == true)
                let rejected = try #require(mails.first { $0.state == "rejected" })
                #expect(rejected.plain?.contains("keine Brötchen <mehr>") == true)
                #expect(rejected.html?.contains("keine Brötchen &lt;mehr&gt;") == true)
                #expect(mails.first { $0.state == "cancelled" }?.headers["Content-Language"] == "es")
                let date = try await open.database.psql(
                    """
                    select to_char(placed_at at time zone 'UTC', 'Dy, FMDD Mon YYYY HH24:MI:SS')
                    from orders where id = '\(german.id)'
                    """)
                #expect(placed.headers["Date"] == "\(date) +0000")
            }
        }
    }

    @Test("A mail waits ten seconds, is dropped if its step is taken back, and contains the estimate of an acceptance")
    func takenBack() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                let order = try await Self.order(open, 1)
                let (database, number) = (open.database, order.number)
                _ = try await server.mails(atLeast: 1)
                func mailWaits() async throws {
                    try await eventually("the mail waits") {
                        try await database.psql(
                            "select due_at - at from order_mails where state = 'accepted' and sent_at is null")
                            == "00:00:10"
                    }
                }
                func count() async throws -> String {
                    try await database.psql("select count(*) from order_mails where state = 'accepted'")
                }
                try await database.psqlAsStaff("select advance_order('\(number)', 'accepted')")
                try await mailWaits()
                try await database.psqlAsStaff("select take_back_step('\(number)', 'accepted')")
                #expect(try await count() == "0")
                // A mailer that read the step before it was taken back may record its mail afterwards.
                try await database.psql(
                    """
                    insert into order_mails (order_id, state, at, due_at)
                    select order_id, state, at, now() from order_steps where step = 1
                    """
                )
                try await eventually("the mail is dropped") { try await count() == "0" }
                try await database.psqlAsStaff("select advance_order('\(number)', 'accepted', minutes => 125)")
                try await mailWaits()
                // Another session has locked the order and may take its step back: the mail waits although it is due,
                // and other mails are sent.
                let holder = try await PostgresConnection.connect(database.url, logger: .silent)
                try await holder.run(script: "begin; select from orders where number = '\(number)' for update")
                try await database.psql(
                    "update order_mails set due_at = now() - interval '1 hour' where state = 'accepted'")
                _ = try await Self.order(open, 2)
                _ = try await server.mails(atLeast: 2)
                #expect(try await database.psql("select attempts from order_mails where state = 'accepted'") == "0")
                try await holder.run(script: "rollback")
                await holder.close()
                let mails = try await server.mails(atLeast: 3)
                #expect(mails.map(\.state).sorted() == ["accepted", "placed", "placed"])
                let clock = try await database.psql(
                    """
                    select to_char(promised_at at time zone time_zone, 'FMHH12:MI') from orders cross join shop
                    where promised_at is not null
                    """
                )
                #expect(mails.first { $0.state == "accepted" }?.plain?.contains(clock) == true)
            }
        }
    }

    @Test("The mail server's reply decides whether a mail is sent, retried or failed; a retry keeps its Message-ID")
    func responses() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                var ids: [String: OrderID] = [:]
                for (number, kind) in ["never", "later", "twice", "cut", "plain"].enumerated() {
                    ids[kind] = try await Self.order(open, number, email: "\(kind)-\(number)@example.com").id
                }
                try await eventually("every mail is sent or has failed") {
                    try await open.database.psql(
                        "select count(*) from order_mails where sent_at is not null or failed_at is not null") == "5"
                }
                let failed = try await open.database.psql(
                    "select order_id, attempts, answer from order_mails where failed_at is not null")
                let never = try #require(ids["never"])
                #expect(failed == "\(never)|1|550 5.1.1 unknown recipient never-0@example.com")
                let mails = try server.mails()
                let counts = Dictionary(grouping: mails) { $0.to.prefix { $0 != "-" } }.mapValues(\.count)
                #expect(counts == ["later": 1, "twice": 2, "cut": 1, "plain": 1])
                #expect(Set(mails.map(\.messageID)).count == 4)
            }
        }
    }

    @Test("A mail that fails because of the shop's account is retried and reported until the server accepts a mail")
    func accountRefused() async throws {
        let reports = HealthReports()
        try await MailServer.with { server in
            try await Self.with(server, reports: reports) { open async throws in
                let order = try await Self.order(open, 1, email: "blocked-1@example.com")
                #expect(try await server.mails(atLeast: 1).map(\.messageID) == ["<\(order.id).placed@shop.example>"])
                try await eventually("the mail is recorded as sent") {
                    try await open.database.psql(
                        "select attempts, reason is null from order_mails where sent_at is not null") == "4|t"
                }
                try await eventually("the recovery is reported") { !reports.isFailing }
                #expect(reports.areHealthy == [false, true])
                guard case .failing(let reason)? = reports.all.withLock({ $0.first }) else {
                    return #expect(Bool(false))
                }
                #expect(reason == "127.0.0.1:\(server.port) refuses the shop's account: 550 5.7.1")
                #expect(
                    try await open.database.psql("select count(*) from recent_mails") == "1",
                    "only the accepted attempt counts")
            }
        }
    }

    @Test("A mail over the account's sending quota delays no other mail and expires after a day with the last reply")
    func quota() async throws {
        let reports = HealthReports()
        try await MailServer.with { server in
            try await Self.with(server, reports: reports) { open async throws in
                let order = try await Self.order(open, 1, email: "quota-1@example.com")
                try await eventually("the failure is reported") { reports.isFailing }
                #expect(
                    try await open.database.psql("select count(*) from order_mails where failed_at is not null") == "0")
                _ = try await Self.order(open, 2)
                #expect(try await server.mails(atLeast: 1).map(\.to) == ["Guest.2@example.com"])
                try await open.database.psql(
                    """
                    update order_mails set at = at - interval '1 day', due_at = now() where order_id = '\(order.id)'
                    """)
                try await eventually("the mail has expired") {
                    try await open.database.psql(
                        "select reason, answer from order_mails where order_id = '\(order.id)'")
                        == "expired|552 5.4.5 the quota of the account is used up"
                }
            }
        }
    }

    @Test("The sixth mail to one address within an hour is not sent, and staff can read the reason with the order")
    func addressLimit() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                var news = try #require(open.shop.board.watch()).makeAsyncIterator()
                try await OrderBoardTests.waitUntilListening(&news, open)
                @Sendable func count() throws -> Int {
                    try server.mails().count { $0.to.lowercased().hasPrefix("victim") }
                }
                // All spellings count as one address.
                let spellings = [
                    "victim@example.com", "Victim@example.com", "victim+a@example.com", "victim+b@Example.com",
                    "VICTIM+C+d@EXAMPLE.COM",
                ]
                for (number, email) in spellings.enumerated() { _ = try await Self.order(open, number, email: email) }
                try await eventually("five mails have arrived") { try count() == 5 }
                let sixth = try await Self.order(open, 6, email: "victim@example.com")
                try await eventually("the mail is abandoned with its reason") {
                    try await open.database.psql(
                        "select state, attempts, reason, sent_at, answer from order_mails where order_id='\(sixth.id)'")
                        == "placed|0|address_limit||"
                }
                // The order has no new step. The order board publishes its placement again, because its mail has
                // failed.
                reading: while let news = await news.next() {
                    if case .moved(let event) = news, event.orderID == sixth.id { break reading }
                }
                let unsent = try await open.shop.staff.unsentMails(of: [sixth.id])
                #expect(unsent.map(\.reason) == [.addressLimit] && unsent.map(\.state) == [.placed])
                _ = try await Self.order(open, 7)
                try await eventually("another address receives its mail") {
                    try server.mails().contains { $0.to == "Guest.7@example.com" }
                }
                #expect(try count() == 5)
                try await open.database.psql("update recent_mails set at = at - interval '1 hour'")
                _ = try await Self.order(open, 8, email: "victim@example.com")
                try await eventually("the address receives mail again after an hour") { try count() == 6 }
                #expect(
                    try await open.database.psql(
                        "select count(*) from recent_mails where at <= now() - interval '1 hour'") == "0")
            }
        }
    }

    @Test("A mail that was sent but not recorded is sent again with the same Message-ID until it is recorded")
    func unrecorded() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                try await open.database.psql(
                    """
                    create function refuse() returns trigger language plpgsql as $$
                    begin
                        raise 'no' using errcode = 'XX001';
                    end $$;
                    create trigger refuse before update on order_mails
                        for each row when (new.sent_at is not null) execute function refuse()
                    """)
                _ = try await Self.order(open, 1)
                let mails = try await server.mails(atLeast: 2)
                #expect(Set(mails.map(\.messageID)).count == 1)
                try await open.database.psql("drop trigger refuse on order_mails")
                try await eventually("the mail is recorded") {
                    try await open.database.psql("select count(*) from order_mails where sent_at is not null") == "1"
                }
            }
        }
    }

    @Test("One of two servers sends each mail once, and a server takes over when the session of the sender is lost")
    func twoServers() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { serverA async throws in
                let mail = try #require(MailConfiguration.withoutDelays(port: server.port))
                try await ShopFixture.with(on: serverA.database, mail: mail) { serverB async throws in
                    for number in 0..<6 { _ = try await Self.order(number % 2 == 0 ? serverA : serverB, number) }
                    _ = try await server.mails(atLeast: 6)
                    try await eventually("all mails are recorded") {
                        try await serverA.database.psql("select count(*) from order_mails where sent_at is not null")
                            == "6"
                    }
                    #expect(try server.mails().count == 6)
                    try await serverA.database.psql(
                        """
                        select pg_terminate_backend(pid) from pg_locks
                        where locktype = 'advisory' and objid = \(0x6D61_696C) and granted
                            and database = (select oid from pg_database where datname = current_database())
                        """)
                    for number in 6..<9 { _ = try await Self.order(serverA, number) }
                    let mails = try await server.mails(atLeast: 9)
                    #expect(Set(mails.map(\.messageID)).count == 9)
                }
            }
        }
    }

    @Test("A mail server without a response delays no checkout, and an outage and its end are each reported once")
    func outage() async throws {
        try await MailServer.with { server in
            // The server accepts the connection and never responds, so the mail thread waits.
            try await Self.with(server) { open async throws in
                _ = try await Self.order(open, 0, email: "hang-0@example.com")
                try await eventually("the mail is attempted") {
                    try await open.database.psql("select count(*) from order_mails where attempts = 1") == "1"
                }
                for number in 1..<20 { _ = try await Self.order(open, number) }
                #expect(try await open.database.psql("select count(*) from orders") == "20")
                let answered = "select count(*) from order_mails where answer is not null or sent_at is not null"
                #expect(try await open.database.psql(answered) == "0")
            }
        }
        let (port, reports) = (try Program.freePort(), HealthReports())
        let mail = try #require(MailConfiguration.withoutDelays(port: port))
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database, mail: mail, onMail: reports.record) { open async throws in
                try await Self.waitUntilStarted(database)
                for number in 0..<3 { _ = try await Self.order(open, number) }
                try await eventually("the outage is reported") { reports.isFailing }
                let mailer = try #require(open.shop.mailer)
                try await eventually("the oldest waiting mail is known") { mailer.oldestWaitingSeconds != nil }
                try await MailServer.with(port: port) { server in
                    let mails = try await server.mails(atLeast: 3)
                    #expect(Set(mails.map(\.messageID)).count == 3)
                    try await eventually("the end of the outage is reported") { !reports.isFailing }
                }
                #expect(reports.areHealthy == [false, true])
                #expect(
                    try await database.psql("select max(attempts) from order_mails") == "1",
                    "attempts without a connection do not count")
            }
        }
    }

    @Test("Without a mail configuration no mail is recorded, and mails that are configured later cover new steps only")
    func notConfigured() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database) { open async throws in
                #expect(open.shop.mailer == nil)
                _ = try await Self.order(open, 1)
            }
            #expect(
                try await database.psql("select (select count(*) from order_mails), (select count(*) from mailing)")
                    == "0|0")
            try await MailServer.with { server in
                let mail = try #require(MailConfiguration.withoutDelays(port: server.port))
                try await ShopFixture.with(on: database, mail: mail) { open async throws in
                    try await Self.waitUntilStarted(database)
                    let order = try await Self.order(open, 2)
                    #expect(
                        try await server.mails(atLeast: 1).map(\.messageID) == ["<\(order.id).placed@shop.example>"])
                }
            }
        }
    }
}
