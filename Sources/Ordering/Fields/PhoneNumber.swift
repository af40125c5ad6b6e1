// The guest's phone number, one of the two guest keys.

/// A phone number in international form. Every way of writing a number gives the same digits; otherwise one guest
/// would count as two.
package struct PhoneNumber: Hashable, Sendable {
    /// ITU-T E.164: +, a country calling code and a national number of a valid length; at most 15 digits.
    package let e164: String

    private static let limit = TextLimit(characters: 40, bytes: 160)

    /// Parses a number: `required` if blank, else `invalid_phone` or `too_long`.
    ///
    /// Accepts spaces, dots, dashes, slashes, parentheses, and decimal digits of any script. A country code follows +,
    /// the international prefix of the shop's country (011, 00, 010 …), or 00 in every country.
    ///
    /// Other numbers belong to the shop's country, with or without its trunk prefix. That prefix is removed after a
    /// country code too: +44 (0)20 becomes +44 20; but Italy's 0 is part of the number.
    ///
    /// In North America a national number has ten digits, and every ten digits are accepted.
    /// - Parameter defaultCountry: the shop's ISO 3166-1 code in upper case.
    package static func parse(_ text: String, defaultCountry: String) -> Result<PhoneNumber, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.tooLongError(at: .form(.phone))) }
        if text.isBlank { return .failure(FieldError(.phone, .required)) }
        guard text.unicodeScalars.count(where: { !$0.isInvisible }) <= limit.characters else {
            return .failure(limit.tooLongError(at: .form(.phone)))
        }
        guard let raw = RawPhoneNumber(text) else { return .failure(FieldError(.phone, .invalidPhone)) }
        let digits = raw.digits[...]
        let e164 =
            raw.hasPlus
            ? fromInternational(digits) : fromDialled(digits, in: NumberingPlan.plan(forCountry: defaultCountry))
        return e164.map { .success(PhoneNumber(e164: $0)) } ?? .failure(FieldError(.phone, .invalidPhone))
    }

    /// The possible beginnings of a stored number, given the first digits that a guest says, with or without country
    /// code and trunk prefix. The digits can have several meanings; a search uses all of them.
    static func possiblePrefixes(of digits: Substring, hasPlus: Bool, defaultCountry: String) -> Set<String> {
        var prefixes: Set<String> = []
        func insert(_ national: Substring, in plan: NumberingPlan) {
            for rest in plan.possibleNationalPrefixes(of: national) where !rest.isEmpty {
                prefixes.insert("+" + plan.callingCode + rest)
            }
        }
        func insertInternational(_ digits: Substring) {
            guard let plan = NumberingPlan.plan(forInternationalDigits: digits) else { return }
            insert(digits.dropFirst(plan.callingCode.utf8.count), in: plan)
        }
        if hasPlus {
            insertInternational(digits)
            return prefixes
        }
        let plan = NumberingPlan.plan(forCountry: defaultCountry)
        for prefix in (plan?.internationalPrefixes ?? []) + ["00"] {
            if let rest = digits.droppingPrefix(prefix) { insertInternational(rest) }
        }
        if let plan {
            if digits.hasPrefix(plan.callingCode) { insertInternational(digits) }
            insert(digits, in: plan)
        }
        return prefixes
    }

    /// Converts digits that begin with a calling code.
    private static func fromInternational(_ digits: Substring) -> String? {
        guard let plan = NumberingPlan.plan(forInternationalDigits: digits) else { return nil }
        return plan.nationalNumber(digits.dropFirst(plan.callingCode.utf8.count), fromAbroad: true).map {
            "+" + plan.callingCode + $0
        }
    }

    /// Converts digits as dialled in a country. The first reading that gives a possible length wins:
    ///
    /// 1. ten digits in North America, which are always accepted;
    /// 2. 00 and the country's own code: in Thailand 00 66 2 … is in Bangkok, not 006 and a number of Indonesia (62);
    /// 3. the country's international prefixes: in Japan 010 1 … is a number of the United States;
    /// 4. more than ten digits that begin with the country's own code, without the +;
    /// 5. a national number, with or without the trunk prefix;
    /// 6. ten digits or fewer that begin with the country's own code;
    /// 7. 00, which travellers write in every country.
    private static func fromDialled(_ digits: Substring, in plan: NumberingPlan?) -> String? {
        let after00 = digits.droppingPrefix("00")
        guard let plan else { return after00.flatMap(fromInternational) }
        if plan.acceptsAnyDigits, plan.isPossibleNumber(digits) { return "+" + plan.callingCode + digits }
        if let after00, after00.hasPrefix(plan.callingCode), let number = fromInternational(after00) { return number }
        for prefix in plan.internationalPrefixes {
            if let number = digits.droppingPrefix(prefix).flatMap(fromInternational) { return number }
        }
        if digits.utf8.count > 10, digits.hasPrefix(plan.callingCode), let number = fromInternational(digits) {
            return number
        }
        if let number = plan.nationalNumber(digits, fromAbroad: false) { return "+" + plan.callingCode + number }
        if digits.hasPrefix(plan.callingCode), let number = fromInternational(digits) { return number }
        return after00.flatMap(fromInternational)
    }
}
