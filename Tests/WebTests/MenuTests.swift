import Support
import Testing

@Suite struct MenuTests {
    @Test("the home screen is there") func home() async throws {
        try await TestShop.run { shop in
            let reply = try await shop.server.get("/v1/home")
            #expect(reply.status == 200)
            print(reply.text.prefix(300), reply.headerNames, reply.header("ETag") ?? "")
            let again = try await shop.server.get("/v1/home", headers: [("If-None-Match", reply.header("ETag") ?? "")])
            print(again.status, again.headerNames, again.header("Content-Length") ?? "")
        }
    }
}
