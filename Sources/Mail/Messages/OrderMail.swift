// What a guest is told of a state that an order has come to: pure, from the order to the mail. Called by Shop's OrderMailer.
// Read next: MailWords.swift, MailMessage.swift.
import Ordering

/// How a shop writes its mails.
package struct OrderMail: Sendable {
    private let sender: MailSender
    private let publicURL: String?
    private let language: LanguageTag
    private let zone: ShopZone

    /// - Parameters:
    ///   - publicURL: Where guests reach the shop, without a slash at its end; nil: mails have no link.
    ///   - language: The shop's own.
    package init(from sender: MailSender, publicURL: String?, language: LanguageTag, zone: ShopZone) {
        (self.sender, self.publicURL, self.language, self.zone) = (sender, publicURL, language, zone)
    }

    /// The mail that tells of this state; nil where guests are not told of it, or the order has no address to write to.
    /// - Parameter moment: Since when the order has it.
    package func message(_ order: Order, _ state: OrderState, at moment: Instant) -> MailMessage? {
        let language = MailLanguage.best(for: [order.language, self.language])
        guard let told = language.words.told[state] else { return nil }
        let content = MailContent(order, state, told, since: moment, language, zone, publicURL)
        let subject = "\(language.words.subject.filled(with: order.number)): \(told.heading) - \(sender.name)"
        return MailMessage(
            from: sender, to: order.customer.email, id: Self.id(of: order.id, state, domain: sender.domain), subject: subject, date: moment,
            language: language.tag, plain: content.plain(signed: sender.name), html: content.html(signed: sender.name))
    }

    /// The same whoever sends it, and however often.
    package static func id(of order: OrderID, _ state: OrderState, domain: String) -> String { "\(order).\(state.rawValue)@\(domain)" }
}

extension String {
    /// The sentence with this in its blank.
    func filled(with text: String) -> String {
        guard let blank = firstIndex(of: "~") else { return self }
        return self[..<blank] + text + self[index(after: blank)...]
    }
}
