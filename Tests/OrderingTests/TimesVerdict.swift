// What we say of a case of the times oracle, compared with what the oracle says, minute by minute. Used by TimesOracleTests.swift.
import FoundationEssentials

@testable import Ordering

/// What the oracle says of a case.
struct TimesJudgement: Decodable {
    /// So often the same, one after the other: `[90, "closed 1774742400"]`.
    struct Run: Decodable {
        let count: Int
        let text: String

        init(from decoder: any Decoder) throws {
            var run = try decoder.unkeyedContainer()
            (count, text) = (try run.decode(Int.self), try run.decode(String.self))
        }
    }

    struct Answer: Decodable {
        var asSoonAsPossible: String
        var readyAt: Int64?
        var closed: String?
        /// Of each date its slots: start, end, and how many are left.
        var dates: [[[Int64?]]]
        var wanted: [Run]
    }

    var doors: [String: [Run]]
    var served: [Run]
    var asks: [Answer]
}

extension [TimesJudgement.Run] {
    /// One for each minute.
    var texts: [String] { flatMap { Array<String>(repeating: $0.text, count: $0.count) } }

    /// The places of the first and the last of each run.
    var edges: [Int] {
        reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }.flatMap { [$0 - 1, $0] }
    }
}

/// Compares.
struct TimesVerdict {
    let judged: TimesCase
    private(set) var differences: [String] = []
    /// How often each kind of answer was given.
    private(set) var counts: [String: Int] = [:]

    init(_ judged: TimesCase) { self.judged = judged }

    mutating func compare(_ judgement: TimesJudgement) throws {
        let menu = try judged.menu()
        let places = places(judgement.doors.values.flatMap(\.edges) + judgement.served.edges)
        for (kind, runs) in judgement.doors { try compareDoors(TimesCase.kind(kind), runs, menu) }
        compareServed(places, judgement.served.texts, menu)
        for (ask, answer) in zip(judged.asks, judgement.asks) { try compare(ask, answer, menu) }
    }

    /// Every minute's, or those of the edges and each 61st.
    private func places(_ edges: [Int], everyMinute: Bool = true) -> [Int] {
        let all = 0..<Int(judged.minutes[1])
        guard !judged.everyMinute || !everyMinute else { return Array(all) }
        return Set(edges + stride(from: 0, to: all.count, by: 61)).filter(all.contains).sorted()
    }

    private mutating func expect(_ ours: String, _ theirs: String, _ what: @autoclosure () -> String) {
        guard ours != theirs, differences.count < 5 else { return }
        differences.append("\(judged.name), \(what()): ours \(ours), the oracle's \(theirs)")
    }

    private mutating func count(_ kind: String) { counts[kind, default: 0] += 1 }

    // MARK: At a moment

    private mutating func compareDoors(_ kind: Fulfilment, _ runs: [TimesJudgement.Run], _ menu: Menu) throws {
        let (unpaused, minutes, theirs) = (try judged.menu(isPaused: false), judged.allMinutes, runs.texts)
        for place in places(runs.edges) {
            let (now, theirs) = (minutes[place], theirs[place])
            guard let door = unpaused.at(now).doors.first(where: { $0.fulfilment == kind }) else {
                throw TimesCase.NotPossible(what: "\(kind)")
            }
            let text = door.isOpen ? "open \(told(door.until))" : "closed \(told(door.opensAt))"
            count((door.isOpen ? "open" : "closed") + (text.hasSuffix("-") ? " for good" : ""))
            if door.isOffered { expect(text, theirs, "\(kind) at \(now)") }
            if let until = menu.terms.pauseUntil {
                let paused = menu.at(now).doors.first { $0.fulfilment == kind }
                let theirs = "\(door.isOpen && until <= now) \(told(now < until ? until : nil))"
                expect("\(paused?.isOpen == true) \(told(paused?.pausedUntil))", theirs, "\(kind) at \(now), with the pause")
            }
        }
        // Who was told before may still say it while it holds.
        var last: (text: String, holds: TimeSpan)?
        for place in runs.edges where minutes.indices.contains(place) {
            let (now, opening) = (minutes[place], menu.terms.opening.opening(kind, at: minutes[place], in: menu.terms.zone))
            if let last, last.holds.contains(now) { expect(last.text, theirs[place], "\(kind) at \(now), as it held before") }
            last = (opening.isOpen ? "open \(told(opening.until))" : "closed \(told(opening.opensAt))", opening.holds)
            expect(last?.text ?? "", theirs[place], "opening of \(kind) at \(now)")
        }
    }

    private mutating func compareServed(_ places: [Int], _ theirs: [String], _ menu: Menu) {
        let minutes = judged.allMinutes
        var last: (text: String, holds: TimeSpan)?
        for place in places {
            let (now, theirs) = (minutes[place], theirs[place])
            let availability = menu.at(now).availability(of: TimesCase.dish)
            let next = judged.servingHours?.next(after: now, in: menu.terms.zone)
            let text = availability.unavailable.map { _ in "\(told(next?.from)) \(told(next?.until))" } ?? "yes"
            count(availability.isAvailable ? "served" : "not served")
            expect(text, theirs, "the dish at \(now)")
            if let why = availability.unavailable {
                expect("\(why.reason) \(told(why.until))", "notServed \(told(next?.from))", "why at \(now)")
            }
            if let last, last.holds.contains(now) { expect(last.text, theirs, "the dish at \(now), as it held before") }
            last = (text, availability.holds)
        }
    }

    // MARK: Offered, and accepted

    private mutating func compare(_ ask: TimesCase.Ask, _ answer: TimesJudgement.Answer, _ menu: Menu) throws {
        let (facts, kind, slots) = (try ask.facts(menu, judged.slots), try TimesCase.kind(ask.kind), judged.slots)
        let question = "\(ask.kind) of \(ask.quantity ?? 0) at \(Instant(seconds: ask.now))"
        var offered: [Instant] = []
        for (date, theirs) in zip(ask.dates, answer.dates) {
            let times = facts.menu.times(
                kind, to: try Postcode.parse(TimesCase.postcode).get(), on: try TimesCase.date(date), basket: facts.basket, taken: slots,
                openOrders: ask.openOrders)
            let ours = times.slots.map { [$0.startsAt.seconds, $0.endsAt.seconds, $0.left] }
            expect("\(ours)", "\(theirs)", "\(question): slots of \(date)")
            expect("\(told(times.readyAt))", "\(told(answer.readyAt.map(Instant.init(seconds:))))", "\(question): ready at")
            expect(times.closed.map { told($0.opensAt) } ?? "open", answer.closed ?? "open", "\(question): closed")
            count(times.readyAt == nil ? "not soon" : "soon")
            counts["offered", default: 0] += ours.count
            offered += times.slots.map(\.startsAt)
        }
        guard facts.basket != nil, menu.terms[kind].isOffered else { return }
        try compareCheckout(ask, facts, nil, answer.asSoonAsPossible, soon: answer.readyAt.map(Instant.init(seconds:)), question)
        guard ask.wanted else { return }
        let accepted = try compareWanted(ask, facts, answer.wanted, question)
        let minutes = Set(judged.allMinutes)
        expect("\(accepted)", "\(offered.filter(minutes.contains))", "\(question): accepted, beside what we offer ourselves")
    }

    /// The minutes that a checkout takes.
    private mutating func compareWanted(
        _ ask: TimesCase.Ask, _ facts: CheckoutFacts, _ runs: [TimesJudgement.Run], _ question: String
    ) throws -> [Instant] {
        let (minutes, theirs) = (judged.allMinutes, runs.texts)
        var (accepted, last) = ([Instant](), "")
        // The first question is of the day before, when all of the day can be had.
        for place in places(runs.edges, everyMinute: ask.now < judged.minutes[0]) {
            let (wanted, theirs) = (minutes[place], theirs[place])
            let errors = Checkout.validate(ask.form(wanted, writtenWith: [0, 120, -330, 840][place % 4]), facts).errors
            let ours = told(errors)
            expect(ours, theirs, "\(question), wanted at \(wanted)")
            if errors.isEmpty { accepted.append(wanted) }
            if errors.isEmpty { count("ok") }
            for error in errors { count(error.code.rawValue + (error.params["limit"] == nil ? "" : " for good")) }
            if ours != last || errors.isEmpty { try compareCheckout(ask, facts, wanted, theirs, question) }
            last = ours
        }
        return accepted
    }

    /// The whole way of a checkout.
    private mutating func compareCheckout(
        _ ask: TimesCase.Ask, _ facts: CheckoutFacts, _ wanted: Instant?, _ theirs: String, soon: Instant? = nil, _ question: String
    ) throws {
        let draft = try ask.draft(wanted, total: Int64(ask.quantity ?? 0) * 1000, id: CheckoutShop.basketID(1))
        let what = "\(question), ordered for \(told(wanted))"
        switch Checkout.decide(draft, facts) {
        case .accept(let order):
            expect("ok", theirs, what)
            let items = wanted == nil ? 0 : ask.quantity ?? 0
            expect("\(told(order.wantedAt)), \(order.slotItems ?? 0) items", "\(told(wanted)), \(items) items", what)
            let readyAt = order.etaMinutes.map { facts.menu.moment.advanced(by: .seconds($0 * 60)) }
            expect(told(readyAt), told(wanted == nil ? soon : nil), "\(what), ready at")
        case .reject(.validationFailed(let errors)): expect(told(errors.all), theirs, what)
        case let other: expect("\(other)", theirs, what)
        }
    }
}

private func told(_ instant: Instant?) -> String { instant.map { "\($0.seconds)" } ?? "-" }

/// `too_soon earliest=… + item_not_served_then from=… until=…`, as the oracle writes it.
private func told(_ errors: [FieldError]) -> String {
    let time = errors.first { $0.path == .form(.wantedAt) }?.toldWithParameters.dropFirst("wantedAt ".count)
    let others = errors.filter { $0.path != .form(.wantedAt) }.map { " + " + $0.toldWithParameters.dropFirst("lines/1 ".count) }
    return (time ?? "ok") + others.joined()
}
