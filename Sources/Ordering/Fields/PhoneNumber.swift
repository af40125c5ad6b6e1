// The guest's phone number, one of the two keys that tell guests apart. Parsed by CheckoutForm.
// Read next: WrittenNumber.swift for the signs, CallingPlan.swift for the prefixes.

/// A phone number in the international form, whatever way it was written: all ways of writing a number come to the same digits, or one
/// guest would be two.
package struct PhoneNumber: Hashable, Sendable {
    /// ITU-T E.164: +, a country's calling code and a national number of a length that the country has; 15 digits at most.
    package let e164: String

    private static let limit = TextLimit(characters: 40, bytes: 160)

    /// Reads a number; `required` when blank, else `invalid_phone` or `too_long`.
    ///
    /// Written with spaces, dots, dashes, slashes and parentheses as people do, in decimal digits of any script. After + or what the
    /// shop's country dials before a number abroad (011, 00, 010 …; 00 everywhere) comes a country's code; anything else is a number of the
    /// shop's country, with or without the prefix that is dialled at home. That prefix is dropped behind a country's code too: +44 (0)20 is
    /// +44 20; but Italy's 0 is part of the number. In North America a national number is ten digits, and every ten digits are taken.
    /// - Parameter defaultCountry: the shop's, an ISO 3166-1 code in upper case.
    package static func parse(_ text: String, defaultCountry: String) -> Result<PhoneNumber, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.error(.form(.phone))) }
        if text.isBlank { return .failure(FieldError(.phone, .required)) }
        guard text.unicodeScalars.count(where: { !$0.isInvisible }) <= limit.characters else {
            return .failure(limit.error(.form(.phone)))
        }
        guard let written = WrittenNumber(text) else { return .failure(FieldError(.phone, .invalidPhone)) }
        let digits = written.digits[...]
        let e164 = written.hasPlus ? international(digits) : dialled(digits, in: CallingPlan.of(country: defaultCountry))
        return e164.map { .success(PhoneNumber(e164: $0)) } ?? .failure(FieldError(.phone, .invalidPhone))
    }

    /// What a stored number begins with if a guest says its first digits, or all of them: with or without a country's
    /// code, with or without the trunk digit. Several readings are possible, and a search takes them all.
    static func beginnings(_ digits: Substring, hasPlus: Bool, defaultCountry: String) -> Set<String> {
        var beginnings: Set<String> = []
        func read(_ national: Substring, in plan: CallingPlan) {
            for rest in plan.beginnings(national) where !rest.isEmpty { beginnings.insert("+" + plan.code + rest) }
        }
        func readInternational(_ digits: Substring) {
            guard let plan = CallingPlan.of(internationalDigits: digits) else { return }
            read(digits.dropFirst(plan.code.utf8.count), in: plan)
        }
        if hasPlus {
            readInternational(digits)
            return beginnings
        }
        let plan = CallingPlan.of(country: defaultCountry)
        for prefix in (plan?.international ?? []) + ["00"] {
            if let rest = digits.dropping(prefix) { readInternational(rest) }
        }
        if let plan {
            if digits.hasPrefix(plan.code) { readInternational(digits) }
            read(digits, in: plan)
        }
        return beginnings
    }

    /// Digits that begin with a calling code.
    private static func international(_ digits: Substring) -> String? {
        guard let plan = CallingPlan.of(internationalDigits: digits) else { return nil }
        return plan.nationalNumber(digits.dropFirst(plan.code.utf8.count), fromAbroad: true).map { "+" + plan.code + $0 }
    }

    /// Digits as they are dialled in a country. The first reading that comes to a number of a possible length is taken:
    ///
    /// 1. ten digits in North America, which the product takes whatever they are;
    /// 2. 00 and the country's own code: in Thailand 00 66 2 … is Bangkok, though 006 is a prefix too and 62 is Indonesia;
    /// 3. the country's prefixes for abroad: in Japan 010 1 … is a number of the United States;
    /// 4. more than ten digits that begin with the country's own code: written from abroad without its +;
    /// 5. a national number, with or without the prefix of home;
    /// 6. fewer digits that begin with the country's own code;
    /// 7. 00, which travellers write wherever they are.
    private static func dialled(_ digits: Substring, in plan: CallingPlan?) -> String? {
        let behind00 = digits.dropping("00")
        guard let plan else { return behind00.flatMap(international) }
        if plan.takesAnyDigits, plan.canBeNumber(digits) { return "+" + plan.code + digits }
        if let behind00, behind00.hasPrefix(plan.code), let number = international(behind00) { return number }
        for prefix in plan.international {
            if let number = digits.dropping(prefix).flatMap(international) { return number }
        }
        if digits.utf8.count > 10, digits.hasPrefix(plan.code), let number = international(digits) { return number }
        if let number = plan.nationalNumber(digits, fromAbroad: false) { return "+" + plan.code + number }
        if digits.hasPrefix(plan.code), let number = international(digits) { return number }
        return behind00.flatMap(international)
    }
}
