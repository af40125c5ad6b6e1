// An order that nobody has accepted yet, and by when somebody has to: one function, for what staff are shown and for what becomes of the order.
// Asked by Shop's AcceptanceWatch and by Web. Read next: Menu/Acceptance.swift, Hours/OpeningHours.swift.

/// What a deadline depends on.
package struct WaitingOrder: Sendable, Hashable {
    package let id: OrderID
    package let fulfilment: Fulfilment
    package let placedAt: Instant
    /// Nil: as soon as possible.
    package let wantedAt: Instant?
    /// What the guest reads it in.
    package let language: LanguageTag

    package init(id: OrderID, fulfilment: Fulfilment, placedAt: Instant, wantedAt: Instant? = nil, language: LanguageTag = .english) {
        (self.id, self.fulfilment, self.placedAt) = (id, fulfilment, placedAt)
        (self.wantedAt, self.language) = (wantedAt, language)
    }

    /// For how long after its deadline an order is rejected, or after its placing accepted by the shop itself. What has stood there for longer nobody
    /// looks after: no guest is told of yesterday's meal because staff write a deadline today.
    package static let memory = Duration.seconds(86_400)

    /// An order may have waited over some closed days.
    package static let depth = Duration.seconds(8 * 86_400)

    /// When it comes up in the kitchen.
    package var comesUpAt: Instant { wantedAt.map { max(placedAt, $0.advanced(by: .zero - Kitchen.ahead)) } ?? placedAt }

    /// Why it is rejected at its deadline, as its guest reads it.
    package var reason: String {
        switch language.text.prefix(while: { $0 != "-" }) {
        case "de": "Wir konnten Ihre Bestellung nicht rechtzeitig annehmen."
        case "es": "No pudimos aceptar su pedido a tiempo."
        default: "We could not accept your order in time."
        }
    }
}

/// What becomes of a waiting order at a moment.
package enum WaitingVerdict: Sendable, Hashable {
    case waits
    case isAccepted
    case isRejected(deadline: Instant)
}

extension ShopTerms {
    /// By when an order has to be accepted: so many minutes after it has come up, of those in which the shop is open for it. Nil where there is no
    /// deadline, none in sight, or one that was a day ago.
    package func acceptBy(_ order: WaitingOrder, at now: Instant) -> Instant? {
        guard case .within(let minutes) = acceptance,
            let deadline = end(ofOpen: .seconds(60 * Int64(minutes)), order.fulfilment, since: order.comesUpAt),
            now < deadline.advanced(by: WaitingOrder.memory)
        else { return nil }
        return deadline
    }

    package func verdict(on order: WaitingOrder, at now: Instant) -> WaitingVerdict {
        switch acceptance {
        case .byStaff: return .waits
        case .automatically:
            let isRecent = now < order.placedAt.advanced(by: WaitingOrder.memory)
            return isRecent || order.wantedAt.map { now < $0 } ?? false ? .isAccepted : .waits
        case .within:
            guard let deadline = acceptBy(order, at: now), deadline <= now else { return .waits }
            return .isRejected(deadline: deadline)
        }
    }

    /// Whether the shop itself never does anything with a waiting order any more: its time to be accepted, or its
    /// deadline, was a day ago.
    package func isAbandoned(_ order: WaitingOrder, at now: Instant) -> Bool {
        switch acceptance {
        case .byStaff: return true
        case .automatically: return verdict(on: order, at: now) == .waits
        case .within(let minutes):
            // Closed days may hold a deadline back for as long as that.
            let end = end(ofOpen: .seconds(60 * Int64(minutes)), order.fulfilment, since: order.comesUpAt)
            return (end ?? order.comesUpAt.advanced(by: WaitingOrder.depth)).advanced(by: WaitingOrder.memory) <= now
        }
    }

    /// When the shop has been open for so long since a moment; nil where that is not in sight.
    private func end(ofOpen length: Duration, _ fulfilment: Fulfilment, since begin: Instant) -> Instant? {
        var (moment, left) = (begin, length)
        let horizon = begin.advanced(by: .seconds(400 * 86_400))
        while moment < horizon {
            switch opening.opening(fulfilment, at: moment, in: zone) {
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
    /// While nobody has accepted it.
    package var waiting: WaitingOrder? {
        guard state == .placed else { return nil }
        return WaitingOrder(id: id, fulfilment: fulfilment, placedAt: placedAt, wantedAt: wantedAt, language: language)
    }
}
