// Who works here: makes a member of staff with a token, lists them, and takes a token its force. Read next: sql/020_staff.sql.
import ArgumentParser
import Database
import Foundation
import Logging
import struct Ordering.StaffMember
import enum Ordering.StaffRole
import Shop

extension StaffRole: ExpressibleByArgument {}

struct StaffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "staff", abstract: "Make members of staff with tokens of their own, list them, and withdraw them.",
        discussion: """
            kitchen sees orders, moves them on and sells out; counter may also reject orders, pause the shop and say that it is busy; a \
            manager may do everything. The token is what they type on the page /staff, or send as Authorization: Bearer.
            """,
        subcommands: [Add.self, List.self, Withdraw.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a member of staff, or give one who was withdrawn a new token. It is shown this once, and nowhere kept.")

        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The name, as it stands in the audit.") var name: String
        @Option(help: "What they may do.") var role: StaffRole

        func run() async throws {
            let member = StaffMember(name: name, role: role)
            try await withStaff(database) { url, logger in
                let token = MadeToken()
                switch try await ShopDatabase.addStaffMember(member, tokenDigest: token.digest, at: url, logger: logger) {
                case .added:
                    // The token alone is the command's output: TOKEN=$(welms staff add ...) has it.
                    tell("\(member.name) is \(member.role.rawValue). The token, shown this once:")
                    print(token.text)
                case .isThere:
                    throw CommandFailure(
                        """
                        there is a member \(member.name), whose token opens: first run welms staff withdraw \(member.name.quoted), or take \
                        another name
                        """)
                case .tooMany:
                    throw CommandFailure("there are \(ShopDatabase.memberLimit) members, and there may be no more: withdraw some first")
                case .refused(let hint): throw CommandFailure("this name can't be: \(hint)")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the members of staff, and last those that were withdrawn.")

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await withStaff(database) { url, logger in
                let members = try await ShopDatabase.listStaffMembers(at: url, logger: logger)
                if members.isEmpty { tell("There is nobody yet: welms staff add NAME --role manager") }
                for one in members {
                    let state = one.withdrawn.map { "withdrawn \($0.rfc3339)" } ?? "since \(one.since.rfc3339)"
                    print("\(one.member.name)  \(one.member.role.rawValue)  \(state)")
                }
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a member's token its force, within a second and for good.")

        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The name.") var name: String

        func run() async throws {
            let name = name
            try await withStaff(database) { url, logger in
                guard try await ShopDatabase.withdrawStaffMember(name, at: url, logger: logger) else {
                    throw CommandFailure("there is no member \(name) whose token opens anything: welms staff list shows who there is")
                }
                print("\(name) is withdrawn")
            }
        }
    }
}

/// Does `work` as the owner of a database that has the tables of this program.
private func withStaff(_ database: DatabaseOptions, _ work: @escaping @Sendable (_ url: String, Logger) async throws -> Void) async throws {
    let settings = try Settings(database)
    try await withDatabase(settings) { url, logger in
        let migrations = try await Migrator(url: url, migrations: Migration.shipped(), logger: logger).status()
        guard migrations.allSatisfy({ $0.appliedAt != nil }) else {
            throw CommandFailure("the database's schema is not up to date: first run welms migrate, or start the server")
        }
        guard try await ShopDatabase.mayKeepStaff(at: url, logger: logger) else {
            throw CommandFailure("only the role that owns the database keeps the staff: name it with --owner-url or WELMS_OWNER_URL")
        }
        try await work(url, logger)
    }
}

/// What is for people, beside what the command puts out.
private func tell(_ sentence: String) { FileHandle.standardError.write(Data("\(sentence)\n".utf8)) }

extension String {
    /// As one word of a shell.
    fileprivate var quoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
