// Limits how often a client may try unknown coupon codes, so that private codes cannot be guessed. Applies to live
// validation and checkout.
import HTTPServing
import Ordering

/// A limit on unknown coupon codes, on by default. At the limit, existing and unknown codes get the same response, so
/// that it does not reveal which codes exist.
struct CouponGuessLimit: Sendable {
    /// Nil: unlimited.
    private let limit: ClientLimit?

    init(_ limit: RateLimit?, trustedProxies: TrustedProxies) {
        self.limit = limit.map { ClientLimit($0, trustedProxies: trustedProxies) }
    }

    /// An attempt to use the coupon of a form.
    struct Attempt {
        /// The form to validate: without its coupon while the client has to wait.
        let form: CheckoutForm
        /// Why the coupon was removed; nil if it was not.
        let refusal: FieldError?
        /// The client to charge if the coupon is unknown; nil for none.
        fileprivate var client: NetworkAddress?
    }

    /// Checks whether the client may try the form's coupon now. Takes no token yet, so valid coupons cost nothing, even
    /// if many guests share one address.
    func begin(_ form: CheckoutForm, _ request: Request, _ context: RequestContext) -> Attempt {
        guard let limit, form.parsedCouponKey != nil else { return Attempt(form: form, refusal: nil) }
        let client = limit.client(request, context)
        guard let seconds = client.map(limit.retryAfter) ?? 1 else {
            return Attempt(form: form, refusal: nil, client: client)
        }
        var form = form
        form.coupon = nil
        return Attempt(
            form: form, refusal: FieldError(.coupon, .couponTriedTooOften, ["seconds": .integer(Int64(seconds))]))
    }

    /// Charges the client if the coupon was unknown. Concurrent guesses are all charged; those beyond the limit
    /// extend the wait.
    /// - Parameter errors: The field errors of the validation.
    func finish(_ attempt: Attempt, _ errors: some Sequence<FieldError>) {
        guard let client = attempt.client, errors.contains(where: { $0.code == .couponUnknown }) else { return }
        limit?.charge(client)
    }
}
