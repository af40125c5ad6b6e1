// An order that is not accepted yet, its acceptance deadline, and what happens when the deadline passes.

/// The properties of an order that its acceptance deadline depends on.
package struct UnacceptedOrder: Sendable, Hashable {
    package let id: OrderID
    package let fulfilment: Fulfilment
    package let placedAt: Instant
    /// Nil: as soon as possible.
    package let wantedAt: Instant?
    /// The language of the order's texts.
    package let language: LanguageTag

    package init(
        id: OrderID, fulfilment: Fulfilment, placedAt: Instant, wantedAt: Instant? = nil,
        language: LanguageTag = .english
    ) {
        (self.id, self.fulfilment, self.placedAt) = (id, fulfilment, placedAt)
        (self.wantedAt, self.language) = (wantedAt, language)
    }

    /// The time after its deadline or its placement in which the shop still rejects or accepts an order automatically.
    /// Older orders stay unchanged, so that a new deadline does not notify the guests of yesterday's orders.
    package static let abandonedAfter = Duration.seconds(86_400)

    /// Orders of this age and older ones are not searched. A pre-order can be placed 60 days before its wanted time
    /// (`horizon_days`), and a week remains for closed days before its deadline.
    package static let maximumAge = Duration.seconds(68 * 86_400)

    /// When the order becomes due in the kitchen.
    package var dueAt: Instant { wantedAt.map { max(placedAt, $0.advanced(by: .zero - Kitchen.leadTime)) } ?? placedAt }

    /// The reason that the guest reads when the order is rejected at its deadline.
    package var rejectionReason: String {
        switch language.text.prefix(while: { $0 != "-" }) {
        case "de": "Wir konnten Ihre Bestellung nicht rechtzeitig annehmen."
        case "es": "No pudimos aceptar su pedido a tiempo."
        default: "We could not accept your order in time."
        }
    }
}

/// The action that is due for an order that is not accepted yet.
package enum AcceptanceDecision: Sendable, Hashable {
    /// The deadline is in the future.
    case wait
    case accept
    case reject(deadline: Instant)
    /// These terms never accept or reject the order, now or later. An abandoned order stays so until the terms change.
    case leaveToStaff
}

extension ShopTerms {
    /// The deadline: the given number of open minutes after the order became due. Nil without a deadline, if none is
    /// foreseeable, or if it passed more than a day ago.
    package func acceptanceDeadline(of order: UnacceptedOrder, at now: Instant) -> Instant? {
        guard case .within(let minutes) = acceptance,
            let deadline = end(ofOpen: .seconds(60 * Int64(minutes)), order.fulfilment, since: order.dueAt),
            now < deadline.advanced(by: UnacceptedOrder.abandonedAfter)
        else { return nil }
        return deadline
    }

    package func acceptanceDecision(for order: UnacceptedOrder, at now: Instant) -> AcceptanceDecision {
        switch acceptance {
        case .byStaff: return .leaveToStaff
        case .automatically:
            let isRecent = now < order.placedAt.advanced(by: UnacceptedOrder.abandonedAfter)
            return isRecent || order.wantedAt.map { now < $0 } ?? false ? .accept : .leaveToStaff
        case .within:
            guard let deadline = acceptanceDeadline(of: order, at: now) else { return .leaveToStaff }
            return deadline <= now ? .reject(deadline: deadline) : .wait
        }
    }

    /// The time at which the shop has been open for `length` since `begin`; nil if it is not foreseeable.
    private func end(ofOpen length: Duration, _ fulfilment: Fulfilment, since begin: Instant) -> Instant? {
        var (moment, left) = (begin, length)
        let horizon = begin.advanced(by: .seconds(400 * 86_400))
        while moment < horizon {
            switch opening.openingState(fulfilment, at: moment, in: zone) {
            case .open(let until?, _) where until < moment.advanced(by: left):
                left -= .microseconds(until.microseconds - moment.microseconds)
                moment = until
            case .open: return moment.advanced(by: left)
            case .closed(let opensAt?, _): moment = opensAt
            case .closed: return nil
            }
        }
        return nil
    }
}

extension Order {
    /// The data for the acceptance deadline; nil if the order is already accepted or finished.
    package var unaccepted: UnacceptedOrder? {
        guard state == .placed else { return nil }
        return UnacceptedOrder(
            id: id, fulfilment: fulfilment, placedAt: placedAt, wantedAt: wantedAt, language: language)
    }
}
