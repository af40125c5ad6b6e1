// The content of a mail, rendered as plain text and as HTML.
//
// It contains no text that the guest entered, because anybody can check out with a stranger's address. The linked page
// shows those texts.
import Ordering

struct MailContent {
    /// A row of the order: its text and its amount.
    private struct Row {
        let text: String
        /// Further lines below the text, such as selected options.
        var details: [String] = []
        let amount: String
    }

    private let language: MailLanguage
    private let heading: String
    private var paragraphs: [String]
    private var link: String?
    private var rows: [Row] = []
    private var sums: [Row] = []
    private var facts: [(name: String, text: String)] = []

    init(
        _ order: Order, _ state: OrderState, _ stateText: MailWords.StateText, since moment: Instant,
        _ language: MailLanguage, _ zone: ShopZone,
        _ publicURL: String?
    ) {
        self.language = language
        let words = language.words
        let ready = language.time(order.readyAt, in: zone, seenAt: moment)
        heading = "\(words.subject.filled(with: order.number)): \(stateText.heading)"
        paragraphs = [(order.fulfilment == .delivery ? stateText.delivery : stateText.pickup).filled(with: ready)]
        if state == .rejected, let reason = order.rejectionReason { paragraphs.append("\(words.reason): \(reason)") }
        link = publicURL.map { "\($0)/#/orders/\(order.id)" }
        guard state == .placed else { return }
        rows = order.lines.map { row($0, order.currency) }
        for set in order.sets {
            rows.append(Row(text: set.title, amount: ""))
            rows += set.items.map { row($0, order.currency) }
        }
        sums = order.totals.all.map { total in
            let title = [
                total.key.kind.builtInTitle(in: language.tag) ?? total.title,
                total.rate.map { language == .en ? "\($0)%" : "\($0)\u{A0}%" },
                total.isIncluded ? "(\(words.included))" : nil,
            ]
            return Row(
                text: title.compactMap(\.self).joined(separator: " "),
                amount: language.money(total.amount, order.currency))
        }
        facts.append((order.wantedAt == nil ? words.promised : words.wanted, ready))
    }

    private func row(_ charged: OrderLine, _ currency: Currency) -> Row {
        let line = charged.line
        return Row(
            text: "\(line.quantity) × \(charged.item.title)",
            details: line.options.flatMap { Self.optionLines($0, depth: 0) },
            amount: language.money(line.total.minorUnits, currency))
    }

    private static func optionLines(_ option: LineOption, depth: Int) -> [String] {
        let own =
            String(repeating: "  ", count: depth)
            + (option.quantity > 1 ? "\(option.quantity) × \(option.title)" : option.title)
        return [own] + option.options.flatMap { optionLines($0, depth: depth + 1) }
    }

    /// Renders the mail without mark-up.
    func plain(signed name: String) -> String {
        var lines = [heading, ""] + paragraphs
        if !rows.isEmpty {
            lines += ["", "\(language.words.order):"]
            for row in rows {
                lines.append(row.amount.isEmpty ? row.text : "\(row.text): \(row.amount)")
                lines += row.details.map { "    \($0)" }
            }
            lines += [""] + sums.map { "\($0.text): \($0.amount)" }
        }
        if !facts.isEmpty { lines += [""] + facts.map { "\($0.name): \($0.text)" } }
        if let link { lines += ["", "\(language.words.follow): \(link)"] }
        return (lines + ["", name, ""]).joined(separator: "\r\n")
    }

    /// Renders the mail as HTML. Every value is escaped.
    func html(signed name: String) -> String {
        var parts = ["<h1 style=\"font-size:20px\">\(heading.escaped)</h1>"]
        parts += paragraphs.map { "<p>\($0.escaped)</p>" }
        if !rows.isEmpty {
            let cells = rows.map { row in
                let details = row.details.map { "<br><small>\($0.escaped)</small>" }.joined()
                return "<tr><td>\(row.text.escaped)\(details)</td>"
                    + "<td align=\"right\" valign=\"top\">\(row.amount.escaped)</td></tr>"
            }
            let totals = sums.map { sum in
                "<tr><td><b>\(sum.text.escaped)</b></td><td align=\"right\">\(sum.amount.escaped)</td></tr>"
            }
            parts.append(
                "<table cellpadding=\"4\">\(cells.joined(separator: "\r\n"))\r\n"
                    + "\(totals.joined(separator: "\r\n"))</table>")
        }
        parts += facts.map { "<p>\($0.name.escaped): \($0.text.escaped)</p>" }
        if let link { parts.append("<p><a href=\"\(link.escaped)\">\(language.words.follow.escaped)</a></p>") }
        parts.append("<p>\(name.escaped)</p>")
        let head = "<meta charset=\"utf-8\"><title>\(heading.escaped)</title>"
        return
            "<!DOCTYPE html>\r\n<html lang=\"\(language.rawValue)\"><head>\(head)</head>\r\n"
            + "<body>\(parts.joined(separator: "\r\n"))</body></html>\r\n"
    }
}

extension String {
    /// Escapes text for HTML, between tags and in quotes. Works scalar by scalar: a combining mark after `<` does not
    /// hide it from a browser.
    fileprivate var escaped: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;".unicodeScalars
            case "<": text += "&lt;".unicodeScalars
            case ">": text += "&gt;".unicodeScalars
            case "\"": text += "&quot;".unicodeScalars
            case "'": text += "&#39;".unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
