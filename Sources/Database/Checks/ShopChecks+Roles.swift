// Health checks of the two database roles.
import Postgres

extension ShopChecks {
    /// Checks that the owner may change the schema and the server may not.
    func roles(_ ownerURL: String, server: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let owner = try await PostgresConnection.connect(ownerURL, statementTimeout: .seconds(10), logger: logger)
            let (ownerRole, serverRole) = (try await Self.role(of: owner), try await Self.role(of: server))
            await owner.close()
            let problem: String? =
                if !ownerRole.mayChangeSchema {
                    "\(ownerRole.name) may not change the schema: give --owner-url the role that owns the database"
                } else if serverRole.mayChangeSchema {
                    "the server's role \(serverRole.name) may change the schema: "
                        + "give --database-url the role welms_server, or a member of it"
                } else {
                    nil
                }
            return Finding(name: "roles", problem: problem)
        } catch {
            return Finding(name: "roles", problem: "\(error): check --owner-url")
        }
    }

    private struct Role: Sendable {
        let name: String
        let mayChangeSchema: Bool
    }

    private static func role(of connection: PostgresConnection) async throws(PostgresError) -> Role {
        let statement = Statement("doctor role", "select current_user::text, has_schema_privilege('public', 'CREATE')")
        let roles = try await connection.query(statement, .reads) { row throws(PostgresError) in
            Role(name: try row.next(), mayChangeSchema: try row.next())
        }
        guard let role = roles.first else { throw .undecodable("a session has no user") }
        return role
    }
}
