// A shop whose clocks show some minutes past noon, whatever the time: so that today's hours, and the slots that are left of today, are the same in every
// run. Used by the tests of hours and times.

import Foundation
import Ordering
import Support
import Testing
import Wire

/// The day that it is in a shop at noon.
struct Noon: Sendable {
    let shop: TestShop
    /// `YYYY-MM-DD`, by the shop's clock.
    let today: String
    /// By how much its clock is ahead of UTC.
    let hoursAhead: Int

    /// Sets the shop's clocks to the zone in which it is noon, in one transaction with more changes.
    init(_ shop: TestShop, _ changes: String = "") async throws {
        self.shop = shop
        let rows = try await shop.database.psql(
            """
            begin;
            update shop set time_zone = (select case when ahead >= 0 then 'Etc/GMT-' || ahead else 'Etc/GMT+' || -ahead end
                from (select 12 - extract(hour from clock_timestamp() at time zone 'UTC')::integer as ahead) as zone);
            \(changes)
            commit;
            select (clock_timestamp() at time zone time_zone)::date, extract(epoch from clock_timestamp() at time zone time_zone
                - clock_timestamp() at time zone 'UTC')::integer / 3600 from shop;
            """)
        let parts = rows.split(separator: "\n").last.map { $0.split(separator: "|").map(String.init) } ?? []
        (today, hoursAhead) = (try #require(parts.first), try #require(parts.last.flatMap { Int($0) }))
    }

    /// A day some days from today.
    func day(_ days: Int64) throws -> String {
        let date = try #require(LocalDate(rfc3339: today))
        return LocalDate(daysSince1970: date.daysSince1970 + days).description
    }

    /// A time of a day by the shop's clock, as answers write it; `26:30` is half past two on the day after.
    func at(_ time: String, _ days: Int64 = 0) throws -> String {
        let parts = time.split(separator: ":").compactMap { Int64($0) }
        let midnight = try #require(Instant(rfc3339: "\(try day(days))T00:00:00Z"))
        return midnight.advanced(by: .seconds(3600 * (parts[0] - Int64(hoursAhead)) + 60 * parts[1])).rfc3339
    }

    /// The times that the shop offers.
    func times(_ query: String = "") async throws -> TimesBody {
        try await shop.server.get("/v1/times?\(query)").expecting(200).decoded()
    }

    /// Where a day's slots begin, once the server has read what was written.
    func starts(_ query: String, until isRead: ([String]) -> Bool = { _ in true }) async throws -> [String] {
        var starts: [String] = []
        try await eventually("the times are read") {
            starts = try await times(query).slots.map(\.startsAt)
            return isRead(starts)
        }
        return starts
    }

    /// From when to when the shop is open each day.
    static func hours(_ opens: String, _ closes: String, _ fulfilment: String? = nil) -> String {
        """
        insert into opening_hours (weekday, opens, closes, fulfilment)
            select day, '\(opens)', '\(closes)', \(fulfilment.map { "'\($0)'" } ?? "null") from generate_series(1, 7) as day;
        """
    }
}

/// Why a form was not ordered.
struct Refusal: Hashable {
    /// `field: code` of each thing that is wrong.
    let errors: [String]
    /// The data of the first.
    let params: [String: Scalar]
}

extension TestServer {
    /// What is wrong with a checkout.
    func refusal(_ form: CheckoutBody) async throws -> Refusal {
        let reply = try await checkout(form, key: "refused").expecting(422)
        return Refusal(errors: reply.errors, params: try reply.decoded(ProblemBody.self).errors?.first?.params ?? [:])
    }
}
