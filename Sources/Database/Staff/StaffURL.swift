// The URL that people work with in psql: what they write as a date without a zone is one of the shop's, and times are shown so.
// Called by `welms url --role staff`.
import Foundation
import Logging
import Postgres

extension ShopDatabase {
    /// `url` with the shop's time zone for its sessions; as it is while the database has no shop yet.
    /// - Parameter url: A libpq URI that has a query.
    package static func inShopsTime(_ url: String, logger: Logger) async throws(PostgresError) -> String {
        let connection = try await PostgresConnection.connect(url, logger: logger)
        let zones: [String]
        do {
            zones = try await connection.query(timeZoneStatement, .reads) { row throws(PostgresError) in try row.next(String.self) }
        } catch {
            await connection.close()
            guard case .server(let refusal) = error, refusal.sqlState == Self.undefinedTable else { throw error }
            return url
        }
        await connection.close()
        guard let zone = zones.first?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { return url }
        return url + "&options=-c%20timezone%3D" + zone
    }

    private static let undefinedTable = "42P01"
    private static let timeZoneStatement = Statement("shops_time_zone", "select time_zone from shop")
}
