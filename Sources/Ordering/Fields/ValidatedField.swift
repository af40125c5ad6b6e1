// Live validation: each given field is validated on its own while the guest types.

/// A field of the form with its normalised value or its error.
package struct ValidatedField: Hashable, Sendable {
    /// The field.
    package let path: FieldPath
    /// The normalised value; tip and expected total as integers, all others as text.
    package let result: Result<FieldParameter, FieldError>

    package init(_ path: FieldPath, _ result: Result<FieldParameter, FieldError>) {
        (self.path, self.result) = (path, result)
    }

    package init(_ field: FormField, _ result: Result<FieldParameter, FieldError>) { self.init(.form(field), result) }
}

extension CheckoutForm {
    /// Validates the given fields in the API's order. Skips missing fields and blank optional ones.
    package func validatedFields(defaultCountry: String) -> [ValidatedField] {
        var fields: [ValidatedField] = []
        func append<Value>(
            _ field: FormField, _ result: Result<Value?, FieldError>?, _ encode: (Value) -> FieldParameter
        ) {
            switch result {
            case .success(let value?)?: fields.append(ValidatedField(field, .success(encode(value))))
            case .failure(let error)?: fields.append(ValidatedField(field, .failure(error)))
            case .success(nil)?, nil: break
            }
        }
        append(.name, name.map { PersonName.parse($0).map(Optional.some) }) { .text($0.text) }
        append(.phone, phone.map { PhoneNumber.parse($0, defaultCountry: defaultCountry).map(Optional.some) }) {
            .text($0.e164)
        }
        append(.email, email.map { EmailAddress.parse($0).map(Optional.some) }) { .text($0.text) }
        append(.address, isForPickup ? nil : address.map { DeliveryAddress.parse($0).map(Optional.some) }) {
            .text($0.text)
        }
        append(.comment, comment.map(OrderComment.parse)) { .text($0.text) }
        append(.coupon, coupon.map(CouponKey.parse)) { .text($0.text) }
        append(.birthday, birthday.map(Birthday.parse)) { .text($0.text) }
        append(.fulfilment, fulfilment.map { Self.parseFulfilment($0).map(Optional.some) }) { .text($0.rawValue) }
        append(.wantedAt, wantedAt.map { Self.parseWantedTime($0).map(Optional.some) }) { .text($0.rfc3339) }
        append(.postcode, isForPickup ? nil : postcode.map(Postcode.parse)) { .text($0.text) }
        append(.tip, tip.map { Self.parseTip($0).map(Optional.some) }) { .integer($0.minorUnits) }
        append(.payment, payment.map { PaymentMethod.parse($0.method).map(Optional.some) }) { .text($0.rawValue) }
        append(.expectedTotal, expectedTotal.map { Self.parseExpectedTotal($0).map(Optional.some) }) {
            .integer($0.minorUnits)
        }
        append(.currency, currency.map { Self.parseCurrency($0) }) { .text($0.text) }
        // A list has no normalised value, so it appears only with an error.
        if case .failure(let error) = Self.parseExpectedTotals(expectedTotals) {
            fields.append(ValidatedField(.expectedTotals, .failure(error)))
        }
        return fields
    }
}
