// The guest's phone number, one of the two keys that tell guests apart. Parsed by CheckoutForm.
// Read next: CallingPlan.swift.

/// A phone number in the international form, whatever way it was written.
public struct PhoneNumber: Hashable, Sendable {
    /// ITU-T E.164: + and 7…15 digits, the first not 0.
    public let e164: String

    private static let limit = TextLimit(characters: 40, bytes: 160)

    /// Reads a number; `required` when blank, else `invalid_phone` or `too_long`.
    ///
    /// Written with spaces, dots, dashes, slashes and parentheses as people do, in decimal digits of any script. After + or the
    /// international prefix (00; 011 in North America) comes a country's code; anything else belongs to the default country, with or
    /// without the prefix that is dialled at home. In North America that is ten digits, and every ten digits are taken: the phone
    /// company knows which are in use.
    /// - Parameter defaultCountry: the shop's, an ISO 3166-1 code in upper case.
    public static func parse(_ text: String, defaultCountry: String) -> Result<PhoneNumber, FieldError> {
        guard text.utf8.count <= limit.bytes else { return .failure(limit.error(.phone)) }
        if text.isBlank { return .failure(FieldError(.phone, .required)) }
        guard text.unicodeScalars.count <= limit.characters else { return .failure(limit.error(.phone)) }
        guard let written = WrittenNumber(text), let e164 = international(written, CallingPlan.of(country: defaultCountry)) else {
            return .failure(FieldError(.phone, .invalidPhone))
        }
        return .success(PhoneNumber(e164: e164))
    }

    private static func international(_ written: WrittenNumber, _ plan: CallingPlan?) -> String? {
        var digits = written.digits[...]
        if written.hasPlus { return checked(digits) }
        if let length = plan?.nationalLength, digits.count == length, let plan { return checked(plan.code + digits) }
        for prefix in plan?.code == "1" ? ["011", "00"] : ["00"] where digits.hasPrefix(prefix) {
            return checked(digits.dropFirst(prefix.count))
        }
        guard let plan else { return nil }
        if let length = plan.nationalLength {
            guard digits.count == length + 1, digits.hasPrefix(plan.trunk) || digits.hasPrefix(plan.code) else { return nil }
            return checked(plan.code + digits.dropFirst())
        }
        // Written from abroad but without its +; at home no number of more than ten digits lacks the prefix.
        if digits.utf8.count > 10, digits.hasPrefix(plan.code) { return checked(digits) }
        if digits.hasPrefix(plan.trunk) { digits = digits.dropFirst(plan.trunk.count) }
        return checked(plan.code + digits)
    }

    /// The number if it can be one: 7…15 digits, and in North America, whose length we know, exactly eleven.
    private static func checked(_ digits: some StringProtocol) -> String? {
        let count = digits.utf8.count
        guard (7...15).contains(count), !digits.hasPrefix("0"), !digits.hasPrefix("1") || count == 11 else { return nil }
        return "+" + digits
    }
}
