// The checkout form as it came, and the judgement of those fields that need no facts. Made by Web from the body. What is judged with the basket
// (coupon, tip, expected total) is in Checkout/JudgedBasket.swift. Read next: CheckoutDetails.swift, JudgedField.swift.

/// The fields as the guest sent them, unchecked; nil is a field that was not sent.
package struct CheckoutForm: Hashable, Sendable {
    /// Required, the address for delivery only; see `PersonName`, `PhoneNumber`, `EmailAddress`, `DeliveryAddress`.
    package var name, phone, email, address: String?
    /// Blank is as if not given; see `OrderComment`, `CouponKey`, `Birthday`.
    package var comment, coupon, birthday: String?
    /// `delivery`, which it is if not given, or `pickup`.
    package var fulfilment: String?
    /// RFC 3339, the start of a slot; as soon as possible if not given.
    package var wantedAt: String?
    /// Where to deliver; see `Postcode`. Needed where the shop has areas.
    package var postcode: String?
    /// Minor units; none if not given.
    package var tip: Int64?
    /// How the order is paid; in cash if not given.
    package var payment: WrittenPayment?
    /// Whether the guest says to be as old as the basket asks for; no if not given.
    package var ageConfirmed: Bool?
    /// Required, minor units: the total the guest was shown.
    package var expectedTotal: Int64?
    /// What that total was shown in, an ISO 4217 code; the one that the basket recorded if not given.
    package var currency: String?
    /// The list of totals that the guest was shown, as it came; compared where it is given.
    package var expectedTotals: [WrittenTotal]?

    package init(
        name: String? = nil, phone: String? = nil, email: String? = nil, address: String? = nil, comment: String? = nil,
        coupon: String? = nil, birthday: String? = nil, fulfilment: String? = nil, wantedAt: String? = nil, postcode: String? = nil,
        tip: Int64? = nil, payment: WrittenPayment? = nil, ageConfirmed: Bool? = nil, expectedTotal: Int64? = nil,
        currency: String? = nil, expectedTotals: [WrittenTotal]? = nil
    ) {
        (self.name, self.phone, self.email, self.address) = (name, phone, email, address)
        (self.comment, self.coupon, self.birthday) = (comment, coupon, birthday)
        (self.fulfilment, self.wantedAt, self.postcode) = (fulfilment, wantedAt, postcode)
        (self.tip, self.payment, self.ageConfirmed) = (tip, payment, ageConfirmed)
        (self.expectedTotal, self.currency, self.expectedTotals) = (expectedTotal, currency, expectedTotals)
    }

    /// All fields together: the details, or every error there is.
    /// - Parameter defaultCountry: the shop's, an ISO 3166-1 code in upper case, for phone numbers without a country.
    package func validated(defaultCountry: String) -> Result<CheckoutDetails, FieldErrors> {
        // Nothing is made of errors where there are none, as of most forms.
        var errors: [FieldError] = []
        func judge<Value>(_ result: Result<Value, FieldError>) -> Result<Value, FieldError> {
            if let error = result.error { errors.append(error) }
            return result
        }
        let name = judge(required(name, .name, PersonName.parse))
        let phone = judge(required(phone, .phone) { PhoneNumber.parse($0, defaultCountry: defaultCountry) })
        let email = judge(required(email, .email, EmailAddress.parse))
        let address = judge(isForPickup ? .success(nil) : required(address, .address, DeliveryAddress.parse).map(Optional.some))
        let comment = judge(OrderComment.parse(comment ?? ""))
        let coupon = judge(CouponKey.parse(coupon ?? ""))
        let birthday = judge(Birthday.parse(birthday ?? ""))
        let fulfilment = judge(fulfilment.map(Self.fulfilment) ?? .success(.delivery))
        let wantedAt = judge(wantedAt.map { Self.wantedAt($0).map(Optional.some) } ?? .success(nil))
        let postcode = judge(isForPickup ? .success(nil) : Postcode.parse(postcode ?? ""))
        if let tip { _ = judge(Self.tip(tip)) }
        if let payment { _ = judge(PaymentMethod.parse(payment.method)) }
        let expectedTotal = judge(Self.total(expectedTotal))
        let currency = judge(Self.currency(currency))
        let expectedTotals = judge(Self.totals(expectedTotals))
        if let errors = FieldErrors(errors) { return .failure(errors) }
        do {
            return .success(
                CheckoutDetails(
                    name: try name.get(), phone: try phone.get(), email: try email.get(), address: try address.get(),
                    comment: try comment.get(), coupon: try coupon.get(), birthday: try birthday.get(),
                    fulfilment: try fulfilment.get(), wantedAt: try wantedAt.get(), postcode: try postcode.get(),
                    expectedTotal: try expectedTotal.get(), currency: try currency.get(), expectedTotals: try expectedTotals.get()))
        } catch {
            return .failure(FieldErrors(error))
        }
    }

    /// The coupon's key if one was given that can be one: what the database is asked for, also when other fields are wrong.
    package var couponKey: CouponKey? { (try? CouponKey.parse(coupon ?? "").get()).flatMap(\.self) }

    /// Which way was chosen; delivery where it is not said, or can't be read.
    package var chosenFulfilment: Fulfilment { fulfilment.flatMap(Fulfilment.init) ?? .delivery }

    /// The time that was wanted; nil: as soon as possible, or it can't be read.
    package var wantedMoment: Instant? { wantedAt.flatMap { Instant(rfc3339: $0) } }

    /// The postcode, if there is one and it goes there.
    package var knownPostcode: Postcode? { isForPickup ? nil : (try? Postcode.parse(postcode ?? "").get()).flatMap(\.self) }

    /// Then nobody goes anywhere, and what is said of where is not looked at.
    var isForPickup: Bool { chosenFulfilment == .pickup }

    static func fulfilment(_ text: String) -> Result<Fulfilment, FieldError> {
        Fulfilment(rawValue: text).map { .success($0) } ?? .failure(FieldError(.fulfilment, .invalidFulfilment))
    }

    static func wantedAt(_ text: String) -> Result<Instant, FieldError> {
        Instant(rfc3339: text).map { .success($0) } ?? .failure(FieldError(.wantedAt, .invalidTime))
    }

    /// A tip by itself: no amount at all is `tip_out_of_range`. Whether it is too high for the basket is the checkout's to judge.
    static func tip(_ minorUnits: Int64) -> Result<Money, FieldError> {
        Money(minorUnits: minorUnits).map { .success($0) } ?? .failure(.tipOutOfRange(maximum: .highestTip))
    }

    /// The list of totals that was shown: `invalid_total` where it can't be one of ours.
    static func totals(_ written: [WrittenTotal]?) -> Result<[TotalKey: Int64]?, FieldError> {
        guard let written else { return .success(nil) }
        var totals: [TotalKey: Int64] = [:]
        for one in written {
            guard let kind = TotalKind(rawValue: one.kind), one.code?.utf8.count ?? 0 <= 64,
                totals.updateValue(one.amount, forKey: TotalKey(kind, code: one.code)) == nil
            else { return .failure(FieldError(.expectedTotals, .invalidTotal)) }
        }
        return .success(totals)
    }

    /// The total the guest was shown: `required` when missing, `invalid_total` when no basket can come to it.
    static func total(_ minorUnits: Int64?) -> Result<Money, FieldError> {
        guard let minorUnits else { return .failure(FieldError(.expectedTotal, .required)) }
        return Money(minorUnits: minorUnits).map { .success($0) } ?? .failure(FieldError(.expectedTotal, .invalidTotal))
    }

    /// The currency of that total: `invalid_currency` when it can't be one. Whether it is the shop's is the checkout's to judge.
    static func currency(_ text: String?) -> Result<CurrencyCode?, FieldError> {
        guard let text else { return .success(nil) }
        return CurrencyCode(text).map { .success($0) } ?? .failure(FieldError(.currency, .invalidCurrency))
    }

    private func required<Value>(
        _ text: String?, _ field: FormField, _ parse: (String) -> Result<Value, FieldError>
    ) -> Result<Value, FieldError> {
        text.map(parse) ?? .failure(FieldError(field, .required))
    }
}

/// A total of the list that the guest was shown, unchecked.
package struct WrittenTotal: Hashable, Sendable {
    /// What it is.
    package let kind: String
    /// Which of its kind.
    package let code: String?
    /// Minor units.
    package let amount: Int64

    /// A total as it came.
    package init(kind: String, code: String? = nil, amount: Int64) {
        (self.kind, self.code, self.amount) = (kind, code, amount)
    }
}

extension FieldError {
    /// No such tip on this basket.
    static func tipOutOfRange(maximum: Money) -> FieldError { FieldError(.tip, .tipOutOfRange, ["maximum": .integer(maximum.minorUnits)]) }
}

extension Result where Failure == FieldError {
    /// What is wrong, if anything.
    var error: FieldError? { if case .failure(let error) = self { error } else { nil } }
}
