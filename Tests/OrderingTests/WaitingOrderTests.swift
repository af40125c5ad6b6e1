// Acceptance deadlines of orders: calculated by hand at the boundaries, and counted minute by minute around clock
// changes.
import Testing

@testable import Ordering

@Suite("The deadline to accept an order")
struct WaitingOrderTests {
    private static func at(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text + ":00Z")) }

    private static func terms(
        _ acceptance: Acceptance = .within(minutes: 30), zone: ShopZone = .utc,
        open shifts: [(opens: String, closes: String)] = [],
        for fulfilment: Fulfilment? = nil, exceptions: [OpeningException] = []
    ) throws -> ShopTerms {
        let weekly = try shifts.flatMap { shift in
            let hours = try #require(Shift(opens: shift.opens, closes: shift.closes))
            return try (1...7).map { try #require(WeeklyShift(weekday: $0, shift: hours, fulfilment: fulfilment)) }
        }
        return ShopTerms(
            zone: zone, opening: OpeningHours(weekly: weekly, exceptions: exceptions), acceptance: acceptance)
    }

    private static func order(
        _ placed: String, for wanted: String? = nil, _ fulfilment: Fulfilment = .delivery, language: String? = nil
    ) throws -> UnacceptedOrder {
        let id = BasketID.make(now: Instant(microseconds: 0), random: (1, 2))
        return UnacceptedOrder(
            id: id, fulfilment: fulfilment, placedAt: try at(placed), wantedAt: try wanted.map(at),
            language: language.flatMap { LanguageTag($0) } ?? .english)
    }

    private static func expect(
        _ deadline: String?, _ terms: ShopTerms, _ order: UnacceptedOrder, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let calculated = terms.acceptanceDeadline(of: order, at: order.dueAt)
        #expect(
            calculated == (try deadline.map(at)), "\(calculated.map(\.rfc3339) ?? "none")", sourceLocation: location)
    }

    @Test("The deadline counts from the placement and only while the shop is open, over nights and closed days")
    func closedTime() throws {
        try Self.expect("2026-11-23T12:30", Self.terms(), Self.order("2026-11-23T12:00"))
        let lunchAndDinner = try Self.terms(open: [("11:00", "14:00"), ("18:00", "26:00")])
        for (placed, deadline) in [
            ("2026-11-23T13:30", "2026-11-23T14:00"), ("2026-11-23T13:31", "2026-11-23T18:01"),
            ("2026-11-23T13:59", "2026-11-23T18:29"),
            ("2026-11-24T01:45", "2026-11-24T11:15"), ("2026-11-23T23:45", "2026-11-24T00:15"),
            ("2026-11-23T14:00", "2026-11-23T18:30"),
            ("2026-11-23T10:00", "2026-11-23T11:30"),
        ] { try Self.expect(deadline, lunchAndDinner, Self.order(placed)) }
        // The shop is open for ten minutes a day, so that 30 minutes need four shifts.
        try Self.expect("2026-11-26T08:05", Self.terms(open: [("08:00", "08:10")]), Self.order("2026-11-23T08:05"))
        let holiday = try #require(LocalDate(rfc3339: "2026-11-24"))
        let closed = try Self.terms(
            open: [("10:00", "20:00")], exceptions: [OpeningException(date: holiday, shift: nil)])
        try Self.expect("2026-11-25T10:20", closed, Self.order("2026-11-23T19:50"))
        // The shop has hours for delivery only, so that pickup is always closed.
        let delivery = try Self.terms(open: [("10:00", "20:00")], for: .delivery)
        try Self.expect("2026-11-23T12:30", delivery, Self.order("2026-11-23T12:00"))
        try Self.expect(nil, delivery, Self.order("2026-11-23T12:00", .pickup))
    }

    @Test("The deadline of a pre-order counts from an hour before its wanted time, or from a later placement")
    func preOrders() throws {
        let always = try Self.terms()
        try Self.expect("2026-11-25T17:30", always, Self.order("2026-11-23T12:00", for: "2026-11-25T18:00"))
        try Self.expect("2026-11-23T12:30", always, Self.order("2026-11-23T12:00", for: "2026-11-23T12:20"))
        // The order is due before the shop opens.
        try Self.expect(
            "2026-11-25T18:30", Self.terms(open: [("18:00", "26:00")]),
            Self.order("2026-11-23T20:00", for: "2026-11-25T18:15"))
    }

    @Test("The deadline counts elapsed minutes through nights with clock changes", arguments: TimesTests.nights)
    func clocks(_ night: TimesTests.Night) throws {
        let change = try Self.at(String(night.changesAt.dropLast()))
        let zone = try #require(
            ShopZone([
                ShopZone.Change(from: Instant(microseconds: 0), offset: night.offsets[0] * 60),
                ShopZone.Change(from: change, offset: night.offsets[1] * 60),
            ]))
        let terms = try Self.terms(.within(minutes: 45), zone: zone, open: [("18:00", "26:00")])
        let id = BasketID.make(now: Instant(microseconds: 0), random: (1, 2))
        for quarter in -40..<40 {
            let placed = change.advanced(by: .seconds(Int64(quarter) * 900 + 60))
            var (moment, left) = (placed, 45)
            while left > 0 {
                if terms.opening.openingState(.delivery, at: moment, in: zone).isOpen { left -= 1 }
                moment = moment.advanced(by: .seconds(60))
            }
            let calculated = terms.acceptanceDeadline(
                of: UnacceptedOrder(id: id, fulfilment: .delivery, placedAt: placed), at: placed)
            #expect(calculated == moment, "placed at \(placed)")
        }
    }

    @Test("An order is rejected exactly at its deadline, and is left to staff from a day after it")
    func verdicts() throws {
        let (terms, order) = (try Self.terms(), try Self.order("2026-11-23T12:00"))
        let deadline = try Self.at("2026-11-23T12:30")
        func verdict(_ after: Duration) -> AcceptanceDecision {
            terms.acceptanceDecision(for: order, at: deadline.advanced(by: after))
        }
        #expect(verdict(.microseconds(-1)) == .wait && verdict(.zero) == .reject(deadline: deadline))
        #expect(verdict(.seconds(86_400) - .microseconds(1)) == .reject(deadline: deadline))
        #expect(
            verdict(.seconds(86_400)) == .leaveToStaff
                && terms.acceptanceDeadline(of: order, at: deadline.advanced(by: .seconds(86_400))) == nil)
        #expect(try Self.terms(.byStaff).acceptanceDecision(for: order, at: deadline) == .leaveToStaff)
        #expect(try Self.terms(.byStaff).acceptanceDeadline(of: order, at: deadline) == nil)
        let automatic = try Self.terms(.automatically)
        #expect(
            automatic.acceptanceDecision(for: order, at: order.placedAt) == .accept
                && automatic.acceptanceDeadline(of: order, at: deadline) == nil)
        #expect(automatic.acceptanceDecision(for: order, at: try Self.at("2026-11-24T12:00")) == .leaveToStaff)
        let later = try Self.order("2026-11-23T12:00", for: "2026-11-25T18:00")
        #expect(automatic.acceptanceDecision(for: later, at: try Self.at("2026-11-24T12:00")) == .accept)
        #expect(automatic.acceptanceDecision(for: later, at: try Self.at("2026-11-25T18:00")) == .leaveToStaff)
    }

    @Test("Under the same terms, an order that is left to staff stays so; closed days delay this moment")
    func leftToStaff() throws {
        let orders = [
            try Self.order("2026-11-23T12:00"), try Self.order("2026-11-23T12:00", for: "2026-11-28T18:00"),
            try Self.order("2026-11-23T12:00", .pickup),
        ]
        let open: [(opens: String, closes: String)] = [("10:00", "20:00")]
        let days = try (24...27).map { try #require(LocalDate(rfc3339: "2026-11-\($0)")) }
        let closed = days.map { OpeningException(date: $0, shift: nil) }
        for terms in [
            try Self.terms(.automatically), try Self.terms(), try Self.terms(open: open, for: .delivery),
            try Self.terms(.within(minutes: 1440), open: open, exceptions: closed),
        ] {
            for order in orders {
                let isLeft = (0...14 * 24).map { hour in
                    let now = order.placedAt.advanced(by: .seconds(hour * 3600))
                    return terms.acceptanceDecision(for: order, at: now) == .leaveToStaff
                }
                let first = try #require(isLeft.firstIndex(of: true))
                #expect(!isLeft[first...].contains(false))
            }
        }
        // Eight hours before the closed days, ten on the first day after them and six on the second.
        let afterClosure = try Self.terms(.within(minutes: 1440), open: open, exceptions: closed)
        let deadline = try Self.at("2026-11-29T16:00")
        func decision(_ after: Duration) -> AcceptanceDecision {
            afterClosure.acceptanceDecision(for: orders[0], at: deadline.advanced(by: after))
        }
        #expect(decision(.microseconds(-1)) == .wait && decision(.zero) == .reject(deadline: deadline))
        #expect(decision(.seconds(86_400)) == .leaveToStaff)
    }

    @Test("The rejection reason is in the order's language, or in English")
    func reasons() throws {
        func reason(_ language: String?) throws -> String {
            try Self.order("2026-11-23T12:00", language: language).rejectionReason
        }
        #expect(try reason("de-AT") == "Wir konnten Ihre Bestellung nicht rechtzeitig annehmen.")
        #expect(try reason("es") == "No pudimos aceptar su pedido a tiempo.")
        #expect(try reason("fr") == "We could not accept your order in time.")
        #expect(try reason(nil) == reason("en"))
    }
}
