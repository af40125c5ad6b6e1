// `welms staff`: adding, listing and withdrawing members of staff.
import Foundation
import Support
import Testing

@Suite("Commands: staff")
struct StaffCommandTests {
    @Test("staff add prints a new token once, staff list prints every member, and staff withdraw invalidates the token")
    func staff() async throws {
        try await TestDatabase.with(.seeded) { database in
            func run(_ arguments: String...) async throws -> Program.Outcome {
                try await Program.run(["staff"] + arguments + ["--database-url", database.url])
            }
            let added = try await run("add", "Ann O'Hara", "--role", "kitchen")
            let token = added.output.trimmed
            #expect(
                added.status == 0 && token.utf8.count == 64 && added.error.contains("Ann O'Hara with the role kitchen"),
                "\(added)")
            #expect(
                try await database.psql(
                    "select role, token_digest = sha256('\(token)') from staff_members where name = 'Ann O''Hara'")
                    == "kitchen|t")
            let log = try await database.psql(
                """
                select who, role, what, subject, before, after ->> 'role', after ? 'token_digest'
                from audit order by id desc limit 1
                """)
            #expect(log == "welms_owner||staff_members|Ann O'Hara||kitchen|f")

            let again = try await run("add", "ann o'hara", "--role", "manager")
            #expect(again.status == 1 && again.output == "")
            #expect(
                again.error.contains(#"welms staff withdraw 'ann o'\''hara'"#)
                    && again.error.trimmed.split(separator: "\n").count == 1,
                "\(again)")
            for (arguments, words) in [
                (["add", "Token", "--role", "kitchen"], "choose another name"),
                (["add", " Bob", "--role", "kitchen"], "plain text"),
                (["withdraw", "Bob"], "welms staff list"),
            ] {
                let refused = try await Program.run(["staff"] + arguments + ["--database-url", database.url])
                #expect(
                    refused.status == 1 && refused.error.contains(words)
                        && refused.error.trimmed.split(separator: "\n").count == 1,
                    "\(refused)")
            }
            for wrong in [
                ["add", "Bob"], ["add", "Bob", "--role", "cook"], ["add", "--role", "kitchen"], ["withdraw"],
            ] {
                #expect(
                    try await Program.run(["staff"] + wrong + ["--database-url", database.url]).status == 64, "\(wrong)"
                )
            }

            #expect(try await run("withdraw", "ANN O'HARA").status == 0)
            #expect(try await run("withdraw", "Ann O'Hara").status == 1)
            let other = try await run("add", "Ann O'Hara", "--role", "counter").output.trimmed
            #expect(other != token)
            #expect(try await run("add", "Zoe", "--role", "manager").status == 0)
            #expect(try await run("withdraw", "Zoe").status == 0)
            let list = try await run("list").output.split(separator: "\n")
            #expect(
                list.count == 2 && list[0].hasPrefix("Ann O'Hara  counter  since 2")
                    && list[1].hasPrefix("Zoe  manager  withdrawn 2"),
                "\(list)")
            let everything = try await run("list").output
            #expect(!everything.contains(token) && !everything.contains(other))
            #expect(
                try await database.psql(
                    "select token_digest = sha256('\(other)') from staff_members where name like 'Ann%'") == "t")
        }
    }

    @Test("With the URL of another role than the owner, staff add fails and names --owner-url")
    func notOwner() async throws {
        try await TestDatabase.with(.migrated) { database in
            for url in [database.serverURL, database.staffURL] {
                let refused = try await Program.run(["staff", "add", "Ann", "--role", "manager", "--database-url", url])
                #expect(
                    refused.status == 1 && refused.error.contains("--owner-url") && refused.output == "", "\(refused)")
            }
        }
    }

    @Test("On an unmigrated database each staff command fails with one line that names welms migrate")
    func unmigrated() async throws {
        try await TestDatabase.with { database in
            for arguments in [["list"], ["add", "Ann", "--role", "kitchen"], ["withdraw", "Ann"]] {
                let refused = try await Program.run(["staff"] + arguments + ["--database-url", database.url])
                #expect(
                    refused.status == 1 && refused.error.contains("welms migrate")
                        && refused.error.trimmed.split(separator: "\n").count == 1, "\(refused)")
            }
        }
    }
}
