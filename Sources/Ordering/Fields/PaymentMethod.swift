// How an order is paid.

/// A payment method that the shop offers.
package enum PaymentMethod: String, Sendable, CaseIterable {
    case cash

    /// Parses the method's name: `required` if missing, `payment_method_not_offered` if the shop does not offer it.
    static func parse(_ name: String?) -> Result<PaymentMethod, FieldError> {
        guard let name else { return .failure(FieldError(.payment, .required)) }
        return PaymentMethod(rawValue: name).map { .success($0) }
            ?? .failure(FieldError(.payment, .paymentMethodNotOffered))
    }
}

/// The payment of a checkout, not validated.
package struct RawPayment: Hashable, Sendable {
    /// The method's name; nil if it was not sent.
    package let method: String?

    package init(method: String?) { self.method = method }
}
