// The checkout over HTTP: the live form, and the order. A draft is made here, decided and placed by the checkout queue, and answered here.
// Read next: Sources/Shop/Checkout/CheckoutQueue.swift for the way of a checkout, Problem+Checkout.swift for the refusals.
import HTTPTypes
import Ordering
import Shop
import Wire

/// `POST /v1/checkout` and `POST /v1/checkout/validate`.
package struct CheckoutRoutes: Routes {
    private let shop: RunningShop
    private let guesses: CouponGuesses

    /// The checkout of this shop; of the limits it keeps that of coupons.
    package init(_ shop: RunningShop, limits: RateLimits) {
        self.shop = shop
        guesses = CouponGuesses(limits)
    }

    package func add(to routes: inout RouteTable) {
        routes.post("/v1/checkout", "Orders a basket, exactly once", isFree: isRepetition, place)
        routes.post("/v1/checkout/validate", "The live form: what is right and wrong so far, and what it would cost", validate)
    }

    private func place(_ request: Request, _ context: WebContext) async throws -> Response {
        // First of all: a refusal has to be cheap.
        if shop.checkouts.isFull { throw Problem.overloaded() }
        let body = try request.json(CheckoutBody.self)
        let key = try request.idempotencyKey()
        let form = CheckoutForm(body)
        var validation = form.validated(defaultCountry: try defaultCountry())
        guard let basketID = body.basketId else { throw Problem.missingBasket(validation) }
        guard let id = BasketID(basketID) else { throw Problem.basketNotFound }
        let question = guesses.ask(form, request, context)
        if let refusal = question.refusal { validation = validation.refused(refusal) }
        // A repetition is known by the form as it came, and is answered whatever the client has tried since.
        let draft = CheckoutDraft(
            basketID: id, key: key, fingerprint: RequestFingerprint.of(body), form: question.form, validation: validation,
            openOrders: shop.kitchen.openOrders, language: language(request))
        var wrong: [FieldError] = []
        defer { guesses.settle(question, wrong) }
        switch try await shop.checkouts.submit(draft) {
        case .placed(let order): return answer(order, isReplayed: false)
        case .replayed(let order): return answer(order, isReplayed: true)
        case .rejected(let rejection):
            if case .validationFailed(let errors) = rejection { wrong = errors.all }
            throw Problem(rejection, id)
        }
    }

    /// Whether the request can only repeat a checkout, for its basket is an order already.
    private func isRepetition(_ request: Request) async throws -> Bool {
        guard let body = try? request.json(CheckoutBody.self), let id = body.basketId.flatMap({ BasketID($0) }) else { return false }
        return try await shop.baskets.load(id)?.basket.state == .ordered
    }

    private func answer(_ order: Order, isReplayed: Bool) -> Response {
        var headers: HTTPFields = [.location: "/v1/orders/\(order.id)"]
        headers.say(order.language)
        if isReplayed { headers[.idempotencyReplayed] = "true" }
        return .json(OrderBody(placed: order, accessToken: shop.tokens.token(for: order.id)), status: .created, headers: headers)
    }

    /// Answers 200 whatever the form says, for a form in the making is no failure. While the database is away, or the basket is unknown
    /// or ordered, the fields are still judged, the quote is null, and an error of the basket says why.
    private func validate(_ request: Request, _ context: WebContext) async throws -> Response {
        let body = try request.json(CheckoutBody.self)
        let form = CheckoutForm(body)
        let fields = form.judgedFields(defaultCountry: try defaultCountry())
        guard let basketID = body.basketId else { return .json(ValidationBody(fields: fields)) }
        guard let id = BasketID(basketID) else { return .json(ValidationBody(fields: fields, basketError: .basketNotFound)) }
        let question = guesses.ask(form, request, context)
        var wrong: [FieldError] = []
        defer { guesses.settle(question, wrong) }
        do throws(ShopFault) {
            let language = language(request)
            guard let live = try await shop.checkouts.judge(question.form, basketID: id, in: language) else {
                return .json(ValidationBody(fields: fields, basketError: .basketNotFound))
            }
            wrong = live.errors
            var headers: HTTPFields = [:]
            if let language = live.quote?.language ?? language { headers.say(language) }
            return .json(ValidationBody(question.refusal.map(live.refused) ?? live), headers: headers)
        } catch {
            guard let problem = ProblemResponse.passing(error, context) else { throw error }
            return .json(ValidationBody(fields: fields, basketError: .basketOutOfReach(problem)))
        }
    }

    private func language(_ request: Request) -> LanguageTag? { shop.menu.current.map { request.language(of: $0.languages) } }

    /// Where a phone number without a country belongs to. Known once the menu was read for the first time.
    private func defaultCountry() throws(Problem) -> String {
        guard let menu = shop.menu.current else { throw .databaseUnavailable }
        return menu.defaultCountry
    }
}

extension CheckoutForm {
    fileprivate init(_ body: CheckoutBody) {
        self.init(
            name: body.name, phone: body.phone, email: body.email, address: body.address, comment: body.comment, coupon: body.coupon,
            birthday: body.birthday, fulfilment: body.fulfilment, wantedAt: body.wantedAt, postcode: body.postcode, tip: body.tip,
            payment: body.payment.map { WrittenPayment(method: $0.method) }, ageConfirmed: body.ageConfirmed,
            expectedTotal: body.expectedTotal, currency: body.currency,
            expectedTotals: body.expectedTotals?.map { WrittenTotal(kind: $0.kind, code: $0.code, amount: $0.amount) })
    }
}

extension Result<CheckoutDetails, FieldErrors> {
    /// The same form with one more thing wrong.
    fileprivate func refused(_ error: FieldError) -> Self {
        switch self {
        case .success: .failure(FieldErrors(error))
        case .failure(let errors): .failure(FieldErrors(errors, error))
        }
    }
}

extension Problem {
    /// No basket is named: told together with all else that is wrong.
    fileprivate static func missingBasket(_ validation: Result<CheckoutDetails, FieldErrors>) -> Problem {
        let missing = FieldError(.basket, .required)
        guard case .failure(let errors) = validation else { return .validationFailed([FieldErrorBody(missing)]) }
        return .validationFailed((errors.all + [missing]).map { FieldErrorBody($0) })
    }
}

extension Request {
    /// The Idempotency-Key; the header twice is no key.
    fileprivate func idempotencyKey() throws(IdempotencyKey.Refusal) -> IdempotencyKey {
        let values = headers[values: .idempotencyKey]
        guard values.count <= 1 else { throw .invalid }
        return try IdempotencyKey.parse(values.first).get()
    }
}
