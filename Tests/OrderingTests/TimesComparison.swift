// Compares this program's answers to a case of the times oracle with the oracle's, minute by minute.
import FoundationEssentials

@testable import Ordering

/// The oracle's answers to a case.
struct TimesJudgement: Decodable {
    /// Equal answers of consecutive minutes: `[90, "closed 1774742400"]`.
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
        /// The slots of each date: start, end, and how many orders are left.
        var dates: [[[Int64?]]]
        var wanted: [Run]
    }

    var openingStatuses: [String: [Run]]
    var served: [Run]
    var asks: [Answer]
}

extension [TimesJudgement.Run] {
    /// One text for each minute.
    var texts: [String] { flatMap { Array<String>(repeating: $0.text, count: $0.count) } }

    /// The indices of the first and last minute of each run, and of their neighbours.
    var edges: [Int] {
        reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }.flatMap { [$0 - 1, $0] }
    }
}

/// Compares a case and collects differences.
struct TimesComparison {
    let judged: TimesCase
    private(set) var differences: [String] = []
    /// The number of answers of each kind.
    private(set) var counts: [String: Int] = [:]

    init(_ judged: TimesCase) { self.judged = judged }

    mutating func compare(_ judgement: TimesJudgement) throws {
        let menu = try judged.menu()
        let indices = indices(judgement.openingStatuses.values.flatMap(\.edges) + judgement.served.edges)
        for (kind, runs) in judgement.openingStatuses { try compareOpeningStatus(TimesCase.kind(kind), runs, menu) }
        compareServed(indices, judgement.served.texts, menu)
        for (ask, answer) in zip(judged.asks, judgement.asks) { try compare(ask, answer, menu) }
    }

    /// The indices of all minutes, or only of the edges and of each 61st minute.
    private func indices(_ edges: [Int], everyMinute: Bool = true) -> [Int] {
        let all = 0..<Int(judged.minutes[1])
        guard !judged.everyMinute || !everyMinute else { return Array(all) }
        return Set(edges + stride(from: 0, to: all.count, by: 61)).filter(all.contains).sorted()
    }

    private mutating func expect(_ ours: String, _ theirs: String, _ context: @autoclosure () -> String) {
        guard ours != theirs, differences.count < 5 else { return }
        differences.append("\(judged.name), \(context()): ours \(ours), the oracle's \(theirs)")
    }

    private mutating func count(_ kind: String) { counts[kind, default: 0] += 1 }

    // MARK: Opening status

    private mutating func compareOpeningStatus(_ kind: Fulfilment, _ runs: [TimesJudgement.Run], _ menu: Menu) throws {
        let (unpaused, minutes, theirs) = (try judged.menu(isPaused: false), judged.allMinutes, runs.texts)
        for index in indices(runs.edges) {
            let (now, theirs) = (minutes[index], theirs[index])
            guard let status = unpaused.evaluated(at: now).openingStatuses.first(where: { $0.fulfilment == kind })
            else {
                throw TimesCase.InvalidCase(description: "\(kind)")
            }
            let text = status.isOpen ? "open \(describe(status.closesAt))" : "closed \(describe(status.opensAt))"
            count((status.isOpen ? "open" : "closed") + (text.hasSuffix("-") ? " for good" : ""))
            if status.isOffered { expect(text, theirs, "\(kind) at \(now)") }
            if let until = menu.terms.pauseUntil {
                let paused = menu.evaluated(at: now).openingStatuses.first { $0.fulfilment == kind }
                let theirs = "\(status.isOpen && until <= now) \(describe(now < until ? until : nil))"
                expect(
                    "\(paused?.isOpen == true) \(describe(paused?.pausedUntil))", theirs,
                    "\(kind) at \(now), with the pause")
            }
        }
        // An earlier answer must still be true within its validity.
        var last: (text: String, validity: TimeRange)?
        for index in runs.edges where minutes.indices.contains(index) {
            let (now, opening) = (
                minutes[index], menu.terms.opening.openingState(kind, at: minutes[index], in: menu.terms.zone)
            )
            if let last, last.validity.contains(now) {
                expect(last.text, theirs[index], "\(kind) at \(now), within the validity of the earlier answer")
            }
            last = (
                opening.isOpen ? "open \(describe(opening.until))" : "closed \(describe(opening.opensAt))",
                opening.validity
            )
            expect(last?.text ?? "", theirs[index], "opening of \(kind) at \(now)")
        }
    }

    private mutating func compareServed(_ indices: [Int], _ theirs: [String], _ menu: Menu) {
        let minutes = judged.allMinutes
        var last: (text: String, validity: TimeRange)?
        for index in indices {
            let (now, theirs) = (minutes[index], theirs[index])
            let availability = menu.evaluated(at: now).availability(of: TimesCase.dish)
            let next = judged.servingHours?.next(after: now, in: menu.terms.zone)
            let text = availability.unavailable.map { _ in "\(describe(next?.from)) \(describe(next?.until))" } ?? "yes"
            count(availability.isAvailable ? "served" : "not served")
            expect(text, theirs, "the dish at \(now)")
            if let why = availability.unavailable {
                expect("\(why.reason) \(describe(why.until))", "notServed \(describe(next?.from))", "why at \(now)")
            }
            if let last, last.validity.contains(now) {
                expect(last.text, theirs, "the dish at \(now), within the validity of the earlier answer")
            }
            last = (text, availability.validity)
        }
    }

    // MARK: Offered and accepted times

    private mutating func compare(_ ask: TimesCase.Question, _ answer: TimesJudgement.Answer, _ menu: Menu) throws {
        let (facts, kind, slots) = (try ask.facts(menu, judged.slots), try TimesCase.kind(ask.kind), judged.slots)
        let question = "\(ask.kind) of \(ask.quantity ?? 0) at \(Instant(seconds: ask.now))"
        var offered: [Instant] = []
        for (date, theirs) in zip(ask.dates, answer.dates) {
            let times = facts.menu.offeredTimes(
                kind, to: try Postcode.parse(TimesCase.postcode).get(), on: try TimesCase.date(date),
                basket: facts.basket, occupancy: slots,
                openOrders: ask.openOrders)
            let ours = times.slots.map { [$0.startsAt.seconds, $0.endsAt.seconds, $0.remainingOrders] }
            expect("\(ours)", "\(theirs)", "\(question): slots of \(date)")
            expect(
                "\(describe(times.readyAt))", "\(describe(answer.readyAt.map(Instant.init(seconds:))))",
                "\(question): ready at")
            expect(times.closed.map { describe($0.opensAt) } ?? "open", answer.closed ?? "open", "\(question): closed")
            count(times.readyAt == nil ? "not soon" : "soon")
            counts["offered", default: 0] += ours.count
            offered += times.slots.map(\.startsAt)
        }
        guard facts.basket != nil, menu.terms[kind].isOffered else { return }
        try compareCheckout(
            ask, facts, nil, answer.asSoonAsPossible, soon: answer.readyAt.map(Instant.init(seconds:)), question)
        guard ask.wanted else { return }
        let accepted = try compareWanted(ask, facts, answer.wanted, question)
        let minutes = Set(judged.allMinutes)
        expect(
            "\(accepted)", "\(offered.filter(minutes.contains))",
            "\(question): accepted times differ from the offered ones")
    }

    /// The minutes that a checkout accepts as wanted times.
    private mutating func compareWanted(
        _ ask: TimesCase.Question, _ facts: CheckoutFacts, _ runs: [TimesJudgement.Run], _ question: String
    ) throws -> [Instant] {
        let (minutes, theirs) = (judged.allMinutes, runs.texts)
        var (accepted, last) = ([Instant](), "")
        // Compares every minute only for the first question. It is asked on the day before, when the whole day can be
        // ordered.
        for index in indices(runs.edges, everyMinute: ask.now < judged.minutes[0]) {
            let (wanted, theirs) = (minutes[index], theirs[index])
            let errors = Checkout.validate(ask.form(wanted, offsetMinutes: [0, 120, -330, 840][index % 4]), facts)
                .errors
            let ours = describe(errors)
            expect(ours, theirs, "\(question), wanted at \(wanted)")
            if errors.isEmpty { accepted.append(wanted) }
            if errors.isEmpty { count("ok") }
            for error in errors { count(error.code.rawValue + (error.params["limit"] == nil ? "" : " for good")) }
            if ours != last || errors.isEmpty { try compareCheckout(ask, facts, wanted, theirs, question) }
            last = ours
        }
        return accepted
    }

    /// A complete checkout.
    private mutating func compareCheckout(
        _ ask: TimesCase.Question, _ facts: CheckoutFacts, _ wanted: Instant?, _ theirs: String, soon: Instant? = nil,
        _ question: String
    ) throws {
        let draft = try ask.draft(wanted, total: Int64(ask.quantity ?? 0) * 1000, id: CheckoutFixture.basketID(1))
        let context = "\(question), ordered for \(describe(wanted))"
        switch Checkout.decide(draft, facts) {
        case .accept(let order):
            expect("ok", theirs, context)
            let items = wanted == nil ? 0 : ask.quantity ?? 0
            expect(
                "\(describe(order.wantedAt)), \(order.slotItems ?? 0) items", "\(describe(wanted)), \(items) items",
                context)
            let readyAt = order.etaMinutes.map { facts.menu.moment.advanced(by: .seconds($0 * 60)) }
            expect(describe(readyAt), describe(wanted == nil ? soon : nil), "\(context), ready at")
        case .reject(.validationFailed(let errors)): expect(describe(errors.all), theirs, context)
        case let other: expect("\(other)", theirs, context)
        }
    }
}

private func describe(_ instant: Instant?) -> String { instant.map { "\($0.seconds)" } ?? "-" }

/// `too_soon earliest=… + item_not_served_then from=… until=…`, in the notation of the oracle.
private func describe(_ errors: [FieldError]) -> String {
    let time = errors.first { $0.path == .form(.wantedAt) }?.summaryWithParameters.dropFirst("wantedAt ".count)
    let others = errors.filter { $0.path != .form(.wantedAt) }.map {
        " + " + $0.summaryWithParameters.dropFirst("lines/1 ".count)
    }
    return (time ?? "ok") + others.joined()
}
