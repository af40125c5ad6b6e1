// A shop whose clock shows shortly after noon in every run, so that opening hours and slots of today are predictable.

import Foundation
import Ordering
import Support
import Testing
import Wire

/// A shop at noon, with the date and the UTC offset of its clock.
struct NoonShop: Sendable {
    let shop: TestShop
    /// The shop's date, as `YYYY-MM-DD`.
    let today: String
    /// How far the shop's clock is ahead of UTC, in hours.
    let hoursAheadOfUTC: Int

    /// Sets the shop's time zone to one in which it is noon now, in one transaction with `changes`.
    init(_ shop: TestShop, _ changes: String = "") async throws {
        self.shop = shop
        let rows = try await shop.database.psql(
            """
            begin;
            update shop set time_zone = (
                select case when ahead >= 0 then 'Etc/GMT-' || ahead else 'Etc/GMT+' || -ahead end
                from (select 12 - extract(hour from clock_timestamp() at time zone 'UTC')::integer as ahead) as zone);
            \(changes)
            commit;
            select (clock_timestamp() at time zone time_zone)::date,
                extract(epoch from clock_timestamp() at time zone time_zone
                    - clock_timestamp() at time zone 'UTC')::integer / 3600 from shop;
            """)
        let parts = rows.split(separator: "\n").last.map { $0.split(separator: "|").map(String.init) } ?? []
        (today, hoursAheadOfUTC) = (try #require(parts.first), try #require(parts.last.flatMap { Int($0) }))
    }

    /// The date some days after today.
    func date(daysFromToday days: Int64) throws -> String {
        let date = try #require(LocalDate(rfc3339: today))
        return LocalDate(daysSince1970: date.daysSince1970 + days).description
    }

    /// An instant by the shop's clock, as responses format it. `26:30` is 02:30 on the next day.
    func time(_ time: String, dayOffset days: Int64 = 0) throws -> String {
        let parts = time.split(separator: ":").compactMap { Int64($0) }
        let midnight = try #require(Instant(rfc3339: "\(try date(daysFromToday: days))T00:00:00Z"))
        return midnight.advanced(by: .seconds(3600 * (parts[0] - Int64(hoursAheadOfUTC)) + 60 * parts[1])).rfc3339
    }

    /// The offered times.
    func times(_ query: String = "") async throws -> TimesBody {
        try await shop.server.get("/v1/times?\(query)").expecting(200).decoded()
    }

    /// The starts of a day's slots, once `isLoaded` accepts them.
    func slotStarts(_ query: String, until isLoaded: ([String]) -> Bool = { _ in true }) async throws -> [String] {
        var starts: [String] = []
        try await eventually("the server has loaded the times") {
            starts = try await times(query).slots.map(\.startsAt)
            return isLoaded(starts)
        }
        return starts
    }

    /// SQL that sets the opening hours of every weekday.
    static func openingHoursSQL(_ opens: String, _ closes: String, _ fulfilment: String? = nil) -> String {
        """
        insert into opening_hours (weekday, opens, closes, fulfilment)
            select day, '\(opens)', '\(closes)', \(fulfilment.map { "'\($0)'" } ?? "null")
            from generate_series(1, 7) as day;
        """
    }
}

/// The field errors of a rejected checkout.
struct RejectedForm: Hashable {
    /// Each error as `field: code`.
    let errors: [String]
    /// The parameters of the first error.
    let params: [String: FieldValue]
}

extension TestServer {
    /// The rejection of a checkout that must return 422.
    func rejection(of form: CheckoutBody) async throws -> RejectedForm {
        let reply = try await checkout(form, key: "refused").expecting(422)
        return RejectedForm(
            errors: reply.errors, params: try reply.decoded(ProblemBody.self).errors?.first?.params ?? [:])
    }
}
