// Composes the mail that tells a guest about a new order state, without a clock and without I/O.
import Ordering

/// Composes the mails of one shop.
package struct OrderMailComposer: Sendable {
    private let sender: MailSender
    private let publicURL: String?
    private let language: LanguageTag
    private let zone: ShopZone

    /// - Parameters:
    ///   - publicURL: The shop's address without a trailing slash; nil: mails contain no link.
    ///   - language: The shop's language, for guests whose language is not supported.
    package init(from sender: MailSender, publicURL: String?, language: LanguageTag, zone: ShopZone) {
        (self.sender, self.publicURL, self.language, self.zone) = (sender, publicURL, language, zone)
    }

    /// The mail for an order state; nil if the state is not mailed or the order has no valid address.
    /// - Parameter moment: When the order entered the state.
    package func message(for order: Order, state: OrderState, since moment: Instant) -> MailMessage? {
        let language = MailLanguage.best(for: [order.language, self.language])
        guard let stateText = language.words.stateTexts[state], let customer = order.customer else { return nil }
        let content = MailContent(order, state, stateText, since: moment, language, zone, publicURL)
        let subject = "\(language.words.subject.filled(with: order.number)): \(stateText.heading) - \(sender.name)"
        return MailMessage(
            from: sender, to: customer.email, id: Self.messageID(of: order.id, state, domain: sender.domain),
            subject: subject, date: moment,
            language: language.tag, plain: content.plain(signed: sender.name), html: content.html(signed: sender.name))
    }

    /// The message id. Every server and every attempt use the same id, so mail clients recognise duplicates.
    package static func messageID(of order: OrderID, _ state: OrderState, domain: String) -> String {
        "\(order).\(state.rawValue)@\(domain)"
    }
}

extension String {
    /// Replaces the first `~` with the text.
    func filled(with text: String) -> String {
        guard let blank = firstIndex(of: "~") else { return self }
        return self[..<blank] + text + self[index(after: blank)...]
    }
}
