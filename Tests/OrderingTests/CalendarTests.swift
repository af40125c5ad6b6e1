// Instants and local dates, compared with known days, with every day of 800 years, and with Foundation.
import FoundationEssentials
import TestBasics
import Testing

@testable import Ordering

@Suite("Instants and local dates")
struct CalendarTests {
    @Test(
        "Known instants are formatted as RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (999, "1970-01-01T00:00:00.000Z"),
            (1_000, "1970-01-01T00:00:00.001Z"),
            (951_827_696_789_012, "2000-02-29T12:34:56.789Z"), (1_709_164_800_000_000, "2024-02-29T00:00:00.000Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"),
            (1_795_230_577_120_000, "2026-11-21T03:09:37.120Z"), (253_402_300_799_000_000, "9999-12-31T23:59:59.000Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
            (.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func knownInstants(microseconds: Int64, text: String) {
        #expect(Instant(microseconds: microseconds).rfc3339 == text)
    }

    @Test("A random second of the years 1600 to 9999 is formatted as Foundation formats it")
    func agreesWithFoundation() {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            // Starts in 1600, because Foundation uses the Julian calendar before 1582.
            let second = Int64.random(in: -11_676_096_000...253_402_300_799, using: &random)
            let expected = Date(timeIntervalSince1970: Double(second)).formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(Instant(microseconds: second * 1_000_000).rfc3339 == expected, "second \(second), \(random)")
        }
    }

    @Test("Each of 292,194 consecutive days follows the day before it")
    func everyDay() throws {
        var before = try date(1599, 12, 31)
        for number in Int64(-135_140)..<(-135_140 + 292_194) {
            let (year, month, day) = Instant.civilDate(daysSince1970: number)
            let next = LocalDate(year: Int(year), month: Int(month), day: Int(day))
            guard let next, before < next, (next.day == 1) == before.isLastDayOfMonth,
                next.day == 1 || next.day == before.day + 1
            else {
                Issue.record("\(before) is followed by \(year)-\(month)-\(day)")
                return
            }
            before = next
        }
        #expect(before.description == "2399-12-31")
    }

    @Test(
        "A date that does not exist is rejected",
        arguments: [
            (2026, 2, 29), (1900, 2, 29), (2100, 2, 29), (2024, 2, 30), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1),
            (2026, 1, 0),
            (2026, 1, 32),
            (0, 1, 1), (10_000, 1, 1), (2026, .max, 1), (2026, 1, .min), (.min, 1, 1),
        ] as [(Int, Int, Int)])
    func nonexistentDates(year: Int, month: Int, day: Int) {
        #expect(LocalDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        "The last day of each month is recognised in common and leap years",
        arguments: [
            (2026, 1, 31, true), (2026, 2, 28, true), (2024, 2, 28, false), (2024, 2, 29, true), (2000, 2, 29, true),
            (2100, 2, 28, true),
            (2026, 4, 30, true), (2026, 12, 31, true), (2026, 12, 30, false), (2026, 3, 30, false),
        ] as [(Int, Int, Int, Bool)])
    func lastDay(year: Int, month: Int, day: Int, isLast: Bool) throws {
        #expect(try date(year, month, day).isLastDayOfMonth == isLast)
    }

    @Test(
        "Leap years follow the Gregorian calendar",
        arguments: [(2000, true), (1900, false), (2024, true), (2026, false), (2100, false)])
    func leapYears(year: Int, isLeap: Bool) {
        #expect(LocalDate.isLeapYear(year) == isLeap)
    }

    @Test("Dates and instants compare in the order of time")
    func order() throws {
        #expect(try date(2025, 12, 31) < date(2026, 1, 1))
        #expect(try date(2026, 1, 31) < date(2026, 2, 1))
        #expect(try date(2026, 2, 1) < date(2026, 2, 2))
        #expect(try date(33, 4, 5).description == "0033-04-05")
        #expect(Instant(microseconds: -1) < Instant(microseconds: 0))
    }

    private func date(_ year: Int, _ month: Int, _ day: Int) throws -> LocalDate {
        try #require(LocalDate(year: year, month: month, day: day))
    }
}
