// Reads two values before a server opens a pool: the secret of the order tokens, and whether Citus distributes the
// tables.
import Logging
import Postgres

extension ShopDatabase {
    /// Reads both over a separate connection.
    package static func loadStartupFacts(
        _ configuration: DatabaseConfiguration, logger: Logger
    ) async throws(DatabaseFault) -> (isDistributed: Bool, tokenSecret: [UInt8]) {
        try await onSeparateConnection(
            configuration.url, statementTimeout: configuration.statementTimeout, logger: logger
        ) { connection throws(PostgresError) in
            (try await isDistributed(over: connection), try await tokenSecret(over: connection))
        }
    }

    /// Whether the shop was distributed over a Citus cluster with sql/distributed.
    static func isDistributed(over connection: PostgresConnection) async throws(PostgresError) -> Bool {
        let found = try await connection.query(Self.isDistributedStatement, .reads) { try $0.next(Bool.self) }
        return found.first ?? false
    }

    private static func tokenSecret(over connection: PostgresConnection) async throws(PostgresError) -> [UInt8] {
        let secrets = try await connection.query(Self.tokenSecretStatement, .reads) { try $0.next([UInt8].self) }
        guard let secret = secrets.first else { throw .undecodable("shop_secrets has no row") }
        return secret
    }

    private static let isDistributedStatement = Statement(
        "is_distributed", "select to_regproc('load_checkout_facts') is not null")
    private static let tokenSecretStatement = Statement("load_token_secret", "select access_token from shop_secrets")
}
