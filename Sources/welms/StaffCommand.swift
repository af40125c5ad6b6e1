// `welms staff`: adds members of staff with tokens, lists them and withdraws their tokens.
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
        commandName: "staff", abstract: "Add members of staff with tokens of their own, list them and withdraw them.",
        discussion: """
            The role kitchen sees orders, advances them and marks items as sold out. The role counter may also reject \
            orders, pause the shop and mark it as busy. The role manager may do everything. Members type their token \
            on the page /staff, or send it as Authorization: Bearer.
            """,
        subcommands: [Add.self, List.self, Withdraw.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                Add a member of staff, or give a withdrawn member a new token. The token is shown only once and not \
                stored.
                """)

        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The name, as the audit shows it.") var name: String
        @Option(help: "The role, which decides what the member may do.") var role: StaffRole

        func run() async throws {
            let member = StaffMember(name: name, role: role)
            try await withStaff(database) { url, logger in
                let token = NewStaffToken()
                switch try await ShopDatabase.addStaffMember(member, tokenDigest: token.digest, at: url, logger: logger)
                {
                case .added:
                    // Standard output has only the token, for TOKEN=$(welms staff add ...).
                    printMessage(
                        "Added \(member.name) with the role \(member.role.rawValue). The token is shown only once:")
                    print(token.text)
                case .alreadyExists:
                    throw CommandFailure(
                        """
                        \(member.name) is already a member of staff: choose another name, or first run welms staff \
                        withdraw \(member.name.quoted)
                        """)
                case .tooMany:
                    throw CommandFailure(
                        "the limit of \(ShopDatabase.memberLimit) members is reached: withdraw one first")
                case .refused(let hint): throw CommandFailure("this name is not allowed: \(hint)")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the members of staff, with the withdrawn members last.")

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await withStaff(database) { url, logger in
                let members = try await ShopDatabase.listStaffMembers(at: url, logger: logger)
                if members.isEmpty {
                    printMessage("There are no members of staff: welms staff add NAME --role manager")
                }
                for listed in members {
                    let state =
                        listed.withdrawnAt.map { "withdrawn \($0.rfc3339)" } ?? "since \(listed.createdAt.rfc3339)"
                    print("\(listed.member.name)  \(listed.member.role.rawValue)  \(state)")
                }
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invalidate a member's token, within a second and permanently.")

        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The member's name.") var name: String

        func run() async throws {
            let name = name
            try await withStaff(database) { url, logger in
                guard try await ShopDatabase.withdrawStaffMember(name, at: url, logger: logger) else {
                    throw CommandFailure("there is no member \(name) with a valid token: see welms staff list")
                }
                print("\(name) is withdrawn")
            }
        }
    }
}

/// Runs `work` as the owner of a fully migrated database.
private func withStaff(
    _ database: DatabaseOptions, _ work: @escaping @Sendable (_ url: String, Logger) async throws -> Void
) async throws {
    let settings = try Settings(database)
    try await withDatabase(settings) { url, logger in
        let migrations = try await Migrator(url: url, migrations: Migration.shipped(), logger: logger).status()
        guard migrations.allSatisfy({ $0.appliedAt != nil }) else {
            throw CommandFailure("the database's schema is not up to date: run welms migrate, or start the server")
        }
        guard try await ShopDatabase.canManageStaff(at: url, logger: logger) else {
            throw CommandFailure(
                "only the database's owner can manage staff: give its URL with --owner-url or WELMS_OWNER_URL")
        }
        try await work(url, logger)
    }
}

/// Prints a message to standard error, apart from the command's output.
private func printMessage(_ message: String) { FileHandle.standardError.write(Data("\(message)\n".utf8)) }

extension String {
    /// The text quoted as one word of a shell.
    fileprivate var quoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
