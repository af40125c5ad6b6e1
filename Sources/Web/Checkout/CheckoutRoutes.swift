// The checkout over HTTP: live validation and ordering. Builds a draft, submits it to the checkout queue and responds
// with the result.
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

/// `POST /v1/checkout` and `POST /v1/checkout/validate`.
package struct CheckoutRoutes: Routes {
    private let shop: RunningShop
    private let couponLimit: CouponGuessLimit

    /// Creates the checkout routes of a shop.
    /// - Parameter couponGuesses: The limit of unknown coupon codes; nil: unlimited.
    package init(_ shop: RunningShop, couponGuesses: RateLimit?, trustedProxies: TrustedProxies) {
        self.shop = shop
        couponLimit = CouponGuessLimit(couponGuesses, trustedProxies: trustedProxies)
    }

    package func add(to routes: inout RouteTable) {
        routes.post("/v1/checkout", "Orders a basket exactly once", isRateLimitExempt: isReplay, place)
        routes.post(
            "/v1/checkout/validate", "Live validation: the fields sent so far, their errors and the quote", validate)
    }

    private func place(_ request: Request, _ context: RequestContext) async throws -> Response {
        // Checked before anything else, because a rejection under overload has to be cheap.
        if shop.checkouts.isFull { throw Problem.overloaded() }
        let body = try request.json(CheckoutBody.self)
        let key = try request.idempotencyKey()
        let form = CheckoutForm(body)
        var validation = form.validated(defaultCountry: try defaultCountry())
        guard let basketID = body.basketId else { throw Problem.missingBasket(validation) }
        guard let id = BasketID(basketID) else { throw Problem.basketNotFound }
        let attempt = couponLimit.begin(form, request, context)
        if let refusal = attempt.refusal { validation = validation.adding(refusal) }
        // Recognises a replay by the form as it was sent, even if the coupon limit has been reached since.
        let draft = CheckoutDraft(
            basketID: id, key: key, fingerprint: RequestFingerprint.of(body), form: attempt.form,
            validation: validation,
            openOrders: shop.kitchen.openOrders, language: language(request))
        var fieldErrors: [FieldError] = []
        defer { couponLimit.finish(attempt, fieldErrors) }
        switch try await shop.checkouts.submit(draft) {
        case .placed(let order): return answer(order, isReplayed: false)
        case .replayed(let order): return answer(order, isReplayed: true)
        case .rejected(let rejection):
            if case .validationFailed(let errors) = rejection { fieldErrors = errors.all }
            throw Problem(rejection, id)
        }
    }

    /// Whether the request can only repeat a checkout, because its basket is already an order.
    private func isReplay(_ request: Request) async throws -> Bool {
        guard let body = try? request.json(CheckoutBody.self), let id = body.basketId.flatMap({ BasketID($0) }) else {
            return false
        }
        return try await shop.baskets.load(id)?.basket.state == .ordered
    }

    private func answer(_ order: Order, isReplayed: Bool) -> Response {
        var headers: HTTPFields = [.location: "/v1/orders/\(order.id)"]
        headers.setContentLanguage(order.language)
        if isReplayed { headers[.idempotencyReplayed] = "true" }
        return .json(
            OrderBody(placed: order, accessToken: shop.tokens.token(for: order.id)), status: .created, headers: headers)
    }

    /// Returns 200 for any form, because an incomplete form is not an error. If the database is unavailable, or the
    /// basket is unknown or ordered, the fields are still validated and the quote is null. A basket error then says
    /// why.
    private func validate(_ request: Request, _ context: RequestContext) async throws -> Response {
        let body = try request.json(CheckoutBody.self)
        let form = CheckoutForm(body)
        let fields = form.validatedFields(defaultCountry: try defaultCountry())
        guard let basketID = body.basketId else { return .json(ValidationBody(fields: fields)) }
        guard let id = BasketID(basketID) else {
            return .json(ValidationBody(fields: fields, basketError: .basketNotFound))
        }
        let attempt = couponLimit.begin(form, request, context)
        var fieldErrors: [FieldError] = []
        defer { couponLimit.finish(attempt, fieldErrors) }
        do throws(ShopFault) {
            let language = language(request)
            guard let live = try await shop.checkouts.validate(attempt.form, basketID: id, in: language) else {
                return .json(ValidationBody(fields: fields, basketError: .basketNotFound))
            }
            fieldErrors = live.errors
            var headers: HTTPFields = [:]
            if let language = live.quote?.language ?? language { headers.setContentLanguage(language) }
            return .json(ValidationBody(attempt.refusal.map(live.adding) ?? live), headers: headers)
        } catch {
            guard let problem = error.temporaryProblem(context) else { throw error }
            return .json(ValidationBody(fields: fields, basketError: .basketUnavailable(problem)))
        }
    }

    private func language(_ request: Request) -> LanguageTag? {
        shop.menu.current.map { request.language(of: $0.languages) }
    }

    /// The country of phone numbers without a country code. Known once the menu has been loaded.
    private func defaultCountry() throws(Problem) -> String {
        guard let menu = shop.menu.current else { throw .databaseUnavailable }
        return menu.defaultCountry
    }
}

extension Result<CheckoutDetails, FieldErrors> {
    /// The same validation with an additional field error.
    fileprivate func adding(_ error: FieldError) -> Self {
        switch self {
        case .success: .failure(FieldErrors(error))
        case .failure(let errors): .failure(FieldErrors(errors, error))
        }
    }
}

extension Problem {
    /// The request names no basket. The problem lists all other field errors as well.
    fileprivate static func missingBasket(_ validation: Result<CheckoutDetails, FieldErrors>) -> Problem {
        let missing = FieldError(.basket, .required)
        guard case .failure(let errors) = validation else { return .validationFailed([FieldErrorBody(missing)]) }
        return .validationFailed((errors.all + [missing]).map { FieldErrorBody($0) })
    }
}

extension Request {
    /// The Idempotency-Key; a repeated header is invalid.
    fileprivate func idempotencyKey() throws(CheckoutIdempotencyKey.ParseError) -> CheckoutIdempotencyKey {
        let values = headers[values: .idempotencyKey]
        guard values.count <= 1 else { throw .invalid }
        return try CheckoutIdempotencyKey.parse(values.first).get()
    }
}
