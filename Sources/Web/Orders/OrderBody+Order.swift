// Converts orders and order events to their JSON bodies.
import Ordering
import Wire

extension OrderBody {
    /// The response to the checkout that placed the order, with the token that shows the guest's details later.
    ///
    /// It shows the order as it was placed, whatever its current state, so that a replay returns the same bytes. Only
    /// the customer and the notes are missing once the personal data of the order has been replaced.
    init(placed order: Order, accessToken: String) {
        self.init(
            order, state: .placed, readyAt: order.estimateAtCheckout, dayNumber: order.dayNumberAtCheckout,
            rejectionReason: nil, showsCustomer: true, actions: Self.guestActions(.placed), accessToken: accessToken)
    }

    /// The order as it is now. Without the access token it shows no text of guest or staff, and no actions, because
    /// every action needs the token.
    /// - Parameter hasToken: Whether the reader has sent the order's access token.
    init(_ order: Order, hasToken: Bool) {
        self.init(
            order, state: order.state, readyAt: order.readyAt, delayReason: hasToken ? order.updates.delayReason : nil,
            dayNumber: hasToken ? order.updates.dayNumber : nil,
            rejectionReason: hasToken ? order.rejectionReason : nil, rejectedBy: hasToken ? order.rejectedBy : nil,
            showsCustomer: hasToken,
            actions: hasToken ? Self.guestActions(order.state) : [], accessToken: nil)
    }

    /// The order as staff see it; the actions are the states that staff can move it to.
    init(forStaff order: Order) {
        self.init(
            order, state: order.state, readyAt: order.readyAt, delayReason: order.updates.delayReason,
            dayNumber: order.updates.dayNumber,
            rejectionReason: order.rejectionReason, rejectedBy: order.rejectedBy, showsCustomer: true,
            actions: order.state.next.filter { $0 != .cancelled }.map(\.rawValue), accessToken: nil)
    }

    /// The order that its guest has just cancelled.
    init(cancelled order: Order) {
        self.init(
            order, state: .cancelled, readyAt: order.readyAt, delayReason: order.updates.delayReason,
            dayNumber: order.updates.dayNumber,
            rejectionReason: nil, showsCustomer: true, actions: [], accessToken: nil)
    }

    private static func guestActions(_ state: OrderState) -> [String] {
        state.canMove(to: .cancelled) ? ["cancel"] : []
    }

    private init(
        _ order: Order, state: OrderState, readyAt: Instant, delayReason: String? = nil, dayNumber: Int? = nil,
        rejectionReason: String?,
        rejectedBy: RejectionSource? = nil, showsCustomer: Bool, actions: [String], accessToken: String?
    ) {
        let id = order.id.description
        self.init(
            id: id, number: order.number, state: state.rawValue, basketId: id,
            lines: order.lines.map { OrderLineBody($0, showsNote: showsCustomer) },
            sales: order.sets.map { OrderSetBody($0, showsNotes: showsCustomer) },
            coupon: showsCustomer ? order.couponKey : nil,
            subtotal: order.subtotal.minorUnits,
            discount: order.discount.minorUnits, total: order.total.minorUnits, currency: order.currency.code.text,
            etaMinutes: order.etaMinutes, placedAt: order.placedAt.rfc3339, rejectionReason: rejectionReason,
            customer: showsCustomer ? order.customer.map { CustomerBody($0, postcode: order.postcode) } : nil,
            actions: actions, accessToken: accessToken, currencyExponent: order.currency.exponent,
            totals: order.totals.all.map { TotalBody($0, showsCoupon: showsCustomer) }, minimumAge: order.minimumAge,
            fulfilment: order.fulfilment.rawValue, wantedAt: order.wantedAt?.rfc3339, readyAt: readyAt.rfc3339,
            delayReason: delayReason, dayNumber: dayNumber, payment: showsCustomer ? .cash : nil,
            rejectedBy: rejectedBy?.rawValue)
    }
}

extension PaymentBody {
    /// All orders are paid in cash so far.
    fileprivate static let cash = PaymentBody(method: PaymentMethod.cash.rawValue)
}

extension OrderEventBody {
    /// The step, with the path at which the reader finds the order.
    /// - Parameter showsReason: Whether the reader may see staff's reason for a rejection or delay.
    init(_ event: OrderEvent, link: String, showsReason: Bool) {
        let step = event.step
        self.init(
            orderId: "\(event.orderID)", number: event.orderNumber, state: step.state.rawValue,
            at: step.occurredAt.rfc3339,
            rejectionReason: showsReason && step.state == .rejected ? step.reason : nil, link: link,
            isTakenBack: step.kind == .takenBack ? true : nil,
            readyAt: step.promisedAt?.rfc3339, delayReason: showsReason && step.kind == .delayed ? step.reason : nil)
    }
}
