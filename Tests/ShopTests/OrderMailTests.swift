// Mail to guests through a real SMTP server, and what becomes of it when the server, the database or we fail in the middle.
// Tests Sources/Shop/Mail and Sources/Mail/SMTP. Read next: Tests/Tools/Mail/smtp.py, which is the mail server.
import Ordering
import Postgres
import Shop
import Support
import Synchronization
import Testing

@Suite("Mail to the guest", .timeLimit(.minutes(5)))
struct OrderMailTests {
    /// What was told of the mail's health.
    private final class Told: Sendable {
        let all = Mutex<[Health]>([])
        var isFailing: Bool { all.withLock { $0.last.map { $0 != .healthy } ?? false } }
        var kinds: [Bool] { all.withLock { $0.map { $0 == .healthy } } }
        func tell(_ health: Health) { all.withLock { $0.append(health) } }
    }

    private static func with(
        _ server: MailServer, told: Told = Told(), edit: (inout MailConfiguration) -> Void = { _ in },
        _ body: (OpenShop) async throws -> Void
    ) async throws {
        var mail = try #require(MailConfiguration.impatient(port: server.port))
        edit(&mail)
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(on: database, mail: mail, onMail: told.tell) { open async throws in
                try await begun(database)
                try await body(open)
            }
        }
    }

    private static func begun(_ database: TestDatabase) async throws {
        try await eventually("the mailer has begun") { try await database.psql("select count(*) from mailing") == "1" }
    }

    private static func order(_ open: OpenShop, _ guest: Int, email: String? = nil, language: String? = nil) async throws -> Order {
        var guest = Guest(guest)
        if let email { guest.email = email }
        return try #require(try await open.shop.checkouts.submit(open.draft(open.basket(), by: guest, language: language)).order)
    }

    @Test("Each step is told once, in the guest's language, by one Message-ID each, and the mail is right in every header and both texts")
    func steps() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                try await open.database.staff("update shop set languages = '{en,de,es}'")
                try await eventually("the languages are known") { open.shop.menu.current?.languages.all.count == 3 }
                let english = try await Self.order(open, 1)
                let german = try await Self.order(open, 2, language: "de")
                let spanish = try await Self.order(open, 3, language: "es")
                #expect(
                    try await open.database.psql("select coalesce(language, 'null') from orders order by phone") == "null\nde\nes",
                    "the shop's own is not written")
                // What may be taken back waits: that has a test of its own.
                try await open.database.psql(
                    "create or replace function take_back_time() returns interval language sql immutable as $$ select interval '0' $$")
                for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                    try await open.database.staff("select advance_order('\(english.number)', '\(state)')")
                }
                try await open.database.staff("select advance_order('\(german.number)', 'rejected', 'keine Brötchen <mehr>')")
                _ = try await open.shop.orders.cancel(spanish.id)
                let mails = try await server.mails(atLeast: 7)
                try await eventually("all is noted") {
                    try await open.database.psql("select count(*) from order_mails where sent_at is not null and attempts = 1") == "7"
                }
                let ids = [
                    (english.id, ["placed", "accepted", "on_the_way"]), (german.id, ["placed", "rejected"]),
                    (spanish.id, ["placed", "cancelled"]),
                ].flatMap { id, states in states.map { "<\(id).\($0)@shop.example>" } }
                #expect(mails.map(\.messageID).sorted() == ids.sorted())
                for mail in mails {
                    #expect(mail.sender == "orders@shop.example" && mail.headers["From"] == "Welm's Delivery <orders@shop.example>")
                    #expect(mail.recipients == [mail.headers["To"] ?? ""] && mail.to.hasPrefix("Guest."))
                    #expect(mail.headers["Auto-Submitted"] == "auto-generated" && mail.headers["Mime-Version"] == "1.0")
                    #expect(mail.types == ["multipart/alternative", "text/plain", "text/html"])
                    #expect(mail.isASCII && mail.longest <= 998 && mail.defects == [] && Set(mail.names).count == mail.names.count)
                }
                let placed = try #require(mails.first { $0.messageID.contains("\(german.id).placed") })
                #expect(placed.headers["Content-Language"] == "de" && placed.subject.contains("wir haben Ihre Bestellung"))
                #expect(placed.plain?.contains("The Big Tasty") == true && placed.plain?.contains("8,05\u{A0}$") == true)
                let rejected = try #require(mails.first { $0.state == "rejected" })
                #expect(rejected.plain?.contains("keine Brötchen <mehr>") == true)
                #expect(rejected.html?.contains("keine Brötchen &lt;mehr&gt;") == true)
                #expect(mails.first { $0.state == "cancelled" }?.headers["Content-Language"] == "es")
                let date = try await open.database.psql(
                    "select to_char(placed_at at time zone 'UTC', 'Dy, FMDD Mon YYYY HH24:MI:SS') from orders where id = '\(german.id)'")
                #expect(placed.headers["Date"] == "\(date) +0000")
            }
        }
    }

    @Test(
        "The mail of a step waits ten seconds; what was taken back is told to nobody, however late that mail was noted; accepted with a time, it tells it"
    )
    func takenBack() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                let order = try await Self.order(open, 1)
                let (database, number) = (open.database, order.number)
                _ = try await server.mails(atLeast: 1)
                func waits() async throws {
                    try await eventually("it waits") {
                        try await database.psql("select due_at - at from order_mails where state = 'accepted' and sent_at is null")
                            == "00:00:10"
                    }
                }
                func count() async throws -> String { try await database.psql("select count(*) from order_mails where state = 'accepted'") }
                try await database.staff("select advance_order('\(number)', 'accepted')")
                try await waits()
                try await database.staff("select take_back_step('\(number)', 'accepted')")
                #expect(try await count() == "0")
                // As a mailer writes that has looked before and notes after.
                try await database.psql(
                    "insert into order_mails (order_id, state, at, due_at) select order_id, state, at, now() from order_steps where step = 1"
                )
                try await eventually("it is dropped") { try await count() == "0" }
                try await database.staff("select advance_order('\(number)', 'accepted', minutes => 125)")
                try await waits()
                // Who is at the order may be taking it back: its mail waits, though it is due, and others do not.
                let keeper = try await PostgresConnection.connect(database.url, logger: .silent)
                try await keeper.run(script: "begin; select from orders where number = '\(number)' for update")
                try await database.psql("update order_mails set due_at = now() - interval '1 hour' where state = 'accepted'")
                _ = try await Self.order(open, 2)
                _ = try await server.mails(atLeast: 2)
                #expect(try await database.psql("select attempts from order_mails where state = 'accepted'") == "0")
                try await keeper.run(script: "rollback")
                await keeper.close()
                let mails = try await server.mails(atLeast: 3)
                #expect(mails.map(\.state).sorted() == ["accepted", "placed", "placed"])
                let clock = try await database.psql(
                    "select to_char(promised_at at time zone time_zone, 'FMHH12:MI') from orders cross join shop where promised_at is not null"
                )
                #expect(mails.first { $0.state == "accepted" }?.plain?.contains(clock) == true)
            }
        }
    }

    @Test("What the server puts off or refuses: each mail for itself; what it took without saying so comes again by the same Message-ID")
    func answers() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                var ids: [String: OrderID] = [:]
                for (number, kind) in ["never", "later", "twice", "cut", "plain"].enumerated() {
                    ids[kind] = try await Self.order(open, number, email: "\(kind)-\(number)@example.com").id
                }
                try await eventually("all is at its end") {
                    try await open.database.psql(
                        "select count(*) from order_mails where sent_at is not null or failed_at is not null") == "5"
                }
                let failed = try await open.database.psql("select order_id, attempts, answer from order_mails where failed_at is not null")
                let never = try #require(ids["never"])
                #expect(failed == "\(never)|1|550 5.1.1 nobody here is called never-0@example.com")
                let mails = try server.mails()
                let counts = Dictionary(grouping: mails) { $0.to.prefix { $0 != "-" } }.mapValues(\.count)
                #expect(counts == ["later": 1, "twice": 2, "cut": 1, "plain": 1])
                #expect(Set(mails.map(\.messageID)).count == 4)
            }
        }
    }

    @Test(
        "A mail that is refused because of the shop's account is tried again, and reported until one is taken"
    )
    func accountRefused() async throws {
        let told = Told()
        try await MailServer.with { server in
            try await Self.with(server, told: told) { open async throws in
                let order = try await Self.order(open, 1, email: "blocked-1@example.com")
                #expect(try await server.mails(atLeast: 1).map(\.messageID) == ["<\(order.id).placed@shop.example>"])
                try await eventually("it is stored") {
                    try await open.database.psql(
                        "select attempts, reason is null from order_mails where sent_at is not null") == "4|t"
                }
                try await eventually("the end is reported") { !told.isFailing }
                #expect(told.kinds == [false, true])
                guard case .failing(let reason)? = told.all.withLock({ $0.first }) else { return #expect(Bool(false)) }
                #expect(reason == "127.0.0.1:\(server.port) refuses the shop's account: 550 5.7.1")
                #expect(
                    try await open.database.psql("select count(*) from recent_mails") == "1",
                    "only the try that was taken counts")
            }
        }
    }

    @Test("A mail that the account may not send is given up after its day, with the last answer, and holds up no other")
    func quota() async throws {
        let told = Told()
        try await MailServer.with { server in
            try await Self.with(server, told: told) { open async throws in
                let order = try await Self.order(open, 1, email: "quota-1@example.com")
                try await eventually("it is tried") { told.isFailing }
                #expect(
                    try await open.database.psql("select count(*) from order_mails where failed_at is not null") == "0")
                _ = try await Self.order(open, 2)
                #expect(try await server.mails(atLeast: 1).map(\.to) == ["Guest.2@example.com"])
                try await open.database.psql(
                    """
                    update order_mails set at = at - interval '1 day', due_at = now() where order_id = '\(order.id)'
                    """)
                try await eventually("it is given up") {
                    try await open.database.psql(
                        "select reason, answer from order_mails where order_id = '\(order.id)'")
                        == "expired|552 5.4.5 the quota of the account is used up"
                }
            }
        }
    }

    @Test("The sixth mail to one address within an hour is not sent: its row says why, and staff read it at the order")
    func addressLimit() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                var news = try #require(open.shop.board.watch()).makeAsyncIterator()
                try await OrderBoardTests.hear(&news, open)
                @Sendable func count() throws -> Int {
                    try server.mails().count { $0.to.lowercased().hasPrefix("victim") }
                }
                // One mailbox, however the address is written.
                let spellings = [
                    "victim@example.com", "Victim@example.com", "victim+a@example.com", "victim+b@Example.com",
                    "VICTIM+C+d@EXAMPLE.COM",
                ]
                for (number, email) in spellings.enumerated() { _ = try await Self.order(open, number, email: email) }
                try await eventually("five mails came") { try count() == 5 }
                let sixth = try await Self.order(open, 6, email: "victim@example.com")
                try await eventually("it is given up, and says why") {
                    try await open.database.psql(
                        "select state, attempts, reason, sent_at, answer from order_mails where order_id='\(sixth.id)'")
                        == "placed|0|address_limit||"
                }
                // Nobody moves the order: staff hear its placing again.
                reading: while let news = await news.next() {
                    if case .moved(let event) = news, event.orderID == sixth.id { break reading }
                }
                let unsent = try await open.shop.staff.unsentMails(of: [sixth.id])
                #expect(unsent.map(\.reason) == [.addressLimit] && unsent.map(\.state) == [.placed])
                _ = try await Self.order(open, 7)
                try await eventually("another address has its mail") {
                    try server.mails().contains { $0.to == "Guest.7@example.com" }
                }
                #expect(try count() == 5)
                try await open.database.psql("update recent_mails set at = at - interval '1 hour'")
                _ = try await Self.order(open, 8, email: "victim@example.com")
                try await eventually("an hour later there is mail again") { try count() == 6 }
                #expect(
                    try await open.database.psql(
                        "select count(*) from recent_mails where at <= now() - interval '1 hour'") == "0")
            }
        }
    }

    @Test("A mail that was sent and could not be noted is sent again by the same Message-ID, until it is noted")
    func unnoted() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { open async throws in
                try await open.database.psql(
                    """
                    create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = 'XX001'; end $$;
                    create trigger refuse before update on order_mails for each row when (new.sent_at is not null) execute function refuse()
                    """)
                _ = try await Self.order(open, 1)
                let mails = try await server.mails(atLeast: 2)
                #expect(Set(mails.map(\.messageID)).count == 1)
                try await open.database.psql("drop trigger refuse on order_mails")
                try await eventually("it is noted") {
                    try await open.database.psql("select count(*) from order_mails where sent_at is not null") == "1"
                }
            }
        }
    }

    @Test("Of two servers one mails, each mail once; where it loses its session one of them goes on")
    func two() async throws {
        try await MailServer.with { server in
            try await Self.with(server) { one async throws in
                let mail = try #require(MailConfiguration.impatient(port: server.port))
                try await OpenShop.with(on: one.database, mail: mail) { other async throws in
                    for number in 0..<6 { _ = try await Self.order(number % 2 == 0 ? one : other, number) }
                    _ = try await server.mails(atLeast: 6)
                    try await eventually("all is noted") {
                        try await one.database.psql("select count(*) from order_mails where sent_at is not null") == "6"
                    }
                    #expect(try server.mails().count == 6)
                    try await one.database.psql(
                        """
                        select pg_terminate_backend(pid) from pg_locks
                        where locktype = 'advisory' and objid = \(0x6D61_696C) and granted and database = (select oid from pg_database where datname = current_database())
                        """)
                    for number in 6..<9 { _ = try await Self.order(one, number) }
                    let mails = try await server.mails(atLeast: 9)
                    #expect(Set(mails.map(\.messageID)).count == 9)
                }
            }
        }
    }

    @Test("A mail server that does not answer delays no checkout; one that is away is told once, and its end; then all mails come")
    func away() async throws {
        try await MailServer.with { server in
            // Taken, and never answered: the thread waits.
            try await Self.with(server) { open async throws in
                _ = try await Self.order(open, 0, email: "hang-0@example.com")
                try await eventually("it is tried") {
                    try await open.database.psql("select count(*) from order_mails where attempts = 1") == "1"
                }
                for number in 1..<20 { _ = try await Self.order(open, number) }
                #expect(try await open.database.psql("select count(*) from orders") == "20")
                #expect(
                    try await open.database.psql("select count(*) from order_mails where answer is not null or sent_at is not null") == "0")
            }
        }
        let (port, told) = (try Program.freePort(), Told())
        let mail = try #require(MailConfiguration.impatient(port: port))
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(on: database, mail: mail, onMail: told.tell) { open async throws in
                try await Self.begun(database)
                for number in 0..<3 { _ = try await Self.order(open, number) }
                try await eventually("it is told") { told.isFailing }
                let waiting = try #require(open.shop.mailer)
                try await eventually("the oldest is known") { waiting.oldestWaitingSeconds != nil }
                try await MailServer.with(port: port) { server in
                    let mails = try await server.mails(atLeast: 3)
                    #expect(Set(mails.map(\.messageID)).count == 3)
                    try await eventually("its end is told") { !told.isFailing }
                }
                #expect(told.kinds == [false, true])
                #expect(try await database.psql("select max(attempts) from order_mails") == "1", "nobody was asked, so nothing was tried")
            }
        }
    }

    @Test("Where no mail is set up nothing is written, and what happened before it was is nobody's news")
    func unasked() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await OpenShop.with(on: database) { open async throws in
                #expect(open.shop.mailer == nil)
                _ = try await Self.order(open, 1)
            }
            #expect(try await database.psql("select (select count(*) from order_mails), (select count(*) from mailing)") == "0|0")
            try await MailServer.with { server in
                let mail = try #require(MailConfiguration.impatient(port: server.port))
                try await OpenShop.with(on: database, mail: mail) { open async throws in
                    try await Self.begun(database)
                    let order = try await Self.order(open, 2)
                    #expect(try await server.mails(atLeast: 1).map(\.messageID) == ["<\(order.id).placed@shop.example>"])
                }
            }
        }
    }
}
