// Checks that each field of the checkout form accepts its own normalised value and does not change it again.

@testable import Ordering

enum Fields {
    static func check(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        checkNormalisation(text, 600, { PersonName.parse($0) }, \.text)
        checkNormalisation(text, 600, { DeliveryAddress.parse($0) }, \.text)
        checkNormalisation(text, 600, { EmailAddress.parse($0) }, \.text)
        checkNormalisation(text, 4_000, { OrderComment.parse($0) }) { $0?.text ?? "" }
        checkNormalisation(text, 200, { CouponKey.parse($0) }) { $0?.text ?? "" }
        checkNormalisation(text, 32, { Birthday.parse($0) }) { $0?.text ?? "" }
        checkNormalisation(text, 200, { Postcode.parse($0) }) { $0?.text ?? "" }
        for country in ["US", "RU", "HU", "GB", "IT", "JP", "BR", "AR", "MX", "UA", "CI", "TH", "XX"] {
            checkNormalisation(text, 32, { PhoneNumber.parse($0, defaultCountry: country) }, \.e164)
        }
        if case .success(let email) = EmailAddress.parse(text) {
            require(
                EmailAddress.parse(email.comparisonKey).map(\.comparisonKey) == .success(email.comparisonKey),
                "a comparable address has itself as its comparable form")
        }
        let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let form = CheckoutForm(
            name: text, phone: text, email: text, address: text, comment: text, coupon: text, birthday: text,
            fulfilment: text,
            wantedAt: text, postcode: text, tip: number, expectedTotal: number, currency: text,
            expectedTotals: [RawTotal(kind: "tip", code: text, amount: number)])
        let judged = form.validatedFields(defaultCountry: "US")
        require(judged.count <= 14, "a field has at most one result")
        if let moment = Instant(rfc3339: text) {
            require(Instant(rfc3339: moment.rfc3339)?.rfc3339 == moment.rfc3339, "an instant survives a round trip")
        }
        if let day = LocalDate(rfc3339: text) { require(day.description == text, "a date has one notation") }
    }

    /// Checks that the time is linear in the length, up to the limit for bodies in each field.
    static func checkTime(_ bytes: [UInt8]) {
        let long = String(repeating: String(decoding: bytes, as: UTF8.self), count: 65_536 / bytes.count)
        requireLinear(long.utf8.count, "the fields") {
            let form = CheckoutForm(
                name: long, phone: long, email: long, address: long, comment: long, coupon: long, birthday: long,
                fulfilment: long,
                wantedAt: long, postcode: long, expectedTotal: nil)
            _ = form.validated(defaultCountry: "US")
        }
    }

    private static func checkNormalisation<Value: Equatable>(
        _ text: String, _ limit: Int, _ parse: (String) -> Result<Value, FieldError>, _ print: (Value) -> String
    ) {
        switch parse(text) {
        case .success(let value):
            let printed = print(value)
            require(printed.utf8.count <= limit, "a stored value is bounded")
            let controls = printed.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
            require(controls.isEmpty, "no control character is stored")
            guard case .success(let again) = parse(printed) else { fatalError("a normalised value is rejected") }
            require(again == value && print(again) == printed, "normalisation is idempotent")
        case .failure(let error):
            require(!error.message.isEmpty, "an error has a message")
            let described = "\(error)"
            require(described.utf8.count < 2_000, "an error does not repeat the text")
        }
    }
}
