// The current date in the shop, at chosen times. The tests create a function now() that precedes PostgreSQL's own in
// the search path. So the statements see the chosen time, and the product needs no code for tests.
@testable import Database
import Ordering
import Postgres
import Support
import Testing

@Suite("Time zones and business days") struct ClockTests {
    /// Runs `body` with a seeded shop. `set` changes the time that its statements see.
    private func withClock(_ body: (ShopFixture, _ set: (String) async throws -> Void) async throws -> Void)
        async throws
    {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psql(
                """
                create schema clock;
                create table clock.reading (at timestamptz not null);
                insert into clock.reading values ('2026-06-15T12:00Z');
                create function clock.now() returns timestamptz language sql stable as 'select at from clock.reading';
                grant usage on schema clock to welms_server;
                grant select on clock.reading to welms_server;
                grant execute on function clock.now() to welms_server;
                alter database "\(database.name)" set search_path = clock, pg_catalog, public;
                """)
            try await ShopFixture.with(on: database) { fixture async throws in
                try await body(fixture) { try await database.psql("update clock.reading set at = '\($0)'") }
            }
        }
    }

    @Test("The next business day starts by the shop's clock, also on days of a clock change")
    func businessDays() async throws {
        let times = [
            ("America/New_York", "04:00", "2026-07-01T07:59:59.999999Z", "2026-07-01T08:00:00Z"),
            ("America/New_York", "04:00", "2026-07-01T08:00:00Z", "2026-07-02T08:00:00Z"),
            // The clock goes forward on the first day, and back on the second.
            ("America/New_York", "04:00", "2026-03-08T06:00:00Z", "2026-03-08T08:00:00Z"),
            ("America/New_York", "04:00", "2026-11-01T05:30:00Z", "2026-11-01T09:00:00Z"),
            // 02:30 does not exist on the first day, which starts at 03:00. On the second day 01:30 occurs twice.
            ("America/New_York", "02:30", "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"),
            ("America/New_York", "01:30", "2026-11-01T05:29:59Z", "2026-11-01T05:30:00Z"),
            ("America/New_York", "01:30", "2026-11-01T06:29:59Z", "2026-11-02T06:30:00Z"),
            ("Australia/Lord_Howe", "04:00", "2026-10-03T15:00:00Z", "2026-10-03T17:00:00Z"),
            ("Asia/Kathmandu", "04:00", "2026-06-01T00:00:00Z", "2026-06-01T22:15:00Z"),
            ("UTC", "00:00", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"),
        ]
        try await withClock { fixture, set in
            for (zone, start, time, next) in times {
                try await fixture.database.psql(
                    "update shop set time_zone = '\(zone)', business_day_start = '\(start)'")
                try await set(time)
                let (days, now) = try await fixture.storage.loadBusinessDays()
                #expect(
                    now == Instant(rfc3339: time) && days.nextStart(after: now) == Instant(rfc3339: next),
                    "\(time) in \(zone)")
                // Stock uses the same days.
                #expect(
                    try await fixture.database.psql("select ends = '\(next)' from business_day('\(time)')") == "t",
                    "\(time) in \(zone)")
            }
        }
    }

    @Test("A checkout's date is the date in the shop's time zone, also across clock changes and a skipped day")
    func localDate() async throws {
        let times = [
            ("America/New_York", "2026-01-01T04:59:59.999999Z", "2025-12-31"),
            ("America/New_York", "2026-01-01T05:00:00Z", "2026-01-01"),
            // Clocks go forward on 8 March and back on 1 November: those days have 23 and 25 hours.
            ("America/New_York", "2026-03-08T04:59:59.999999Z", "2026-03-07"),
            ("America/New_York", "2026-03-08T05:00:00Z", "2026-03-08"),
            ("America/New_York", "2026-03-09T03:59:59.999999Z", "2026-03-08"),
            ("America/New_York", "2026-03-09T04:00:00Z", "2026-03-09"),
            ("America/New_York", "2026-11-01T03:59:59.999999Z", "2026-10-31"),
            ("America/New_York", "2026-11-01T04:00:00Z", "2026-11-01"),
            ("America/New_York", "2026-11-02T04:59:59.999999Z", "2026-11-01"),
            ("America/New_York", "2026-11-02T05:00:00Z", "2026-11-02"),
            ("Europe/Berlin", "2026-02-28T22:59:59.999999Z", "2026-02-28"),
            ("Europe/Berlin", "2026-02-28T23:00:00Z", "2026-03-01"),
            ("Europe/Berlin", "2028-02-28T23:00:00Z", "2028-02-29"),
            ("Europe/Berlin", "2026-10-31T23:00:00Z", "2026-11-01"),
            // The clock change skipped midnight: the day started at 01:00.
            ("America/Sao_Paulo", "2018-11-04T02:59:59.999999Z", "2018-11-03"),
            ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"),
            // The last hour before midnight occurred twice.
            ("America/Sao_Paulo", "2018-02-18T02:59:59.999999Z", "2018-02-17"),
            ("America/Sao_Paulo", "2018-02-18T03:00:00Z", "2018-02-18"),
            // Samoa skipped 30 December.
            ("Pacific/Apia", "2011-12-30T09:59:59.999999Z", "2011-12-29"),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
            ("Pacific/Kiritimati", "2025-12-31T10:00:00Z", "2026-01-01"),
            ("UTC", "2026-12-31T23:59:59.999999Z", "2026-12-31"),
        ]
        try await withClock { fixture, set in
            for (zone, time, day) in times {
                try await fixture.database.psql("update shop set time_zone = '\(zone)'")
                try await set(time)
                let facts = try await fixture.storage.loadCheckoutFacts([
                    CheckoutFactsQuery(basketID: fixture.makeBasketID(), form: CheckoutForm())
                ])[0]
                .get()
                let parts = day.split(separator: "-").compactMap { Int($0) }
                #expect(
                    facts.moment.today == LocalDate(year: parts[0], month: parts[1], day: parts[2]),
                    "\(time) in \(zone)")
            }
        }
    }

    @Test("A coupon for the month's last day is valid from midnight to midnight of the shop, to the microsecond")
    func lastDay() async throws {
        let times = [
            ("2026-01-31T04:59:59.999999Z", false), ("2026-01-31T05:00:00Z", true),
            ("2026-02-01T04:59:59.999999Z", true),
            ("2026-02-01T05:00:00Z", false), ("2026-02-28T12:00:00Z", true), ("2028-02-28T12:00:00Z", false),
            ("2028-02-29T12:00:00Z", true),
            ("2026-11-01T03:59:59.999999Z", true), ("2026-11-01T04:00:00Z", false),
        ]
        try await withClock { fixture, set in
            for (number, (time, isValid)) in times.enumerated() {
                try await set(time)
                let answer = try await fixture.placeOrder(by: Guest(number), coupon: "LAST")
                #expect(answer.isPlaced == isValid, "\(time)")
                #expect(answer.errorCodes == (isValid ? [] : [.couponNotToday]), "\(time)")
            }
        }
    }

    @Test("A coupon is valid from its start up to but not including its end, by the database's clock")
    func validityWindow() async throws {
        let times: [(String, FieldErrorCode?)] = [
            ("2026-07-01T03:59:59.999999Z", .couponNotStarted), ("2026-07-01T04:00:00Z", nil),
            ("2026-08-01T03:59:59.999999Z", nil),
            ("2026-08-01T04:00:00Z", .couponExpired),
        ]
        try await withClock { fixture, set in
            try await fixture.database.psql(
                """
                update coupons set starts_at = '2026-07-01 00:00 America/New_York', \
                ends_at = '2026-08-01 00:00 America/New_York' where key = 'FOLLOW'
                """
            )
            for (number, (time, code)) in times.enumerated() {
                try await set(time)
                #expect(
                    try await fixture.placeOrder(by: Guest(number), coupon: "FOLLOW").errorCodes
                        == (code.map { [$0] } ?? []), "\(time)")
            }
        }
    }

    @Test("A birthday coupon is accepted once per calendar year of the shop's time zone")
    func birthday() async throws {
        try await withClock { fixture, set in
            // It is still New Year's Eve in New York.
            try await set("2026-01-01T04:00:00Z")
            let first = try await fixture.placeOrder(by: Guest(1), coupon: "HAPPY", birthday: "12-31")
            #expect(first.order?.placedAt.rfc3339 == "2026-01-01T04:00:00.000Z")
            #expect(
                try await fixture.placeOrder(by: Guest(1), coupon: "HAPPY", birthday: "12-31").errorCodes == [
                    .couponAlreadyUsed
                ])
            try await set("2026-12-31T12:00:00Z")
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "HAPPY", birthday: "12-31").isPlaced)
            #expect(
                try await fixture.placeOrder(by: Guest(1), coupon: "HAPPY", birthday: "12-31").errorCodes == [
                    .couponAlreadyUsed
                ])
            #expect(
                try await fixture.database.psql("select distinct period from coupon_uses order by 1") == "2025\n2026")
            try await set("2027-02-28T12:00:00Z")
            #expect(
                try await fixture.placeOrder(by: Guest(2), coupon: "HAPPY", birthday: "02-29").isPlaced,
                "29 February counts as 28 February in common years")
        }
    }
}
