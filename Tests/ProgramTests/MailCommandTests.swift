// The mail settings, and the reports about an unreachable or rejecting mail server.
import Support
import Testing
import Wire

@Suite("Commands: mail settings", .timeLimit(.minutes(5)))
struct MailCommandTests {
    @Test(
        "doctor, /readyz and the error channel report an unreachable mail server; after its recovery the mail is sent"
    )
    func served() async throws {
        let (port, mailPort) = (try Program.freePort(), try Program.freePort())
        let mail = [
            "WELMS_SMTP_URL": "smtp://127.0.0.1:\(mailPort)",
            "WELMS_MAIL_FROM": "Welm's Delivery <orders@shop.example>",
            "WELMS_PUBLIC_URL": "https://shop.example/",
        ]
        try await TestDatabase.with(.seeded) { database in
            let doctor = ["doctor", "--port", "0"] + database.serveArguments
            let unreachable = try await Program.run(doctor, environment: mail)
            #expect(unreachable.status == 1)
            #expect(unreachable.output.contains("PROBLEM  mail server: 127.0.0.1:\(mailPort): "), "\(unreachable)")
            try await Program.serve(database.serveArguments + ["--port", "\(port)"], environment: mail) { _ in
                try await TestServer.connect(port: port) { server in
                    // Orders from before the start of mailing send no mail.
                    try await eventually("mailing has started") {
                        try await database.psql("select count(*) from mailing") == "1"
                    }
                    let order = try await server.order()
                    try await eventually("the fault is reported") {
                        try await server.get("/v1/errors").text.contains("mail_unavailable")
                    }
                    let ready = try await server.get("/readyz")
                    #expect(
                        ready.status == 200
                            && ready.text.contains(#"{"name":"mail","status":"degraded","detail":"away"}"#),
                        "\(ready.text)"
                    )
                    try await MailServer.with(port: mailPort) { post in
                        let mails = try await post.mails(atLeast: 1)
                        #expect(mails.first?.plain?.contains("https://shop.example/#/orders/\(order.id)\r\n") ?? false)
                        try await eventually("the recovery is reported") {
                            try await server.get("/v1/errors").decoded(ErrorsBody.self).condition == "healthy"
                        }
                        // The default checkout limit never contradicts the basket limit.
                        let healthy = try await Program.run(doctor + ["--rate-limit-baskets", "5"], environment: mail)
                        #expect(healthy.output.contains("ok       mail server: 127.0.0.1:\(mailPort)"), "\(healthy)")
                        #expect(healthy.output.contains("ok       settings"), "\(healthy)")
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

    @Test("/readyz and the error channel report that the mail server rejects the account, until it accepts a mail")
    func accountRejected() async throws {
        let port = try Program.freePort()
        try await MailServer.with { post in
            let mail = ["WELMS_SMTP_URL": "smtp://127.0.0.1:\(post.port)", "WELMS_MAIL_FROM": "orders@shop.example"]
            try await TestDatabase.with(.seeded) { database in
                _ = try await Program.serve(database.serveArguments + ["--port", "\(port)"], environment: mail) { _ in
                    try await TestServer.connect(port: port) { server in
                        try await eventually("mailing has started") {
                            try await database.psql("select count(*) from mailing") == "1"
                        }
                        _ = try await Self.order(server, email: "blocked-1@example.com")
                        try await eventually("the fault is reported") {
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
                        try await eventually("the recovery is reported") {
                            try await server.get("/v1/errors").decoded(ErrorsBody.self).condition == "healthy"
                        }
                    }
                }
            }
        }
    }

    @Test(
        "With a mail server the default limit is ten checkouts per minute, and a setting changes it or turns it off",
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
                try await TestServer.connect(port: port) { server in
                    let placed = try await Self.order(server, email: "ann@example.com")
                    #expect(placed.header("RateLimit-Policy") == policy)
                }
            }
        }
    }

    @Test("serve with --smtp-url but without --mail-from fails and names the missing setting")
    func missingSender() async throws {
        let refused = try await Program.run(["serve"], environment: ["WELMS_SMTP_URL": "smtp://ann:secret@127.0.0.1:1"])
        #expect(
            refused.status == 1 && refused.error.contains("--smtp-url needs --mail-from")
                && !refused.error.contains("secret"))
    }
}
