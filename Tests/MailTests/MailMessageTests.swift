// Tests the content of mails to guests, hostile text in it, and the SMTP client.
import Ordering
import Support
import Testing

@testable import Mail

@Suite("Mails")
struct MailMessageTests {
    /// Wednesday, 18 November 2026, 11:06:40 UTC.
    private static let placedAt = Instant(microseconds: 1_795_000_000_000_000)

    /// Makes an order whose titles are all `text` and whose guest's texts are all `guest`.
    private static func order(
        _ text: String = "Burger", guest: String? = nil, email: String = "ann@example.com", language: String? = nil,
        fulfilment: Fulfilment = .delivery, currency: String = "USD", reason: String? = nil, wantedAt: Instant? = nil,
        hasCustomer: Bool = true
    ) throws -> Order {
        let (id, price, guest) = (LineID(rawValue: 1), try #require(Money(minorUnits: 123_456)), guest ?? text)
        let dish = Dish(MenuItemID(rawValue: 2001), note: KitchenNote(stored: String(guest.prefix(50))))
        let line = try #require(Line(id: id, dish: dish, quantity: 2, unitPrice: price))
        let charged = OrderLine(
            line, ItemSnapshot(kind: .regular, title: text, regularUnitPrice: price), discount: .zero)
        let totals = try #require(
            Totals(stored: [
                TotalLine(.subtotal, title: "Subtotal", amount: 246_912),
                TotalLine(.discount, code: "A", title: text, amount: -12),
                TotalLine(.tax, code: "1", title: "VAT", amount: 100, isIncluded: true, rate: "8.875"),
                TotalLine(.total, title: "Total", amount: 246_900),
            ]))
        return Order(
            id: .make(now: placedAt, random: (1, 2)), number: "04219377", state: reason == nil ? .placed : .rejected,
            lines: [charged],
            sets: [OrderSet(salesGroupID: SalesGroupID(rawValue: 200), title: text, items: [charged])], couponKey: nil,
            totals: totals,
            currency: try #require(Currency(currency)), fulfilment: fulfilment, wantedAt: wantedAt,
            etaMinutes: wantedAt == nil ? 45 : nil,
            placedAt: placedAt,
            customer: hasCustomer
                ? Customer(
                    name: guest, phone: "+1", email: email, address: fulfilment == .delivery ? guest : nil,
                    comment: guest) : nil,
            postcode: guest, rejectionReason: reason, language: language.flatMap { LanguageTag($0) } ?? .english)
    }

    private static func message(
        _ order: Order, _ state: OrderState = .placed, sender: String = "Welm's Delivery <orders@shop.example>"
    )
        throws
        -> MailMessage?
    {
        let sender = try #require(MailSender(sender))
        let zone = try #require(ShopZone([ShopZone.Change(from: Instant(microseconds: 0), offset: -5 * 3600)]))
        return OrderMailComposer(from: sender, publicURL: "https://shop.example", language: .english, zone: zone)
            .message(
                for: order, state: state, since: placedAt)
    }

    @Test("A confirmation contains the lines, the totals and the time, formatted for the language of the order")
    func confirmation() throws {
        let english = try #require(try Self.message(Self.order()))
        for words in [
            "Order 04219377: we have received your order", "2 × Burger: $2,469.12", "Subtotal: $2,469.12",
            "Burger: −$0.12",
            "VAT 8.875% (included): $1.00",
            "Total: $2,469.00", "Estimated time: 6:51 AM", "https://shop.example/#/orders/",
        ] { #expect(english.plain.contains(words), "\(words) in \(english.plain)") }
        let german = try #require(try Self.message(Self.order(language: "de-CH", currency: "EUR")))
        for words in [
            "Bestellung 04219377", "2.469,12\u{A0}€", "−0,12\u{A0}€", "06:51 Uhr", "Zwischensumme",
            "Gesamt: 2.469,00\u{A0}€",
        ] {
            #expect(german.plain.contains(words), "\(words) in \(german.plain)")
        }
        let spanish = try #require(try Self.message(Self.order(language: "es", fulfilment: .pickup, currency: "KWD")))
        for words in ["Pedido 04219377", "246,912\u{A0}KWD", "06:51"] {
            #expect(spanish.plain.contains(words), "\(words) in \(spanish.plain)")
        }
        #expect(try #require(try Self.message(Self.order(currency: "JPY"))).plain.contains("JPY\u{A0}246,912"))
        // A guest whose language is not supported gets the shop's language.
        let french = try #require(try Self.message(Self.order(language: "fr")))
        #expect(french.headers.contains("Content-Language: en") && french.plain.contains("Order 04219377"))
        #expect(german.headers.contains("Content-Language: de"))
        let later = try #require(
            try Self.message(Self.order(language: "de", wantedAt: Self.placedAt.advanced(by: .seconds(86_400)))))
        #expect(later.plain.contains("Bestellt für: Donnerstag, 19. November, 06:06 Uhr"), "\(later.plain)")
    }

    @Test("A mail contains no name, address, comment or note of the guest, but a link to the order")
    func noTextOfGuest() throws {
        for state in OrderState.mailed {
            for (language, fulfilment) in [("en", Fulfilment.delivery), ("de", .delivery), ("es", .pickup)] {
                let order = try Self.order(
                    guest: "casino.example", language: language, fulfilment: fulfilment, reason: "closed")
                let message = try #require(try Self.message(order, state))
                for text in message.headers + [message.plain, message.html] {
                    #expect(!text.contains("casino.example"), "\(state) \(language): \(text)")
                }
                #expect(message.plain.contains("https://shop.example/#/orders/\(order.id)"))
            }
        }
    }

    @Test(
        "A rejection is classified by its codes: it concerns the shop's account, or only this mail",
        arguments: [
            ("550 5.7.1 relaying denied", true), ("530 5.7.0 authentication required", true),
            ("535 5.7.8 wrong password", true),
            ("530 authenticate first", true), ("535 wrong", true), ("534 5.7.9 too weak", true),
            ("538 5.7.11 use TLS", true),
            ("552 5.4.5 daily quota", true), ("550 5.4.5 daily quota", true),
            ("550 5.1.90 daily limit for recipients", true),
            ("554 5.7.1 spam", true), ("554 5.7.26 not authenticated", true),
            ("550 5.1.8 sender's domain unknown", true),
            ("550 5.1.1 no such user", false), ("550 no such user", false), ("552 5.2.2 mailbox full", false),
            ("554 no", false),
            ("550 5.2.1 disabled", false), ("551 5.7.17 mailbox has another owner", false), ("554 5.6.0 5.7.1", false),
            ("450 4.7.1 greylisted", false), ("451 4.4.5 later", false), ("550 5.7 no code", false), ("550", false),
        ])
    func account(line: String, isAboutAccount: Bool) throws {
        let answer = try #require(SMTPReply(line: line))
        #expect(answer.concernsAccount == isAboutAccount)
        #expect(line.hasPrefix(answer.codes))
        #expect(SMTPReply(line: "250 2.1.5 fine") == nil && SMTPReply(line: "") == nil)
    }

    @Test("The client distinguishes a rejection of the account, of the guest's address and of the login")
    func outcomes() async throws {
        try await MailServer.with { post in
            let client = SMTPClient(try #require(SMTPServer("smtp://127.0.0.1:\(post.port)")))
            func send(_ email: String) async throws -> SMTPOutcome {
                await client.send(try #require(try Self.message(Self.order(email: email))))
            }
            for (email, codes) in [("blocked-1@example.com", "550 5.7.1"), ("quota-1@example.com", "552 5.4.5")] {
                let outcome = try await send(email)
                guard case .accountRejected(let answer) = outcome else {
                    #expect(Bool(false), "\(outcome)")
                    continue
                }
                #expect(answer.codes == codes)
            }
            guard case .rejected = try await send("never-1@example.com") else { return #expect(Bool(false)) }
            #expect(try await send("ann@example.com") == .accepted)
            let wrong = SMTPClient(try #require(SMTPServer("smtp://ann:wrong@127.0.0.1:\(post.port)")))
            let denied = await wrong.send(try #require(try Self.message(Self.order())))
            guard case .accessDenied(let reason) = denied else { return #expect(Bool(false), "\(denied)") }
            #expect(reason.contains("535 5.7.8") && !reason.contains("wrong"))
        }
    }

    @Test("Each mailed state has texts in every language and for each fulfilment, and the other states have no mail")
    func states() throws {
        for language in ["en", "de", "es"] {
            var plains: Set<String> = []
            for state in OrderState.mailed {
                for fulfilment in Fulfilment.allCases {
                    let order = try Self.order(
                        language: language, fulfilment: fulfilment, reason: state == .rejected ? "no <b>buns</b>" : nil)
                    let message = try #require(try Self.message(order, state))
                    #expect(message.headers.contains { $0.hasSuffix(".\(state.rawValue)@shop.example>") })
                    #expect(message.plain.contains("no <b>buns</b>") == (state == .rejected))
                    #expect(message.html.contains("no &lt;b&gt;buns&lt;/b&gt;") == (state == .rejected))
                    plains.insert(message.plain)
                }
            }
            #expect(plains.count >= 8, "\(language)")
        }
        let order = try Self.order()
        #expect(try Self.message(order, .preparing) == nil)
        #expect(try Self.message(order, .delivered) == nil)
        #expect(try #require(try Self.message(order, .accepted)).plain.contains("Estimated delivery: 6:51 AM."))
    }

    @Test("An order without personal data has no mail")
    func withoutCustomer() throws {
        #expect(try Self.message(Self.order(hasCustomer: false)) == nil)
    }

    @Test(
        "Hostile text in an order neither starts a new header line nor opens an HTML tag",
        arguments: [
            "a\r\nBcc: all@example.com", "a\nBcc: all@example.com", "a\rBcc: x", "<script>alert(1)</script>",
            "<\u{338}img src=x>",
            "\"' onload=x",
            "=?utf-8?B?AAAA?=", "\u{0}", "Größe\u{202E}", String(repeating: "ü", count: 500),
        ])
    func hostile(text: String) throws {
        let order = try Self.order(text, reason: text)
        for state in OrderState.mailed {
            let message = try #require(try Self.message(order, state))
            for header in message.headers {
                let folded = header.replacing("\r\n ", with: " ")
                #expect(folded.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(header)")
            }
            #expect(Set(message.headers.map { $0.prefix { $0 != ":" } }).count == message.headers.count)
            #expect(
                !message.html.unicodeScalars.split(separator: "<").dropFirst().contains {
                    $0.starts(with: "script".unicodeScalars)
                })
            #expect(!message.html.unicodeScalars.split(separator: "<").dropFirst().contains { $0.first == "\u{338}" })
            #expect(!message.html.contains("\"' onload"))
        }
        // Tests the same text as the name of the shop.
        if let sender = MailSender("\(text) <orders@shop.example>") {
            #expect(
                HeaderText.phrase(sender.name).replacing("\r\n ", with: "").unicodeScalars.allSatisfy {
                    (0x20...0x7E).contains($0.value)
                })
        } else {
            #expect(text.unicodeScalars.contains { $0.value < 0x20 || $0 == "<" } || text.utf8.count > 480)
        }
    }

    @Test(
        "An order without a valid email address gets no mail",
        arguments: [
            "", "ann", "ann@example.com\r\nBcc: all@example.com", "ann@example.com> SIZE=1\r\nRCPT TO:<b@example.com",
            "a b@example.com",
        ])
    func addresses(email: String) throws {
        #expect(try Self.message(Self.order(email: email)) == nil)
        #expect(MailSender("Shop <\(email)>") == nil)
    }

    @Test("An address with consecutive dots is quoted as RFC 5322 requires, and the date has the RFC's format")
    func written() throws {
        let message = try #require(try Self.message(Self.order(email: ".a..b.@example.com")))
        #expect(message.headers.contains("To: <\".a..b.\"@example.com>"))
        #expect(message.headers.contains("Date: Wed, 18 Nov 2026 11:06:40 +0000"))
        #expect(MailSender("orders@shop.example")?.name == "shop.example")
        #expect(MailSender("\"Welm's\" <orders@shop.example> ")?.name == "Welm's")
    }

    @Test("A password is never sent to a remote server without TLS, and the error message does not contain it")
    func unencrypted() async throws {
        try await MailServer.with(at: "127.0.0.2") { post in
            let open = SMTPClient(try #require(SMTPServer("smtp://127.0.0.2:\(post.port)")))
            #expect(await open.probe() == nil)
            let secret = SMTPClient(try #require(SMTPServer("smtp://ann:s3cret@127.0.0.2:\(post.port)")))
            let fault = try #require(await secret.probe())
            #expect(
                fault.hasPrefix("127.0.0.2:\(post.port): ") && fault.contains("STARTTLS") && !fault.contains("s3cret"),
                "\(fault)")
        }
    }

    @Test("A server's URL is parsed, its password is never printed, and a password requires TLS on a remote server")
    func servers() throws {
        for (url, place, encryption) in [
            ("smtp://localhost:2525", "localhost:2525", SMTPServer.Encryption.none),
            ("smtp://ann:s3cret@127.0.0.1", "127.0.0.1", .none),
            ("smtp://mail.example:587", "mail.example:587", .opportunistic),
            ("smtp://ann:s3cret@mail.example:587", "mail.example:587", .required),
            ("smtps://ann%40example.org:s3cret%2F@mail.example", "mail.example", .required),
        ] {
            let server = try #require(SMTPServer(url))
            #expect(server.description == place && server.encryption == encryption)
            var dumped = ""
            dump(server, to: &dumped)
            #expect(!"\(server) \(String(reflecting: server)) \(dumped)".contains("s3cret"))
        }
        for url in [
            "", "mail.example", "http://mail.example", "smtp://", "smtp://a b", "smtp://ann@", "smtp://x\r\nHELP",
            "smtp://x?y=z",
        ] {
            #expect(SMTPServer(url) == nil, "\(url)")
        }
    }
}
