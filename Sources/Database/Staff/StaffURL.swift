// The URL for psql, with the shop's time zone: dates without a zone are in it, and times are shown in it.
import Foundation
import Logging
import Postgres

extension ShopDatabase {
    /// `url` with the shop's time zone; unchanged if the database is not migrated.
    /// - Parameter url: A libpq URI with a query.
    package static func addingShopTimeZone(to url: String, logger: Logger) async throws(DatabaseFault) -> String {
        let zones: [String]
        do {
            zones = try await PostgresConnection.with(url, logger: logger, orThrow: { $0 }) {
                connection throws(PostgresError) in
                try await connection.query(timeZoneStatement, .reads) { try $0.next(String.self) }
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
