// The checkout form as received, and the validation of the fields that need no facts. `CheckoutForm.validate` is the
// only list of the fields' rules. Coupon, tip and expected total are also validated with the basket.

/// A field of the form by its JSON name: from top to bottom, then the totals that were shown. The order of the cases is
/// the order of the errors.
package enum FormField: String, CaseIterable, Sendable {
    case name, phone, email, address, comment, coupon, birthday, fulfilment, wantedAt, postcode, tip, payment,
        ageConfirmed
    case expectedTotal, currency, expectedTotals

    /// Its index in the order of the cases.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The fields as the guest sent them, not validated; nil if a field was not sent.
package struct CheckoutForm: Hashable, Sendable {
    /// Required, but the address only for delivery. See `PersonName`, `PhoneNumber`, `EmailAddress`, `DeliveryAddress`.
    package var name, phone, email, address: String?
    /// A blank value counts as missing; see `OrderComment`, `CouponKey`, `Birthday`.
    package var comment, coupon, birthday: String?
    /// `delivery`, the default, or `pickup`.
    package var fulfilment: String?
    /// RFC 3339, the start of a slot; as soon as possible if missing.
    package var wantedAt: String?
    /// The postcode of the delivery; see `Postcode`. Required if the shop has delivery areas.
    package var postcode: String?
    /// Minor units; no tip if missing.
    package var tip: Int64?
    /// The payment; cash if missing.
    package var payment: RawPayment?
    /// Whether the guest confirms the age that the basket requires; false if missing.
    package var ageConfirmed: Bool?
    /// Required, minor units: the total that the guest was shown.
    package var expectedTotal: Int64?
    /// The ISO 4217 code of that total; the currency that the basket recorded if missing.
    package var currency: String?
    /// The list of totals that the guest was shown; compared only if present.
    package var expectedTotals: [RawTotal]?

    package init(
        name: String? = nil, phone: String? = nil, email: String? = nil, address: String? = nil, comment: String? = nil,
        coupon: String? = nil, birthday: String? = nil, fulfilment: String? = nil, wantedAt: String? = nil,
        postcode: String? = nil,
        tip: Int64? = nil, payment: RawPayment? = nil, ageConfirmed: Bool? = nil, expectedTotal: Int64? = nil,
        currency: String? = nil, expectedTotals: [RawTotal]? = nil
    ) {
        (self.name, self.phone, self.email, self.address) = (name, phone, email, address)
        (self.comment, self.coupon, self.birthday) = (comment, coupon, birthday)
        (self.fulfilment, self.wantedAt, self.postcode) = (fulfilment, wantedAt, postcode)
        (self.tip, self.payment, self.ageConfirmed) = (tip, payment, ageConfirmed)
        (self.expectedTotal, self.currency, self.expectedTotals) = (expectedTotal, currency, expectedTotals)
    }

    /// Validates all fields and returns the details, or every error.
    /// - Parameter defaultCountry: the shop's ISO 3166-1 code in upper case, for phone numbers without a country code.
    package func validated(defaultCountry: String) -> Result<CheckoutDetails, FieldErrors> {
        var collector = FieldCollector()
        return validate(defaultCountry, &collector)
    }

    /// Validates the given fields in the API's order, while the guest types. Skips missing fields and blank optional
    /// ones.
    package func validatedFields(defaultCountry: String) -> [ValidatedField] {
        var collector = FieldCollector(fields: [])
        _ = validate(defaultCountry, &collector)
        return collector.fields ?? []
    }

    /// Validates the fields in the order of the API, and adds each result to the collector.
    private func validate(_ country: String, _ collector: inout FieldCollector)
        -> Result<CheckoutDetails, FieldErrors>
    {
        let name = collector.required(.name, name.map(PersonName.parse)) { .text($0.text) }
        let phone = collector.required(.phone, phone.map { PhoneNumber.parse($0, defaultCountry: country) }) {
            .text($0.e164)
        }
        let email = collector.required(.email, email.map(EmailAddress.parse)) { .text($0.text) }
        let address: Result<DeliveryAddress?, FieldError> =
            isForPickup
            ? .success(nil)
            : collector.required(.address, address.map(DeliveryAddress.parse)) { .text($0.text) }.map(Optional.some)
        let comment = collector.optional(.comment, comment.map(OrderComment.parse)) { .text($0.text) }
        let coupon = collector.optional(.coupon, coupon.map(CouponKey.parse)) { .text($0.text) }
        let birthday = collector.optional(.birthday, birthday.map(Birthday.parse)) { .text($0.text) }
        let fulfilment = collector.optional(.fulfilment, fulfilment.map(Self.parseFulfilment)) { .text($0.rawValue) }
            .map { $0 ?? .delivery }
        let wantedAt = collector.optional(.wantedAt, wantedAt.map(Self.parseWantedTime)) { .text($0.rfc3339) }
        let postcode = collector.optional(.postcode, isForPickup ? nil : postcode.map(Postcode.parse)) {
            .text($0.text)
        }
        _ = collector.optional(.tip, tip.map(Self.parseTip)) { .integer($0.minorUnits) }
        _ = collector.optional(.payment, payment.map(Self.parsePayment)) { .text($0.rawValue) }
        let expectedTotal = collector.required(.expectedTotal, expectedTotal.map(Self.parseExpectedTotal)) {
            .integer($0.minorUnits)
        }
        let currency = collector.optional(.currency, currency.map(Self.parseCurrency)) { .text($0.text) }
        // A list has no normalised value, so it appears only with an error.
        let expectedTotals = collector.optional(.expectedTotals, expectedTotals.map(Self.parseExpectedTotals)) { _ in
            nil
        }
        if let errors = FieldErrors(collector.errors) { return .failure(errors) }
        do {
            return .success(
                CheckoutDetails(
                    name: try name.get(), phone: try phone.get(), email: try email.get(), address: try address.get(),
                    comment: try comment.get(), coupon: try coupon.get(), birthday: try birthday.get(),
                    fulfilment: try fulfilment.get(), wantedAt: try wantedAt.get(),
                    postcode: try postcode.get(), expectedTotal: try expectedTotal.get(), currency: try currency.get(),
                    expectedTotals: try expectedTotals.get()))
        } catch {
            return .failure(FieldErrors(error))
        }
    }

    /// The coupon key, if the text can be one. The database is queried with it even if other fields are invalid.
    package var parsedCouponKey: CouponKey? { (try? CouponKey.parse(coupon ?? "").get()).flatMap(\.self) }

    /// The chosen fulfilment; delivery if it is missing or unknown.
    package var chosenFulfilment: Fulfilment { fulfilment.flatMap(Fulfilment.init) ?? .delivery }

    /// The wanted time; nil if it is missing (as soon as possible) or not a valid time.
    package var parsedWantedTime: Instant? { wantedAt.flatMap { Instant(rfc3339: $0) } }

    /// The postcode, if the text can be one and the order is delivered.
    package var parsedPostcode: Postcode? {
        isForPickup ? nil : (try? Postcode.parse(postcode ?? "").get()).flatMap(\.self)
    }

    /// Whether the guest picks up the order; address and postcode are then ignored.
    var isForPickup: Bool { chosenFulfilment == .pickup }

    static func parseFulfilment(_ text: String) -> Result<Fulfilment?, FieldError> {
        Fulfilment(rawValue: text).map { .success($0) } ?? .failure(FieldError(.fulfilment, .invalidFulfilment))
    }

    static func parseWantedTime(_ text: String) -> Result<Instant?, FieldError> {
        Instant(rfc3339: text).map { .success($0) } ?? .failure(FieldError(.wantedAt, .invalidTime))
    }

    /// Validates a tip alone: an impossible amount is `tip_out_of_range`. The basket's maximum is checked later.
    static func parseTip(_ minorUnits: Int64) -> Result<Money?, FieldError> {
        Money(minorUnits: minorUnits).map { .success($0) } ?? .failure(.tipOutOfRange(maximum: .highestTip))
    }

    static func parsePayment(_ payment: RawPayment) -> Result<PaymentMethod?, FieldError> {
        PaymentMethod.parse(payment.method).map(Optional.some)
    }

    /// Parses the totals that were shown: `invalid_total` for an unknown kind, a code over 64 bytes or a repeated key.
    static func parseExpectedTotals(_ raw: [RawTotal]) -> Result<[TotalKey: Int64]?, FieldError> {
        var totals: [TotalKey: Int64] = [:]
        for total in raw {
            guard let kind = TotalKind(rawValue: total.kind), total.code?.utf8.count ?? 0 <= 64,
                totals.updateValue(total.amount, forKey: TotalKey(kind, code: total.code)) == nil
            else { return .failure(FieldError(.expectedTotals, .invalidTotal)) }
        }
        return .success(totals)
    }

    /// Parses the expected total: `invalid_total` if no basket can cost it.
    static func parseExpectedTotal(_ minorUnits: Int64) -> Result<Money, FieldError> {
        Money(minorUnits: minorUnits).map { .success($0) } ?? .failure(FieldError(.expectedTotal, .invalidTotal))
    }

    /// Parses the currency of that total: `invalid_currency` if malformed. Whether the shop uses it is checked later.
    static func parseCurrency(_ text: String) -> Result<CurrencyCode?, FieldError> {
        CurrencyCode(text).map { .success($0) } ?? .failure(FieldError(.currency, .invalidCurrency))
    }
}

/// Collects the results of the fields. Allocates nothing for a form without errors, which most forms are, unless the
/// valid fields are collected as well.
private struct FieldCollector {
    /// All errors, also of missing fields.
    private(set) var errors: [FieldError] = []
    /// The given fields; nil if they are not collected.
    private(set) var fields: [ValidatedField]?

    init(fields: [ValidatedField]? = nil) { self.fields = fields }

    /// Adds the result of a required field; nil: the field was not sent.
    mutating func required<Value>(
        _ field: FormField, _ result: Result<Value, FieldError>?, _ normalized: (Value) -> FieldParameter
    ) -> Result<Value, FieldError> {
        guard let result else {
            let error = FieldError(field, .required)
            errors.append(error)
            return .failure(error)
        }
        switch result {
        case .success(let value): fields?.append(ValidatedField(field, .success(normalized(value))))
        case .failure(let error): add(field, error)
        }
        return result
    }

    /// Adds the result of an optional field; nil: the field was not sent. A blank field has no value. A field without a
    /// normalised value appears only with an error.
    mutating func optional<Value>(
        _ field: FormField, _ result: Result<Value?, FieldError>?, _ normalized: (Value) -> FieldParameter?
    ) -> Result<Value?, FieldError> {
        guard let result else { return .success(nil) }
        switch result {
        case .success(let value):
            if fields != nil, let value, let parameter = normalized(value) {
                fields?.append(ValidatedField(field, .success(parameter)))
            }
        case .failure(let error): add(field, error)
        }
        return result
    }

    private mutating func add(_ field: FormField, _ error: FieldError) {
        errors.append(error)
        fields?.append(ValidatedField(field, .failure(error)))
    }
}

/// A total of the list that the guest was shown, not validated.
package struct RawTotal: Hashable, Sendable {
    /// The kind of the total.
    package let kind: String
    /// Distinguishes totals of one kind, such as a coupon key.
    package let code: String?
    /// Minor units.
    package let amount: Int64

    package init(kind: String, code: String? = nil, amount: Int64) {
        (self.kind, self.code, self.amount) = (kind, code, amount)
    }
}

extension FieldError {
    /// The error for a tip that exceeds the maximum.
    static func tipOutOfRange(maximum: Money) -> FieldError {
        FieldError(.tip, .tipOutOfRange, ["maximum": .integer(maximum.minorUnits)])
    }
}
