// Validates the bodies that change pause, load, acceptance and hours, and reports all their errors at once. Also
// builds the shop's status. The database validates shifts.
import HTTPServing
import Ordering
import Wire

extension ShopPause {
    /// The end and the reason of a pause.
    static func parse(_ body: PauseBody, at now: Instant) -> Result<ShopPause, Problem> {
        var errors: [FieldErrorBody] = []
        var until = body.until.flatMap { Instant(rfc3339: $0) }
        if body.until != nil {
            if until == nil {
                errors.append(
                    FieldErrorBody("until", "invalid_time", "Enter a time with its offset, like 2026-11-21T17:00:00Z."))
            } else if let moment = until, moment <= now {
                errors.append(FieldErrorBody("until", "not_in_future", "This time has passed. Enter a later one."))
            }
            if body.minutes != nil {
                errors.append(FieldErrorBody("minutes", "not_with_until", "Give a time or minutes, not both."))
            }
        } else if let minutes = body.minutes {
            errors += FieldErrorBody.outOfRange("minutes", minutes, 1...10_080)
            if errors.isEmpty { until = now.advanced(by: .seconds(60 * minutes)) }
        } else {
            errors.append(FieldErrorBody("until", "required", "Give the end: a time or a number of minutes."))
        }
        var reason: String?
        switch PlainLine.parse(body.reason ?? "", limit: Self.reasonLimit) {
        case .success(let line): reason = line?.text
        case .failure(.tooLong):
            errors.append(
                FieldErrorBody(
                    field: "reason", code: "too_long", message: "Enter at most \(Self.reasonLimit) characters.",
                    params: ["limit": .integer(Int64(Self.reasonLimit))]))
        case .failure(.invalid):
            errors.append(FieldErrorBody("reason", "invalid_reason", "Enter plain text in one line, without < and >."))
        }
        guard let until, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(ShopPause(until: until, reason: reason))
    }
}

extension BusyPeriod {
    /// The additional minutes and their end; nil ends the busy state.
    static func parse(_ body: BusyBody, at now: Instant) -> Result<BusyPeriod?, Problem> {
        guard let minutes = body.minutes else {
            return .failure(
                .validationFailed([
                    FieldErrorBody("minutes", "required", "Enter by how many minutes orders take longer.")
                ]))
        }
        if minutes == 0, body.forMinutes == nil { return .success(nil) }
        var errors = FieldErrorBody.outOfRange("minutes", minutes, 0...180)
        if let forMinutes = body.forMinutes {
            errors += FieldErrorBody.outOfRange("forMinutes", forMinutes, 1...1440)
        } else {
            errors.append(FieldErrorBody("forMinutes", "required", "Enter for how many minutes from now."))
        }
        guard let forMinutes = body.forMinutes, errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(
            minutes == 0 ? nil : BusyPeriod(minutes: Int(minutes), until: now.advanced(by: .seconds(60 * forMinutes))))
    }
}

extension Acceptance {
    /// The requested acceptance of new orders. A missing member has its default.
    static func parse(_ body: AcceptanceBody) -> Result<Acceptance, Problem> {
        guard let minutes = body.withinMinutes else {
            return .success(body.automatically == true ? .automatically : .byStaff)
        }
        var errors = FieldErrorBody.outOfRange("withinMinutes", minutes, Acceptance.permittedMinutes)
        if body.automatically == true {
            errors.append(
                FieldErrorBody(
                    "automatically", "not_with_minutes", "Give minutes for staff or automatic acceptance, not both."))
        }
        guard errors.isEmpty else { return .failure(.validationFailed(errors)) }
        return .success(.within(minutes: Int(minutes)))
    }
}

extension [RawShift] {
    /// The shifts as sent; only missing members are reported here.
    static func parse(_ body: HoursBody) -> Result<[RawShift], Problem> {
        guard let shifts = body.shifts else {
            let message = "Give the shifts of this day; an empty list closes the shop."
            return .failure(.validationFailed([FieldErrorBody("shifts", "required", message)]))
        }
        var errors: [FieldErrorBody] = []
        var rawShifts: [RawShift] = []
        for (index, shift) in shifts.enumerated() {
            if shift.opens == nil {
                errors.append(FieldErrorBody("shifts/\(index)/opens", "required", "Enter when it opens, like 18:00."))
            }
            if shift.closes == nil {
                errors.append(FieldErrorBody("shifts/\(index)/closes", "required", "Enter when it closes, like 26:00."))
            }
            let fulfilment = shift.fulfilment.map { Fulfilment(rawValue: $0) }
            if fulfilment == .some(nil) {
                let message = "Choose delivery or pickup, or leave it out for both."
                errors.append(FieldErrorBody("shifts/\(index)/fulfilment", "invalid_fulfilment", message))
            }
            if let opens = shift.opens, let closes = shift.closes {
                rawShifts.append(RawShift(opens: opens, closes: closes, fulfilment: fulfilment ?? nil))
            }
        }
        return errors.isEmpty ? .success(rawShifts) : .failure(.validationFailed(errors))
    }
}

extension FieldErrorBody {
    init(_ field: String, _ code: String, _ message: String) {
        self.init(field: field, code: code, message: message, params: [:])
    }

    static func outOfRange(_ field: String, _ number: Int64, _ range: ClosedRange<Int>) -> [FieldErrorBody] {
        guard !(Int64(range.lowerBound)...Int64(range.upperBound)).contains(number) else { return [] }
        return [
            FieldErrorBody(
                field: field, code: "out_of_range",
                message: "Enter a number from \(range.lowerBound) to \(range.upperBound).",
                params: ["minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))])
        ]
    }
}

extension StaffShopBody {
    /// The shop's status at the menu's time. An expired pause is omitted.
    init(_ menu: Menu) {
        let (terms, now) = (menu.terms, menu.moment)
        let today = terms.zone.date(of: now)
        let pauseUntil = terms.pauseUntil.flatMap { now < $0 ? $0 : nil }
        let busyUntil = terms.busyUntil.flatMap { now < $0 && terms.busyMinutes > 0 ? $0 : nil }
        let exceptions = terms.opening.exceptions.filter { $0.date >= today }
        self.init(
            pauseUntil: pauseUntil?.rfc3339, pauseReason: pauseUntil == nil ? nil : terms.pauseReason,
            busyMinutes: busyUntil == nil ? 0 : terms.busyMinutes, busyUntil: busyUntil?.rfc3339,
            fulfilments: menu.openingStatuses.map {
                StaffOpeningStatusBody(
                    fulfilment: $0.fulfilment.rawValue, isOffered: $0.isOffered, isOpen: $0.isOpen,
                    until: $0.closesAt?.rfc3339,
                    opensAt: $0.opensAt?.rfc3339)
            },
            today: today.description,
            hours: Fulfilment.allCases.flatMap { fulfilment in
                terms.opening.shifts(fulfilment, on: today).sorted { $0.opens < $1.opens }.map {
                    ShiftBody(opens: $0.opens.timeOfDay, closes: $0.closes.timeOfDay, fulfilment: fulfilment.rawValue)
                }
            },
            isException: exceptions.contains { $0.date == today },
            exceptions: exceptions.sorted { ($0.date, $0.shift?.opens ?? -1) < ($1.date, $1.shift?.opens ?? -1) }.map {
                OpeningHoursExceptionBody(
                    date: $0.date.description, opens: $0.shift?.opens.timeOfDay, closes: $0.shift?.closes.timeOfDay,
                    fulfilment: $0.fulfilment?.rawValue)
            },
            acceptWithinMinutes: terms.acceptance.deadlineMinutes,
            acceptsAutomatically: terms.acceptance == .automatically)
    }
}

extension Int {
    /// Minutes since midnight in staff notation: 1560 is 26:00.
    fileprivate var timeOfDay: String {
        let (hours, minutes) = (self / 60, self % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }
}
