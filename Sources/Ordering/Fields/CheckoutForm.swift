// The checkout form as received, and the validation of the fields that need no facts.
// Coupon, tip and expected total are validated with the basket.

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
        // Allocates nothing for a form without errors, which most forms are.
        var errors: [FieldError] = []
        func collect<Value>(_ result: Result<Value, FieldError>) -> Result<Value, FieldError> {
            if let error = result.error { errors.append(error) }
            return result
        }
        let name = collect(required(name, .name, PersonName.parse))
        let phone = collect(required(phone, .phone) { PhoneNumber.parse($0, defaultCountry: defaultCountry) })
        let email = collect(required(email, .email, EmailAddress.parse))
        let address = collect(
            isForPickup ? .success(nil) : required(address, .address, DeliveryAddress.parse).map(Optional.some))
        let comment = collect(OrderComment.parse(comment ?? ""))
        let coupon = collect(CouponKey.parse(coupon ?? ""))
        let birthday = collect(Birthday.parse(birthday ?? ""))
        let fulfilment = collect(fulfilment.map(Self.parseFulfilment) ?? .success(.delivery))
        let wantedAt = collect(wantedAt.map { Self.parseWantedTime($0).map(Optional.some) } ?? .success(nil))
        let postcode = collect(isForPickup ? .success(nil) : Postcode.parse(postcode ?? ""))
        if let tip { _ = collect(Self.parseTip(tip)) }
        if let payment { _ = collect(PaymentMethod.parse(payment.method)) }
        let expectedTotal = collect(Self.parseExpectedTotal(expectedTotal))
        let currency = collect(Self.parseCurrency(currency))
        let expectedTotals = collect(Self.parseExpectedTotals(expectedTotals))
        if let errors = FieldErrors(errors) { return .failure(errors) }
        do {
            return .success(
                CheckoutDetails(
                    name: try name.get(), phone: try phone.get(), email: try email.get(), address: try address.get(),
                    comment: try comment.get(), coupon: try coupon.get(), birthday: try birthday.get(),
                    fulfilment: try fulfilment.get(), wantedAt: try wantedAt.get(), postcode: try postcode.get(),
                    expectedTotal: try expectedTotal.get(), currency: try currency.get(),
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

    static func parseFulfilment(_ text: String) -> Result<Fulfilment, FieldError> {
        Fulfilment(rawValue: text).map { .success($0) } ?? .failure(FieldError(.fulfilment, .invalidFulfilment))
    }

    static func parseWantedTime(_ text: String) -> Result<Instant, FieldError> {
        Instant(rfc3339: text).map { .success($0) } ?? .failure(FieldError(.wantedAt, .invalidTime))
    }

    /// Validates a tip alone: an impossible amount is `tip_out_of_range`. The basket's maximum is checked later.
    static func parseTip(_ minorUnits: Int64) -> Result<Money, FieldError> {
        Money(minorUnits: minorUnits).map { .success($0) } ?? .failure(.tipOutOfRange(maximum: .highestTip))
    }

    /// Parses the totals that were shown: `invalid_total` for an unknown kind, a code over 64 bytes or a repeated key.
    static func parseExpectedTotals(_ raw: [RawTotal]?) -> Result<[TotalKey: Int64]?, FieldError> {
        guard let raw else { return .success(nil) }
        var totals: [TotalKey: Int64] = [:]
        for total in raw {
            guard let kind = TotalKind(rawValue: total.kind), total.code?.utf8.count ?? 0 <= 64,
                totals.updateValue(total.amount, forKey: TotalKey(kind, code: total.code)) == nil
            else { return .failure(FieldError(.expectedTotals, .invalidTotal)) }
        }
        return .success(totals)
    }

    /// Parses the expected total: `required` if missing, `invalid_total` if no basket can cost it.
    static func parseExpectedTotal(_ minorUnits: Int64?) -> Result<Money, FieldError> {
        guard let minorUnits else { return .failure(FieldError(.expectedTotal, .required)) }
        return Money(minorUnits: minorUnits).map { .success($0) } ?? .failure(FieldError(.expectedTotal, .invalidTotal))
    }

    /// Parses the currency of that total: `invalid_currency` if malformed. Whether the shop uses it is checked later.
    static func parseCurrency(_ text: String?) -> Result<CurrencyCode?, FieldError> {
        guard let text else { return .success(nil) }
        return CurrencyCode(text).map { .success($0) } ?? .failure(FieldError(.currency, .invalidCurrency))
    }

    private func required<Value>(
        _ text: String?, _ field: FormField, _ parse: (String) -> Result<Value, FieldError>
    ) -> Result<Value, FieldError> {
        text.map(parse) ?? .failure(FieldError(field, .required))
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

extension Result where Failure == FieldError {
    /// The failure, or nil for a success.
    var error: FieldError? { if case .failure(let error) = self { error } else { nil } }
}
