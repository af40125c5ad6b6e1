// The two days on which the clocks change, over HTTP with a fixed clock.

import Foundation
import Ordering
import Support
import Testing
import Wire

@Suite("Slots and opening hours on the days on which the clocks change", .timeLimit(.minutes(10)))
struct ClockChangeTests {
    /// A night in Berlin after an evening with opening hours from 18:00 to 26:00.
    struct Night: CustomTestStringConvertible {
        /// The day on which the clocks change.
        let date: String
        /// `now` is an hour before the opening on the day before.
        let now, opensAt: String
        /// The length of the day.
        let hours: Int
        /// The first slots of the day: of the previous evening's shift, and of its own.
        let first, evening: String
        let leftover: Int
        /// The end of the previous evening's shift.
        let closes: String
        var testDescription: String { date }
    }

    static let nights = [
        // 02:00 does not exist: the shift ends when the clocks skip it.
        Night(
            date: "2026-03-29", now: "2026-03-28T16:00:00Z", opensAt: "2026-03-28T17:00:00Z", hours: 23,
            first: "2026-03-28T23:00:00Z",
            evening: "2026-03-29T16:00:00Z", leftover: 4, closes: "2026-03-29T01:00:00Z"),
        // 02:00 occurs twice: the shift ends at the second.
        Night(
            date: "2026-10-25", now: "2026-10-24T15:00:00Z", opensAt: "2026-10-24T16:00:00Z", hours: 25,
            first: "2026-10-24T22:00:00Z",
            evening: "2026-10-25T17:00:00Z", leftover: 6, closes: "2026-10-25T01:00:00Z"),
    ]

    /// Functions that replace PostgreSQL's clock with the value of a table row.
    private static let givenClock = """
        create table given_clock (at timestamptz not null);
        insert into given_clock values (now());
        grant select on given_clock to public;
        create function public.now() returns timestamptz language sql stable as 'select at from public.given_clock';
        create function public.clock_timestamp() returns timestamptz
            language sql stable as 'select at from public.given_clock';
        grant execute on function public.now(), public.clock_timestamp() to public;
        do $do$
        declare
            candidate record;
        begin
            for candidate in
                select oid::regprocedure as name from pg_proc
                where pronamespace = 'public'::regnamespace and proconfig::text like '%search_path%'
            loop
                execute format('alter function %s set search_path = public, pg_catalog, pg_temp', candidate.name);
            end loop;
            execute format('alter database %I set search_path = public, pg_catalog', current_database());
        end $do$;
        """

    @Test(
        "Exactly the offered slots can be ordered, and orders are accepted to the last microsecond before closing",
        arguments: nights)
    func offered(_ night: Night) async throws {
        try await TestDatabase.with(.seeded) { database in
            try await database.psql(Self.givenClock)
            @Sendable func set(_ moment: String) async throws {
                try await database.psql("update given_clock set at = \(moment)")
            }
            try await set("'\(night.now)'")
            try await database.psql(
                """
                update shop set time_zone = 'Europe/Berlin';
                update fulfilments set slot_minutes = 30;
                """ + NoonShop.openingHoursSQL("18:00", "26:00"))
            try await TestShop.run(on: database) { shop in
                let (first, evening) = (
                    try #require(Instant(rfc3339: night.first)), try #require(Instant(rfc3339: night.evening))
                )
                func halves(_ from: Instant, _ count: Int) -> [String] {
                    (0..<count).map { from.advanced(by: .seconds(1800 * $0)).rfc3339 }
                }
                let times = try await shop.server.get("/v1/times?date=\(night.date)").expecting(200).decoded(
                    TimesBody.self)
                let starts = times.slots.map(\.startsAt)
                #expect(starts == halves(first, night.leftover) + halves(evening, 12))
                #expect(times.closed == ClosedBody(opensAt: Instant(rfc3339: night.opensAt)?.rfc3339))
                #expect(times.asSoonAsPossible == nil)
                var guest = 0
                for start in starts {
                    guest += 1
                    var form = CheckoutBody.filled(
                        for: try await shop.server.startBasket(items: [(2001, 1)]), guest: guest)
                    form.wantedAt = start
                    let order = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
                    #expect(order.wantedAt == start && order.readyAt == start)
                }
                // The whole day of 23 or 25 hours.
                var form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 1)]))
                for quarter in 0..<4 * night.hours {
                    let moment = first.advanced(by: .seconds(900 * quarter)).rfc3339
                    form.wantedAt = moment
                    let live = try await shop.server.validate(form).decoded(ValidationBody.self)
                    #expect(live.isReady == starts.contains(moment), "\(moment): \(live)")
                }

                func order(at moment: String, guest: Int) async throws -> TestServer.Reply {
                    let form = CheckoutBody.filled(
                        for: try await shop.server.startBasket(items: [(2001, 1)]), guest: guest)
                    try await set(moment)
                    return try await shop.server.checkout(form, key: "k")
                }
                let last = "timestamptz '\(night.closes)' - interval '1 microsecond'"
                #expect(try await order(at: last, guest: 100).status == 201)
                #expect(try await order(at: "'\(night.closes)'", guest: 101).errors == ["wantedAt: shop_closed"])
                let placed = try await shop.database.psql("select count(*), count(wanted_at) from orders")
                #expect(placed == "\(starts.count + 1)|\(starts.count)")
            }
        }
    }
}
