// Mail to guests as an operator sets it up: by variables of the environment, with a mail server that is not there yet.
// Tests Sources/welms/MailSettings.swift and what the error channel and doctor say. Read next: Tests/ShopTests/OrderMailTests.swift.
import Support
import Testing
import Wire

@Suite("Mail, as an operator sets it up", .timeLimit(.minutes(5)))
struct MailCommandTests {
    @Test(
        "A mail server that is away is told by doctor, /readyz and the error channel, and its end too; then the mail comes, with its link")
    func served() async throws {
        let (port, mailPort) = (try Program.freePort(), try Program.freePort())
        let mail = [
            "WELMS_SMTP_URL": "smtp://127.0.0.1:\(mailPort)", "WELMS_MAIL_FROM": "Welm's Delivery <orders@shop.example>",
            "WELMS_PUBLIC_URL": "https://shop.example/",
        ]
        try await TestDatabase.with(.seeded) { database in
            let doctor = ["doctor", "--port", "0"] + database.serveArguments
            let sick = try await Program.run(doctor, environment: mail)
            #expect(sick.status == 1 && sick.output.contains("PROBLEM  mail server: 127.0.0.1:\(mailPort): "), "\(sick)")
            try await Program.serve(database.serveArguments + ["--port", "\(port)"], environment: mail) { _ in
                try await TestServer.at(port: port) { server in
                    // What was placed before this server had its turn is nobody's news.
                    try await eventually("it mails") { try await database.psql("select count(*) from mailing") == "1" }
                    let order = try await server.order()
                    try await eventually("it is told") { try await server.get("/v1/errors").text.contains("mail_unavailable") }
                    let ready = try await server.get("/readyz")
                    #expect(
                        ready.status == 200 && ready.text.contains(#"{"name":"mail","status":"degraded","detail":"away"}"#), "\(ready.text)"
                    )
                    try await MailServer.with(port: mailPort) { post in
                        let mails = try await post.mails(atLeast: 1)
                        #expect(mails.first?.plain?.contains("https://shop.example/#/orders/\(order.id)\r\n") ?? false)
                        try await eventually("its end is told") {
                            try await server.get("/v1/errors").decoded(ErrorsBody.self).condition == "healthy"
                        }
                        // The limit of checkouts that comes with mail contradicts no limit of baskets.
                        let well = try await Program.run(doctor + ["--rate-limit-baskets", "5"], environment: mail)
                        #expect(well.output.contains("ok       mail server: 127.0.0.1:\(mailPort)"), "\(well)")
                        #expect(well.output.contains("ok       settings"), "\(well)")
                    }
                }
            }
        }
    }

    private static func order(_ server: TestServer, email: String) async throws -> TestServer.Reply {
        let basket = try await server.startBasket(items: [(2001, 1)])
        var form = CheckoutBody.filled(for: basket)
        form.email = email
        return try await server.checkout(form, key: "key of \(basket.id)").expecting(201)
    }

    @Test("/readyz and the error channel report that the mail server refuses the shop's account, until it takes a mail")
    func accountRefused() async throws {
        let port = try Program.freePort()
        try await MailServer.with { post in
            let mail = ["WELMS_SMTP_URL": "smtp://127.0.0.1:\(post.port)", "WELMS_MAIL_FROM": "orders@shop.example"]
            try await TestDatabase.with(.seeded) { database in
                _ = try await Program.serve(database.serveArguments + ["--port", "\(port)"], environment: mail) { _ in
                    try await TestServer.at(port: port) { server in
                        try await eventually("it mails") {
                            try await database.psql("select count(*) from mailing") == "1"
                        }
                        _ = try await Self.order(server, email: "blocked-1@example.com")
                        try await eventually("it is reported") {
                            let errors = try await server.get("/v1/errors").text
                            return errors.contains("mail_unavailable") && !errors.contains("blocked-1")
                        }
                        let ready = try await server.get("/readyz")
                        #expect(
                            ready.status == 200
                                && ready.text.contains(#"{"name":"mail","status":"degraded","detail":"refused"}"#),
                            "\(ready.text)")
                        let kept = try await database.psql("select attempts, failed_at, answer from order_mails")
                        #expect(kept == "1||550 5.7.1 the sender is blocked")
                        _ = try await Self.order(server, email: "ann@example.com")
                        try await eventually("the end is reported") {
                            try await server.get("/v1/errors").decoded(ErrorsBody.self).condition == "healthy"
                        }
                    }
                }
            }
        }
    }

    @Test(
        "With a mail server a client may send ten checkouts a minute, unless the limit is set, or off",
        arguments: [
            (true, [], "\"checkouts\";q=10;w=60"), (true, ["--rate-limit-checkouts", "3"], "\"checkouts\";q=3;w=60"),
            (true, ["--rate-limit-checkouts", "off"], nil),
            (true, ["--rate-limit-baskets", "4"], "\"checkouts\";q=4;w=60"),
            (false, [], nil),
        ] as [(Bool, [String], String?)])
    func limit(mails: Bool, arguments: [String], policy: String?) async throws {
        let port = try Program.freePort()
        let mail = ["WELMS_SMTP_URL": "smtp://127.0.0.1:1", "WELMS_MAIL_FROM": "orders@shop.example"]
        try await TestDatabase.with(.seeded) { database in
            let settings = database.serveArguments + ["--port", "\(port)"] + arguments
            try await Program.serve(settings, environment: mails ? mail : [:]) { _ in
                try await TestServer.at(port: port) { server in
                    let placed = try await Self.order(server, email: "ann@example.com")
                    #expect(placed.header("RateLimit-Policy") == policy)
                }
            }
        }
    }

    @Test("A mail server without a sender is refused in one line that says what to do")
    func half() async throws {
        let refused = try await Program.run(["serve"], environment: ["WELMS_SMTP_URL": "smtp://ann:secret@127.0.0.1:1"])
        #expect(refused.status == 1 && refused.error.contains("--smtp-url goes with --mail-from") && !refused.error.contains("secret"))
    }
}
