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
                        let well = try await Program.run(doctor, environment: mail)
                        #expect(well.output.contains("ok       mail server: 127.0.0.1:\(mailPort)"), "\(well)")
                    }
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
