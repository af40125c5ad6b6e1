// Business days in time zones with clock changes: every minute around each change, a change at the start of a day,
// and extreme times and zones.
import TestBasics
import Testing

@testable import Ordering

@Suite("Business days")
struct BusinessDayTests {
    private static func at(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private static func date(_ text: String) throws -> LocalDate {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return try #require(LocalDate(year: parts[0], month: parts[1], day: parts[2]))
    }

    private static func zone(_ first: Int, _ changes: [(String, Int)]) throws -> ShopZone {
        let changes = try changes.map { ShopZone.Change(from: try at($0.0), offset: $0.1) }
        return try #require(ShopZone([ShopZone.Change(from: Instant(microseconds: .min), offset: first)] + changes))
    }

    /// Both clock changes of 2026, as in tzdata.
    private static func newYork() throws -> ShopZone {
        try zone(-18_000, [("2026-03-08T07:00:00Z", -14_400), ("2026-11-01T06:00:00Z", -18_000)])
    }
    private static func berlin() throws -> ShopZone {
        try zone(3_600, [("2026-03-29T01:00:00Z", 7_200), ("2026-10-25T01:00:00Z", 3_600)])
    }
    /// Changes by half an hour.
    private static func lordHowe() throws -> ShopZone {
        try zone(39_600, [("2026-04-04T15:00:00Z", 37_800), ("2026-10-03T15:30:00Z", 39_600)])
    }
    /// Changes at midnight.
    private static func cairo() throws -> ShopZone {
        try zone(7_200, [("2026-04-23T22:00:00Z", 10_800), ("2026-10-29T21:00:00Z", 7_200)])
    }
    /// Changes by two hours.
    private static func troll() throws -> ShopZone {
        try zone(0, [("2026-03-29T01:00:00Z", 7_200), ("2026-10-25T01:00:00Z", 0)])
    }

    @Test("A business day starts at 04:00 by default, and has 23 or 25 hours at clock changes")
    func newYork() throws {
        let days = try #require(BusinessDays(in: Self.newYork()))
        for (moment, day) in [
            ("2026-09-16T07:59:59.999Z", "2026-09-15"), ("2026-09-16T08:00:00Z", "2026-09-16"),
            ("2026-09-17T03:59:59Z", "2026-09-16"),
            // Spring: 04:00 is 08:00Z from the day of the change on, and was 09:00Z on the day before.
            ("2026-03-07T08:59:59Z", "2026-03-06"), ("2026-03-07T09:00:00Z", "2026-03-07"),
            ("2026-03-08T07:59:59Z", "2026-03-07"),
            ("2026-03-08T08:00:00Z", "2026-03-08"),
            // Autumn: in the opposite direction.
            ("2026-10-31T08:00:00Z", "2026-10-31"), ("2026-11-01T08:59:59Z", "2026-10-31"),
            ("2026-11-01T09:00:00Z", "2026-11-01"),
        ] { #expect(try days.day(of: Self.at(moment)) == Self.date(day), "\(moment)") }
        func hours(_ day: String) throws -> Int64 {
            let span = days.timeRange(of: try Self.date(day))
            return (try #require(span.until).microseconds - (try #require(span.from)).microseconds) / 3_600_000_000
        }
        #expect(try (hours("2026-03-07"), hours("2026-10-31"), hours("2026-09-16")) == (23, 25, 24))
    }

    @Test("A day starts after a clock gap that skips its start, and at the first of two equal clock times")
    func clockChanges() throws {
        let gap = try #require(BusinessDays(in: Self.newYork(), startsAt: 150))
        #expect(try gap.start(of: Self.date("2026-03-08")) == Self.at("2026-03-08T07:00:00Z"))
        #expect(try gap.day(of: Self.at("2026-03-08T06:59:59Z")) == Self.date("2026-03-07"))
        #expect(try gap.day(of: Self.at("2026-03-08T07:00:00Z")) == Self.date("2026-03-08"))
        // 01:30 occurs at 05:30Z and at 06:30Z. Between them the clocks show 01:00 again, and the new day continues.
        let twice = try #require(BusinessDays(in: Self.newYork(), startsAt: 90))
        #expect(try twice.start(of: Self.date("2026-11-01")) == Self.at("2026-11-01T05:30:00Z"))
        #expect(try twice.day(of: Self.at("2026-11-01T05:29:59Z")) == Self.date("2026-10-31"))
        for moment in ["05:30", "05:59", "06:00", "06:29", "06:30"] {
            #expect(try twice.day(of: Self.at("2026-11-01T\(moment):00Z")) == Self.date("2026-11-01"), "\(moment)")
        }
        // In spring the clocks skip midnight. In autumn the hour before midnight occurs twice.
        let cairo = try #require(BusinessDays(in: Self.cairo(), startsAt: 0))
        #expect(try cairo.start(of: Self.date("2026-04-24")) == Self.at("2026-04-23T22:00:00Z"))
        #expect(try cairo.start(of: Self.date("2026-10-29")) == Self.at("2026-10-28T21:00:00Z"))
        #expect(try cairo.start(of: Self.date("2026-10-30")) == Self.at("2026-10-29T22:00:00Z"))
    }

    @Test("Around ten clock changes, each minute is in the last day whose start the clocks have shown or passed")
    func everyMinute() throws {
        let changes = [
            (try Self.newYork(), ["2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"]),
            (try Self.berlin(), ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
            (try Self.lordHowe(), ["2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z"]),
            (try Self.cairo(), ["2026-04-23T22:00:00Z", "2026-10-29T21:00:00Z"]),
            (try Self.troll(), ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ]
        let offsets: [[Int64]] = [
            [-300, -240, -300], [60, 120, 60], [660, 630, 660], [120, 180, 120], [0, 120, 0],
        ]
        for ((zone, moments), offsets) in zip(changes, offsets) {
            for startsAt in [0, 1, 59, 60, 90, 119, 120, 150, 180, 240, 1439] {
                let days = try #require(BusinessDays(in: zone, startsAt: startsAt))
                for (which, moment) in moments.enumerated() {
                    let change = try Self.at(moment).microseconds / 60_000_000
                    // The local clock, minute by minute, and the latest time that it has shown so far.
                    var latest = Int64.min
                    for minute in (change - 2 * 1440)..<(change + 1440) {
                        latest = max(latest, minute + (minute < change ? offsets[which] : offsets[which + 1]))
                        guard minute >= change - 1440 else { continue }
                        let now = Instant(microseconds: minute * 60_000_000 + 59_999_999)
                        let day = days.day(of: now)
                        guard day == LocalDate(daysSince1970: (latest - Int64(startsAt)) / 1440),
                            days.timeRange(of: day).contains(now)
                        else {
                            let start = days.start(of: day)
                            Issue.record("\(now) belongs to \(day), which starts at minute \(startsAt), at \(start)")
                            return
                        }
                    }
                }
            }
        }
    }

    @Test("A calendar day that a zone skips starts when the clocks have passed it")
    func skippedDay() throws {
        // Samoa skipped 30 December 2011.
        let samoa = try Self.zone(-36_000, [("2011-12-30T10:00:00Z", 50_400)])
        let days = try #require(BusinessDays(in: samoa))
        #expect(try days.start(of: Self.date("2011-12-30")) == Self.at("2011-12-30T10:00:00Z"))
        #expect(try days.day(of: Self.at("2011-12-30T09:59:59Z")) == Self.date("2011-12-29"))
        #expect(try days.day(of: Self.at("2011-12-30T14:00:00Z")) == Self.date("2011-12-31"))
        #expect(try samoa.date(of: Self.at("2011-12-30T10:00:00Z")) == Self.date("2011-12-31"))
    }

    @Test("In any zone, every time has a day, every day contains its times, and later times never have earlier days")
    func extremeTimes() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            var from: Int64 = -62_000_000_000_000_000
            let changes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                from += Int64.random(in: 1...5_000_000_000_000_000, using: &random)
                return ShopZone.Change(
                    from: Instant(microseconds: from), offset: Int.random(in: -86_399...86_399, using: &random))
            }
            let zone = try #require(ShopZone(changes))
            let days = try #require(BusinessDays(in: zone, startsAt: Int.random(in: 0..<1440, using: &random)))
            var last = LocalDate(daysSince1970: .min)
            let moments = changes.flatMap {
                [$0.from.microseconds - 1, $0.from.microseconds, $0.from.microseconds + 3_600_000_000]
            }
            for moment in ([.min, .max, 0] + moments).sorted() {
                let day = days.day(of: Instant(microseconds: moment))
                #expect(day >= last, "\(random)")
                last = day
                if moment > -62_000_000_000_000_000, moment < 253_000_000_000_000_000 {
                    #expect(days.timeRange(of: day).contains(Instant(microseconds: moment)), "\(random) \(moment)")
                }
            }
        }
        let zone = try Self.newYork()
        #expect(zone.date(of: Instant(microseconds: .max)).description == "9999-12-31")
        #expect(zone.date(of: Instant(microseconds: .min)).description == "0001-01-01")
    }

    @Test("A zone with empty, unordered or out-of-range changes, or a day start outside 0 to 1439, is rejected")
    func rejections() throws {
        func change(_ from: Int64, _ offset: Int) -> ShopZone.Change {
            ShopZone.Change(from: Instant(microseconds: from), offset: offset)
        }
        for changes in [
            [], [change(0, 0), change(0, 1)], [change(1, 0), change(0, 0)], [change(0, 86_400)], [change(0, -86_400)],
            [change(0, .min)],
            [change(0, .max)],
        ] { #expect(ShopZone(changes) == nil) }
        let zone = try #require(ShopZone([change(.max, 0)]))
        for minutes in [-1, 1440, .min, .max] { #expect(BusinessDays(in: zone, startsAt: minutes) == nil) }
        #expect(BusinessDays(in: zone, startsAt: 0) != nil && BusinessDays(in: zone, startsAt: 1439) != nil)
        // Minutes outside the two days that a shift can span are clamped.
        let day = try Self.date("2026-09-16")
        #expect(zone.firstInstant(on: day, minutes: .max) == zone.firstInstant(on: day, minutes: 2880))
        #expect(zone.firstInstant(on: day, minutes: .min) == zone.firstInstant(on: day, minutes: 0))
        #expect(try zone.firstInstant(on: day, minutes: 1560) == Self.at("2026-09-17T02:00:00Z"))
    }

    @Test("A zone with 100,000 clock changes finds the business day")
    func manyChanges() throws {
        let changes = (0..<100_000).map {
            ShopZone.Change(from: Instant(microseconds: Int64($0) * 1_000_000_000), offset: $0 % 2 == 0 ? 0 : 3_600)
        }
        let zone = try #require(ShopZone(changes))
        let days = try #require(BusinessDays(in: zone))
        for number in 0..<10_000 { _ = days.day(of: Instant(microseconds: Int64(number) * 10_000_000_000)) }
        #expect(days.day(of: Instant(microseconds: 100_000_000_000_000)).description == "1973-03-03")
    }

    @Test("Each date converts to its day number and back, and a number out of range gives the nearest date")
    func numbers() throws {
        for (number, text) in [
            (0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (-719_162, "0001-01-01"),
            (-719_163, "0001-01-01"),
            (.min, "0001-01-01"), (2_932_896, "9999-12-31"), (2_932_897, "9999-12-31"), (.max, "9999-12-31"),
        ] as [(Int64, String)] {
            let date = LocalDate(daysSince1970: number)
            #expect(date.description == text)
            #expect(LocalDate(daysSince1970: date.daysSince1970) == date)
        }
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let number = Int64.random(in: -719_162...2_932_896, using: &random)
            #expect(LocalDate(daysSince1970: number).daysSince1970 == number, "\(random)")
        }
    }
}
