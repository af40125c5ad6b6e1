// The staff API for orders, stock and the day's figures. SQL offers the same operations.
import ErrorChannel
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

/// `/v1/staff`.
struct StaffRoutes: AuthenticatedRoutes {
    let shop: RunningShop
    let authentication: StaffAuthentication
    let errors: ErrorBroadcast
    let heartbeat: Duration

    func add(to routes: inout StaffRouteTable) {
        routes.get(
            "/v1/staff/orders", "For staff: the orders with their customers, the newest first", needing: .readOrders,
            list)
        routes.get(
            "/v1/staff/orders/events", "For staff: placed and moved orders as server-sent events", needing: .readOrders,
            isStream: true, watch)
        routes.get(
            "/v1/staff/events", "For staff: order and fault events in one stream of server-sent events",
            needing: .readOrders, isStream: true, watchAll)
        routes.get(
            "/v1/staff/orders/{number}", "For staff: an order by its number, with its customer", needing: .readOrders,
            read)
        routes.post(
            "/v1/staff/orders/{number}/accept",
            "For staff: accepts an order, optionally with the minutes until it is ready", needing: .moveOrders,
            stepHandler { try StaffStep.parse($0.jsonIfPresent() ?? AcceptBody()).get() })
        routes.post(
            "/v1/staff/orders/{number}/advance", "For staff: moves an order to another state", needing: .moveOrders,
            stepHandler { try StaffStep.parse($0.json(AdvanceBody.self)).get() })
        routes.post(
            "/v1/staff/orders/{number}/reject", "For staff: rejects an order after ten seconds, unless withdrawn",
            needing: .cancelOrders, stepHandler { try StaffStep.parse($0.json(RejectBody.self)).get() })
        routes.post(
            "/v1/staff/orders/{number}/deliver",
            "For staff: marks an order as delivered after ten seconds, unless withdrawn", needing: .moveOrders,
            stepHandler { _ in .schedule(.delivered) })
        routes.post(
            "/v1/staff/orders/{number}/back",
            "For staff: withdraws an order's pending step, or takes back its last step, within ten seconds",
            needing: .moveOrders,
            stepHandler { try StaffStep.parse($0.jsonIfPresent() ?? TakeBackBody()).get() })
        routes.post(
            "/v1/staff/orders/{number}/delay", "For staff: delays an order by some minutes, with a reason",
            needing: .moveOrders,
            stepHandler { try StaffStep.parse($0.json(DelayBody.self)).get() })
        routes.get(
            "/v1/staff/options", "For staff: the options of all groups with their availability", needing: .sellOut,
            listOptions)
        routes.post(
            "/v1/staff/menu/{id}/availability", "For staff: marks an item as sold out or available", needing: .sellOut,
            setAvailability(Self.item))
        routes.post(
            "/v1/staff/options/{id}/availability", "For staff: marks an option as sold out or available",
            needing: .sellOut,
            setAvailability(Self.option))
        routes.post(
            "/v1/staff/menu/{id}/stock", "For staff: sets the stock count of an item, or stops counting it",
            needing: .sellOut, setStock(Self.item))
        routes.post(
            "/v1/staff/options/{id}/stock", "For staff: sets the stock count of an option, or stops counting it",
            needing: .sellOut, setStock(Self.option))
        routes.get("/v1/staff/today", "For staff: the figures of the business day so far", needing: .readFigures, today)
    }

    private func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let query = try StaffOrderQuery(request.query(), defaultCountry: shop.menu.current?.defaultCountry ?? "")
        let (orders, next) = try await shop.staff.orders(
            in: query.states, matching: query.search, limit: query.limit, after: query.after)
        let notes = try await notes(on: orders.map(\.id))
        return answer(request, Page(items: bodies(orders, notes), nextCursor: next.map(StaffOrderQuery.cursor)))
    }

    private func read(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let order = try await shop.staff.order(number: number(context)) else { throw Problem.orderNumberUnknown }
        return answer(request, body(order, try await notes(on: [order.id])))
    }

    /// Order data that only staff see.
    private struct Notes {
        var mails: [OrderID: [UnsentMail]] = [:]
        var steps: [OrderID: PendingStep] = [:]
    }

    private func notes(on orders: [OrderID]) async throws(ShopFault) -> Notes {
        let mails = try await shop.staff.unsentMails(of: orders)
        let steps = try await shop.staff.pendingSteps(of: orders)
        return Notes(
            mails: Dictionary(grouping: mails, by: \.orderID),
            steps: Dictionary(steps.map { ($0.orderID, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Staff texts are in the shop's own language.
    private var contentLanguage: HTTPFields {
        shop.menu.current.map { [.contentLanguage: $0.languages.own.text] } ?? [:]
    }

    /// The titles in the shop's own language, if guests may read others.
    private var titles: ShopLanguageTitles? { shop.menu.current.flatMap { ShopLanguageTitles($0.menu) } }

    /// The orders in the shop's own language, whatever the guest reads.
    private func bodies(_ orders: [Order], _ notes: Notes) -> [StaffOrderBody] {
        let (titles, menu) = (titles, shop.menu.current?.menu)
        return orders.map { order in
            let deadline = menu.flatMap { menu in
                order.unaccepted.flatMap { menu.terms.acceptanceDeadline(of: $0, at: menu.moment) }
            }
            return StaffOrderBody(
                OrderBody(forStaff: titles?.applied(to: order) ?? order), acceptBy: deadline?.rfc3339,
                area: menu?.terms.area(of: order).map(DeliveryAreaBody.init),
                unsentMails: notes.mails[order.id]?.map(UnsentMailBody.init),
                pendingStep: notes.steps[order.id].map(PendingStepBody.init))
        }
    }

    private func body(_ order: Order, _ notes: Notes) -> StaffOrderBody { bodies([order], notes)[0] }

    private func watch(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response {
        guard let news = shop.board.watch() else { throw Problem.overloaded(retryAfter: 5) }
        let token = authentication.watch(request, member, for: .readOrders) {
            Response.endEventStream(of: context, within: .milliseconds(500)) { news.cancel() }
        }
        // Events that were already buffered when the token was withdrawn are not sent either.
        let authorised = news.prefix { _ in await token?.isValid() ?? true }
        return .eventStream(authorised.map(ServerSentEvent.init), context, heartbeat: heartbeat) {
            news.cancel()
            token?.cancel()
        }
    }

    private func watchAll(_ request: Request, _ context: RequestContext, _ member: StaffMember) async throws -> Response
    {
        guard let news = shop.board.watch() else { throw Problem.overloaded(retryAfter: 5) }
        guard let faults = errors.subscribe() else {
            news.cancel()
            throw Problem.overloaded(retryAfter: 5)
        }
        let events = StaffEvents(news, faults)
        let token = authentication.watch(request, member, for: .readOrders) {
            Response.endEventStream(of: context, within: .milliseconds(500)) { events.cancel() }
        }
        // Events that were already buffered when the token was withdrawn are not sent either.
        let authorised = events.prefix { _ in await token?.isValid() ?? true }
        return .eventStream(authorised, context, heartbeat: heartbeat) {
            events.cancel()
            token?.cancel()
        }
    }

    /// Creates a handler that executes a step of an order.
    private func stepHandler(_ step: @escaping @Sendable (Request) throws -> StaffStep) -> StaffHandler {
        { request, context, member in
            let number = try number(context)
            let step = try step(request)
            if case .advance(.rejected, _, _, _) = step { try member.require(.cancelOrders) }
            switch try await shop.staff.perform(step, number: number, by: member) {
            case .moved(let order):
                let notes: Notes
                if case .schedule = step {
                    // A failure is thrown here. Without the pending step, the response would claim that none exists.
                    notes = try await self.notes(on: [order.id])
                } else {
                    // The step is already executed, so a failure to load the notes must not fail the request.
                    notes = (try? await self.notes(on: [order.id])) ?? Notes()
                }
                return .json(body(order, notes), headers: contentLanguage)
            case .refused(let rule, let sentence): throw Problem.stepRefused(rule, sentence)
            case .orderNotFound: throw Problem.orderNumberUnknown
            }
        }
    }

    private func listOptions(_ request: Request, _ context: RequestContext) async throws -> Response {
        let window = try ListWindow(request.query(), of: "options")
        guard let menu = shop.menu.current?.menu else { throw Problem.databaseUnavailable }
        let (options, next) = window.page(of: menu.options) { "\($0.id)" }
        return answer(request, Page(items: options.map(StaffOptionBody.init), nextCursor: next))
    }

    /// Maps the `id` of the path to a menu item or an option.
    private typealias SubjectForID = @Sendable (Int64) -> StockKey
    private static let item: SubjectForID = { .item(MenuItemID(rawValue: $0)) }
    private static let option: SubjectForID = { .option(OptionID(rawValue: $0)) }

    private func setAvailability(_ subject: @escaping SubjectForID) -> StaffHandler {
        { request, context, member in
            // Ids start at 1, so 0 matches no item or option.
            let subject = subject(context.pathNumber("id") ?? 0)
            let body = try request.json(AvailabilityBody.self)
            guard let now = shop.menu.current?.menu.moment else { throw Problem.databaseUnavailable }
            let mark = try AvailabilityChange.parse(body, at: now).get()
            return try answer(await shop.staff.setAvailability(of: subject, to: mark, by: member), subject)
        }
    }

    private func setStock(_ subject: @escaping SubjectForID) -> StaffHandler {
        { request, context, member in
            let subject = subject(context.pathNumber("id") ?? 0)
            let counting = try StockPolicy.parse(try request.json(StockBody.self)).get()
            return try answer(await shop.staff.setStockPolicy(of: subject, to: counting, by: member), subject)
        }
    }

    /// Responds with the changed item or option.
    private func answer(_ change: StockChange, _ subject: StockKey) throws(Problem) -> Response {
        switch (change, subject) {
        case (.item(let item, let menu), _): return .json(MenuItemBody(item, in: menu), headers: contentLanguage)
        case (.option(let option), _): return .json(StaffOptionBody(option), headers: contentLanguage)
        case (.notFound, .item): throw .unknownMenuItem
        case (.notFound, .option): throw .unknownOption
        }
    }

    private func today(_ request: Request, _ context: RequestContext) async throws -> Response {
        answer(request, TodayBody(try await shop.staff.today(), titles: titles))
    }

    private func number(_ context: RequestContext) throws(Problem) -> String {
        let number = context.path("number")
        guard number.utf8.count == 8, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .orderNumberUnknown
        }
        return number
    }

    private func answer(_ request: Request, _ body: some JSONWritable) -> Response {
        .forStaff(request, body, headers: contentLanguage)
    }
}

extension Response {
    /// A private response for staff, compressed if large.
    static func forStaff(_ request: Request, _ body: some JSONWritable, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers.vary(by: .authorization)
        return .conditional(request, body, cacheControl: "private, no-cache", headers: headers, compresses: true)
    }
}

extension UnsentMailBody {
    init(_ mail: UnsentMail) {
        self.init(state: mail.state.rawValue, reason: mail.reason.rawValue, at: mail.abandonedAt.rfc3339)
    }
}

extension PendingStepBody {
    init(_ step: PendingStep) {
        self.init(state: step.state.rawValue, until: step.dueAt.rfc3339, by: step.member)
    }
}

extension ServerSentEvent {
    /// `placed` and `moved` carry the step; `list_changed` says that events may have been missed.
    init(_ news: BoardEvent) {
        switch news {
        case .placed(let event): self.init(event: "placed", Self.body(event))
        case .moved(let event): self.init(event: "moved", Self.body(event))
        case .listChanged: self.init(event: "list_changed", ListChangedBody(link: "/v1/staff/orders"))
        }
    }

    private static func body(_ event: OrderEvent) -> OrderEventBody {
        OrderEventBody(event, link: "/v1/staff/orders/\(event.orderNumber)", showsReason: true)
    }
}
