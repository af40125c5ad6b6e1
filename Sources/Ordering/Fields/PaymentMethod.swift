// How an order is paid. Parsed by CheckoutForm.

/// A method of payment that the shop offers.
package enum PaymentMethod: String, Sendable, CaseIterable {
    case cash

    /// Reads the method's name: `required` when missing, `payment_method_not_offered` when the shop does not offer it.
    static func parse(_ name: String?) -> Result<PaymentMethod, FieldError> {
        guard let name else { return .failure(FieldError(.payment, .required)) }
        return PaymentMethod(rawValue: name).map { .success($0) }
            ?? .failure(FieldError(.payment, .paymentMethodNotOffered))
    }
}

/// The payment of a checkout, unchecked.
package struct WrittenPayment: Hashable, Sendable {
    /// The method's name; nil if it was not sent.
    package let method: String?

    package init(method: String?) { self.method = method }
}
