// How often a client may name a coupon that does not exist: a key word that staff give to some guests only must not be found by trying. Asked by
// CheckoutRoutes, for the live form and the checkout alike. Read next: ClientLimit.swift.
import Ordering

/// A limit on key words that are none, on by default. What it answers does not depend on whether the one that is asked for exists: otherwise it
/// would tell.
struct CouponGuesses: Sendable {
    /// Nil: as many as one likes.
    private let limit: ClientLimit?

    init(_ limits: RateLimits) { limit = limits.coupons.map { ClientLimit($0, behind: limits.trustedProxies) } }

    /// A form's question for a coupon.
    struct Question {
        /// The form as it may be judged: without its coupon where the client has to wait.
        let form: CheckoutForm
        /// Why it has to; nil: it has not.
        let refusal: FieldError?
        /// Who is to pay where there is no such coupon; nil: nobody.
        fileprivate var client: NetworkAddress?
    }

    /// Whether the client may ask for the form's coupon now. Nothing is taken yet: a crowd behind one address that has a right one pays nothing.
    func ask(_ form: CheckoutForm, _ request: Request, _ context: WebContext) -> Question {
        guard let limit, form.couponKey != nil else { return Question(form: form, refusal: nil) }
        let client = limit.client(request, context)
        guard let seconds = client.map(limit.wait) ?? 1 else { return Question(form: form, refusal: nil, client: client) }
        var form = form
        form.coupon = nil
        return Question(form: form, refusal: FieldError(.coupon, .couponTriedTooOften, ["seconds": .integer(Int64(seconds))]))
    }

    /// The question was answered.
    /// - Parameter errors: What was wrong; with an unknown coupon among it, it was a wrong guess. Guesses that were asked at once are all paid for,
    ///   those beyond the limit by a longer wait.
    func settle(_ question: Question, _ errors: some Sequence<FieldError>) {
        guard let client = question.client, errors.contains(where: { $0.code == .couponUnknown }) else { return }
        limit?.charge(client)
    }
}
