// The error channel over HTTP, with the program in its demonstration mode.
import Support
import Testing
import Wire

@Suite("Simulated error", .timeLimit(.minutes(10)))
struct SimulatedErrorTests {
    @Test(
        "With --simulate-error-after the menu fails and recovers, both are reported, and the old menu is served"
    )
    func demonstration() async throws {
        for _ in 1...3 { if try await observesFailure() { return } }
        Issue.record("in three attempts the menu had recovered before the test could check the failure")
    }

    /// Returns false if a busy machine made the requests after the recovery.
    private func observesFailure() async throws -> Bool {
        try await TestDatabase.with(.seeded) { database in
            let port = try Program.freePort()
            let arguments = database.serveArguments + ["--port", "\(port)", "--simulate-error-after", "1"]
            return try await Program.serve(arguments) { program in
                try await TestServer.connect(port: port) { server in
                    func errors() async throws -> ErrorsBody {
                        try await server.get("/v1/errors").expecting(200).decoded()
                    }
                    let fault = try await server.withRawConnection { stream in
                        // For the event id of another server process, the server sends all events, whether the failure
                        // has begun or not.
                        try await stream.send(
                            "GET /v1/errors/events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: another-1\r\n\r\n")
                        return try await stream.read(until: "event: fault\ndata: ") + stream.read(until: "}")
                    }
                    let failure = try await errors()
                    let menu = try await server.get("/v1/menu").expecting(200)
                    let readiness = try await server.get("/readyz").expecting(200).text
                    guard try await errors().condition == "degraded" else { return false }
                    #expect(failure.condition == "degraded")
                    let event = try #require(failure.events.first)
                    #expect(failure.events.count == 1)
                    #expect(
                        [event.kind, event.code, event.subject, event.link] == [
                            "fault", "menu_unavailable", "menu", "/v1/menu",
                        ])
                    #expect(fault.contains("id: \(event.id)\n") && fault.contains(event.message))
                    // The log has the cause; the message to guests has the consequence.
                    try await eventually("the failure is logged") {
                        program.log().contains { $0.contains("simulated failure of the menu") }
                    }
                    #expect(
                        !event.message.isEmpty && !fault.contains("simulated")
                            && !program.log().contains { $0.contains(event.message) })

                    // The old menu is served, and orders are placed at its prices.
                    #expect(menu.header("Menu-Stale") != nil)
                    #expect(try menu.decoded(Page<MenuItemBody>.self).items.count == 20)
                    #expect(readiness.contains(#""status":"degraded""#))
                    #expect(try await server.order().state == "placed")

                    // A client that reconnects after the fault gets the recovery, and no event twice.
                    try await server.withRawConnection { stream in
                        try await stream.send(
                            "GET /v1/errors/events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: \(event.id)\r\n\r\n")
                        let text = try await stream.read(until: "event: recovery\ndata: ") + stream.read(until: "}")
                        #expect(!text.contains("event: fault") && text.contains(#""subject":"menu""#))
                    }
                    let recovery = try await errors()
                    #expect(recovery.condition == "healthy")
                    #expect(recovery.events.map(\.kind) == ["recovery", "fault"])
                    let (start, end) = (event.at, recovery.events[0].at)
                    let seconds = try await database.psql(
                        "select round(extract(epoch from '\(end)'::timestamptz - '\(start)'::timestamptz))")
                    #expect((9...15).contains(Int(seconds) ?? 0), "the menu recovered after \(seconds) seconds")
                    #expect(try await server.get("/v1/menu").header("Menu-Stale") == nil)
                    return true
                }
            }.value
        }
    }
}
