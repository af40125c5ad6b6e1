// The URL that people work with in psql: what they write as a date without a zone is one of the shop's, and times are shown so.
// Called by `welms url --role staff`.
import Foundation
import Logging
import Postgres

extension ShopDatabase {
    /// `url` with the shop's time zone for its sessions; as it is while the database has no shop yet.
    /// - Parameter url: A libpq URI that has a query.
    package static func inShopsTime(_ url: String, logger: Logger) async throws(DatabaseFault) -> String {
        let zones: [String]
        do {
            zones = try await PostgresConnection.with(url, logger: logger, orThrow: { $0 }) { connection throws(PostgresError) in
                try await connection.query(timeZoneStatement, .reads) { row throws(PostgresError) in try row.next(String.self) }
            }
        } catch {
            guard case .server(let refusal) = error, refusal.isTableMissing else { throw DatabaseFault(error) }
            return url
        }
        guard let zone = zones.first?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { return url }
        return url + "&options=-c%20timezone%3D" + zone
    }

    private static let timeZoneStatement = Statement("shops_time_zone", "select time_zone from shop")
}
