// How the countries of the world dial, by calling code (ITU-T E.164): what is put before a number at home and before one abroad, and how
// long a whole number can be. Used by PhoneNumber only. Next: CallingPlanTable.swift, which has the facts.

/// What turns a number as it is dialled into an international one.
struct CallingPlan: Sendable {
    /// Digits after the +.
    let code: String
    /// ISO 3166-1 codes of who shares the plan; none for satellite phones.
    let countries: [String]
    /// What is dialled before a national number at home and left out from abroad; in Brazil with a carrier's code.
    let trunks: [String]
    /// What is dialled before a number abroad, the longest first; x is any digit.
    let international: [String]
    /// Whether a national number may begin with 0. Elsewhere a 0 in front is no part of it, whoever wrote it there.
    let mayBeginWithZero: Bool
    /// Bit n is set where a national number may have n digits.
    private let lengths: UInt16

    /// The plan of a country by its ISO 3166-1 code, or nil where there is none: then numbers must begin with + or 00.
    static func of(country: String) -> CallingPlan? { table.byCountry[country] }

    /// The plan of the calling code that the digits begin with: no code is the beginning of another.
    static func of(internationalDigits digits: Substring) -> CallingPlan? {
        for length in 1...3 { if let plan = table.byCode[String(digits.prefix(length))] { return plan } }
        return nil
    }

    /// The national number in what was written behind the calling code, or at home: the digits themselves if they can be one, else
    /// without what is dialled in front. So +7 812 … stays, though 8 is what Russia dials first, and +7 8 812 … loses it.
    ///
    /// - Parameter fromAbroad: then a 0 goes even where nobody dials one: +34 (0) is the habit of the neighbours.
    func nationalNumber(_ digits: Substring, fromAbroad: Bool) -> Substring? {
        if canBeNumber(digits) { return digits }
        for trunk in trunks + (fromAbroad ? ["0"] : []) {
            if let number = digits.dropping(trunk), canBeNumber(number) { return number }
        }
        return code == "54" ? CallingPlan.argentineMobile(digits.dropping("0") ?? digits) : nil
    }

    /// What a national number may begin with if these are its first digits, with or without what is dialled in front.
    func beginnings(_ digits: Substring) -> [Substring] {
        [digits] + (trunks + ["0"]).compactMap { digits.dropping($0) }
    }

    /// Argentina's mobiles at home are area, 15, number; from abroad 9, area, number. Areas have two digits (11, Buenos Aires), three or
    /// four, and area and number have ten together, so the 15 can stand in one place only.
    private static func argentineMobile(_ digits: Substring) -> Substring? {
        guard digits.utf8.count == 12 else { return nil }
        for area in digits.hasPrefix("11") ? 2...2 : 3...4 {
            if let number = digits.dropFirst(area).dropping("15") { return Substring("9" + digits.prefix(area) + number) }
        }
        return nil
    }

    /// Whether a national number can be these digits, by its length.
    func canBeNumber(_ digits: Substring) -> Bool {
        let count = digits.utf8.count
        return count <= 15 && lengths & 1 << UInt16(count) != 0 && (mayBeginWithZero || !digits.hasPrefix("0") || takesAnyDigits)
    }

    /// North America, where all ten digits are taken: the phone company knows which are in use.
    var takesAnyDigits: Bool { code == "1" }

    static let table: (byCode: [String: CallingPlan], byCountry: [String: CallingPlan]) = {
        let plans = rows.split(separator: "\n").compactMap(CallingPlan.init(row:))
        let byCountry = plans.flatMap { plan in plan.countries.map { ($0, plan) } }
        return (
            Dictionary(plans.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first }),
            Dictionary(byCountry, uniquingKeysWith: { first, _ in first })
        )
    }()

    /// Reads a row of the table: code, countries, trunk prefixes, international prefixes, lengths. A test reads them all.
    init?(row: Substring) {
        let columns = row.split(separator: " ")
        guard columns.count == 5 else { return nil }
        func list(_ column: Int) -> [String] { columns[column] == "-" ? [] : columns[column].split(separator: ",").map(String.init) }
        var lengths: UInt16 = 0
        for range in list(4) {
            let bounds = range.split(separator: "-").compactMap { UInt16($0) }
            guard let least = bounds.first, let most = bounds.last, least <= most, most <= 15 else { return nil }
            for length in least...most { lengths |= 1 << length }
        }
        code = String(columns[0])
        countries = list(1)
        mayBeginWithZero = columns[2] == "=0"
        trunks = mayBeginWithZero ? ["0"] : list(2)
        international = list(3).sorted { $0.utf8.count > $1.utf8.count }
        self.lengths = lengths
    }
}

extension Substring {
    /// What follows the prefix, in which x is any digit, or nil where it isn't there.
    func dropping(_ prefix: String) -> Substring? {
        guard utf8.count >= prefix.utf8.count, zip(utf8, prefix.utf8).allSatisfy({ $0 == $1 || $1 == UInt8(ascii: "x") }) else {
            return nil
        }
        return dropFirst(prefix.utf8.count)
    }
}
