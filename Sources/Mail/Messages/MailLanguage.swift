// The languages of mails, and how each formats money and times.
import Ordering

/// A language of the shop's mails: English, German or Spanish.
enum MailLanguage: String, CaseIterable {
    case en, de, es

    /// The first supported language among the tags, whatever its region; English if none is supported.
    static func best(for tags: [LanguageTag?]) -> MailLanguage {
        for case let tag? in tags {
            if let language = MailLanguage(rawValue: String(tag.text.prefix { $0 != "-" })) { return language }
        }
        return .en
    }

    var tag: LanguageTag { LanguageTag(rawValue) ?? .english }

    /// Formats an amount in minor units: `$1,234.50`, or `1.234,50 €` in German and Spanish.
    func money(_ amount: Int64, _ currency: Currency) -> String {
        let (point, group) = self == .en ? (".", ",") : (",", ".")
        var digits = String(amount.magnitude)
        if digits.utf8.count <= currency.exponent {
            digits = String(repeating: "0", count: currency.exponent + 1 - digits.utf8.count) + digits
        }
        let whole = digits.dropLast(currency.exponent)
        var number = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index).isMultiple(of: 3) { number += group }
            number.append(digit)
        }
        if currency.exponent > 0 { number += point + digits.suffix(currency.exponent) }
        let sign = amount < 0 ? "−" : ""
        let symbol = ["USD": "$", "EUR": "€", "GBP": "£"][currency.code.text]
        if self == .en { return sign + (symbol.map { $0 + number } ?? "\(currency.code.text)\u{A0}\(number)") }
        return "\(sign)\(number)\u{A0}\(symbol ?? currency.code.text)"
    }

    /// Formats a time in the shop's time zone, with its date unless that is the date of `reference`.
    func time(_ moment: Instant, in zone: ShopZone, seenAt reference: Instant) -> String {
        let minutes = zone.minuteOfDay(at: moment)
        let clock = Self.twoDigits(minutes / 60) + ":" + Self.twoDigits(minutes % 60)
        let hour = minutes / 60 % 12 == 0 ? 12 : minutes / 60 % 12
        let time: String =
            switch self {
            case .en: "\(hour):\(Self.twoDigits(minutes % 60)) \(minutes < 720 ? "AM" : "PM")"
            case .de: "\(clock) Uhr"
            case .es: "\(clock)"
            }
        let date = zone.date(of: moment)
        guard date != zone.date(of: reference) else { return time }
        let (day, month) = (words.weekdays[date.weekday - 1], words.months[date.month - 1])
        return switch self {
        case .en: "\(day), \(month) \(date.day), \(time)"
        case .de: "\(day), \(date.day). \(month), \(time)"
        case .es: "\(day), \(date.day) de \(month), \(time)"
        }
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
