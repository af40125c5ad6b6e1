// The live form: each field that has been given, judged on its own as the guest types.
// Made for Checkout.validate, which adds what the database knows; Web writes one entry a field.

/// A field of the form with its tidied value or what is wrong with it.
package struct JudgedField: Hashable, Sendable {
    /// Which field.
    package let path: FieldPath
    /// As it would be stored; the tip and the expected total as integers, all others as text.
    package let result: Result<FieldParameter, FieldError>

    package init(_ path: FieldPath, _ result: Result<FieldParameter, FieldError>) {
        (self.path, self.result) = (path, result)
    }

    /// Of the form.
    package init(_ field: FormField, _ result: Result<FieldParameter, FieldError>) { self.init(.form(field), result) }
}

extension CheckoutForm {
    /// The given fields in the contract's order. A field that was not sent is left out, and a blank one that may be left empty.
    package func judgedFields(defaultCountry: String) -> [JudgedField] {
        var fields: [JudgedField] = []
        func judge<Value>(_ field: FormField, _ result: Result<Value?, FieldError>?, _ write: (Value) -> FieldParameter) {
            switch result {
            case .success(let value?)?: fields.append(JudgedField(field, .success(write(value))))
            case .failure(let error)?: fields.append(JudgedField(field, .failure(error)))
            case .success(nil)?, nil: break
            }
        }
        judge(.name, name.map { PersonName.parse($0).map(Optional.some) }) { .text($0.text) }
        judge(.phone, phone.map { PhoneNumber.parse($0, defaultCountry: defaultCountry).map(Optional.some) }) { .text($0.e164) }
        judge(.email, email.map { EmailAddress.parse($0).map(Optional.some) }) { .text($0.text) }
        judge(.address, isForPickup ? nil : address.map { DeliveryAddress.parse($0).map(Optional.some) }) { .text($0.text) }
        judge(.comment, comment.map(OrderComment.parse)) { .text($0.text) }
        judge(.coupon, coupon.map(CouponKey.parse)) { .text($0.text) }
        judge(.birthday, birthday.map(Birthday.parse)) { .text($0.text) }
        judge(.fulfilment, fulfilment.map { Self.fulfilment($0).map(Optional.some) }) { .text($0.rawValue) }
        judge(.wantedAt, wantedAt.map { Self.wantedAt($0).map(Optional.some) }) { .text($0.rfc3339) }
        judge(.postcode, isForPickup ? nil : postcode.map(Postcode.parse)) { .text($0.text) }
        judge(.tip, tip.map { Self.tip($0).map(Optional.some) }) { .integer($0.minorUnits) }
        judge(.payment, payment.map { PaymentMethod.parse($0.method).map(Optional.some) }) { .text($0.rawValue) }
        judge(.expectedTotal, expectedTotal.map { Self.total($0).map(Optional.some) }) { .integer($0.minorUnits) }
        judge(.currency, currency.map { Self.currency($0) }) { .text($0.text) }
        // A list has no tidied value: it stands here only where it is none of ours.
        if case .failure(let error) = Self.totals(expectedTotals) { fields.append(JudgedField(.expectedTotals, .failure(error))) }
        return fields
    }
}
