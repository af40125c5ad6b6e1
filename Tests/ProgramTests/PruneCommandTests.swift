// `welms prune`, and the pruning timer of `welms serve`.
import Support
import Testing

@Suite("Commands: prune")
struct PruneCommandTests {
    private static func insertBaskets(_ number: Int) -> String {
        """
        insert into baskets (id, currency, changed_at) values
            ('018bcfe5-6800-7000-8000-00000000000\(number)', 'USD', now() - interval '31 days'),
            ('018bcfe5-6800-7000-8000-00000000001\(number)', 'USD', now() - interval '20 days')
        """
    }

    @Test("prune removes baskets older than 30 days, or than --older-than, and prints how many")
    func prune() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.insertBaskets(1))
            let month = try await Program.run(["prune", "--database-url", database.url])
            let kinds = ["audit", "recent_mails", "order_mails", "slot_uses", "coupon_uses", "stock_days"]
            let lines = kinds.map { "\($0): removed 0\n" }.joined()
            #expect(
                month.status == 0
                    && month.output == """
                        \(lines)baskets: removed 1, the lines of 0 ordered baskets
                        orders: replaced the personal data of 0

                        """,
                "\(month)")
            let days = try await Program.run(["prune", "--database-url", database.serverURL, "--older-than", "19d"])
            #expect(days.status == 0 && days.output.contains("baskets: removed 1,"), "\(days)")
            for wrong in ["30", "59m", "d", "-1d", "99999999999999999999d", "2 h", "400000d"] {
                let refused = try await Program.run(["prune", "--database-url", database.url, "--older-than=\(wrong)"])
                #expect(refused.status == 1 && refused.error.contains("30d"), "\(wrong): \(refused.error)")
            }
        }
    }

    @Test("prune prints the other counts and exits with 1 if one kind fails, and names this kind")
    func failure() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.psql(
                "\(Self.insertBaskets(3)); revoke execute on function prune_slot_uses(integer) from welms_server")
            let failed = try await Program.run(["prune", "--database-url", database.serverURL])
            #expect(failed.status == 1 && failed.error.contains("pruning failed for slot_uses: "), "\(failed.error)")
            #expect(failed.output.contains("audit: removed 0\n") && failed.output.contains("baskets: removed 1,"))
        }
    }

    @Test("A server prunes on a timer with the server's role, and logs it and a kind that failed")
    func timer() async throws {
        try await TestDatabase.with(.seeded) { database in
            try await database.psql(
                "\(Self.insertBaskets(2)); revoke execute on function prune_slot_uses(integer) from welms_server")
            _ = try await Program.serve(["--database-url", database.serverURL, "--port", "0", "--prune-every", "1s"]) {
                server in
                try await eventually("the older basket is removed", within: .seconds(60)) {
                    try await database.psql("select count(*) from baskets") == "1"
                }
                try await eventually("the pruning is logged") { server.log().contains { $0.contains("pruned") } }
                try await eventually("the failed kind is logged") {
                    server.log().contains { $0.contains("the pruning of one kind") && $0.contains("slot_uses") }
                }
            }
            let refused = try await Program.run([
                "serve", "--database-url", database.serverURL, "--prune-every", "often",
            ])
            #expect(refused.status == 1 && refused.error.contains("off"), "\(refused.error)")
        }
    }
}
