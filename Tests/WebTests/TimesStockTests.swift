// Portions of the right day, over HTTP: which times are offered for a basket with a dish that staff count, which are accepted, and what is offered instead of
// a full slot. Read next: Sources/Ordering/Times/DishesThen.swift, WantedTimeTests.swift.

import Support
import Testing
import Wire

@Suite("Promise 12: a time is offered where what is left on its business day suffices, and accepted there", .timeLimit(.minutes(10)))
struct TimesStockTests {
    /// Open around the clock, in slots of half an hour; a business day begins at four.
    private static let twoADay = """
        update fulfilments set slot_minutes = 30;
        insert into item_stock (menu_item_id, per_day) values (2001, 2);
        """

    private static func form(_ basket: BasketBody, _ wantedAt: String?, guest: Int = 0) -> CheckoutBody {
        var form = CheckoutBody.filled(for: basket, guest: guest)
        form.wantedAt = wantedAt
        return form
    }

    /// The halves of hours of a day, from one to another.
    private static func halves(_ range: Range<Int>, _ day: Int64, _ noon: Noon) throws -> [String] {
        try range.map { try noon.at("\($0 / 2):\($0 % 2 == 0 ? "00" : "30")", day) }
    }

    @Test(
        "Sold out today and free tomorrow: from tomorrow's first moment on it is offered and accepted; sold out tomorrow: it is offered today and the day after, and refused between"
    )
    func portions() async throws {
        try await TestShop.run { shop in
            let noon = try await Noon(shop, Self.twoADay)
            let two = try await shop.server.startBasket(items: [(2001, 2)])
            let one = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)])
            func starts(_ basket: BasketBody, _ day: Int64, until isRead: ([String]) -> Bool = { _ in true }) async throws -> [String] {
                try await noon.starts("date=\(noon.day(day))&basketId=\(basket.id)", until: isRead)
            }
            func isOfferedNow(_ basket: BasketBody) async throws -> Bool {
                try await noon.times("basketId=\(basket.id)").asSoonAsPossible != nil
            }
            #expect(try await starts(two, 1) { $0.count == 48 } == Self.halves(0..<48, 1, noon))
            let today = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(try await isOfferedNow(two))
            #expect(try await shop.server.checkout(Self.form(today, nil, guest: 1), key: "k").status == 201)

            // One is left of this night, and two of tomorrow.
            try await eventually("the count is read") { try await !isOfferedNow(two) }
            #expect(try await starts(two, 0) == [])
            #expect(try await starts(two, 1) == Self.halves(8..<48, 1, noon))
            let short = Refusal(errors: ["lines/1: stock_short"], params: ["available": .integer(1)])
            for wanted in [nil, try noon.at("23:30"), try noon.at("3:30", 1)] {
                #expect(try await shop.server.refusal(Self.form(two, wanted)) == short, "\(wanted ?? "now")")
            }
            #expect(try await shop.server.validate(Self.form(two, noon.at("4:00", 1))).decoded(ValidationBody.self).isReady)
            #expect(try await shop.server.checkout(Self.form(two, noon.at("4:00", 1), guest: 2), key: "k").status == 201)

            // Tomorrow there is none.
            #expect(try await isOfferedNow(one))
            #expect(try await starts(one, 0).last == noon.at("23:30"))
            #expect(try await starts(one, 1) == Self.halves(0..<8, 1, noon))
            #expect(try await starts(one, 2) == Self.halves(8..<48, 2, noon))
            let none = Refusal(errors: ["lines/1: stock_short"], params: ["available": .integer(0)])
            for wanted in [try noon.at("4:00", 1), try noon.at("3:30", 2)] {
                #expect(try await shop.server.refusal(Self.form(one, wanted)) == none, "\(wanted)")
            }
            #expect(try await noon.times("date=\(noon.day(1))").slots.count == 48)
            #expect(try await shop.server.checkout(Self.form(one, noon.at("3:30", 1), guest: 3), key: "k").status == 201)
            let sold = "select string_agg(day - '\(noon.today)' || ':' || sold, ' ' order by day) from stock_days where id = 2001"
            #expect(try await shop.database.psql(sold) == "0:2 1:2")
        }
    }

    @Test("What is counted for good is so on every day: offered where all is left, and nowhere where there is too little")
    func remaining() async throws {
        try await TestShop.run { shop in
            let noon = try await Noon(
                shop, "update fulfilments set slot_minutes = 30; insert into item_stock (menu_item_id, remaining) values (2001, 2);")
            let two = try await shop.server.startBasket(items: [(2001, 2)])
            let query = "date=\(try noon.day(3))&basketId=\(two.id)"
            #expect(try await noon.starts(query) { !$0.isEmpty } == Self.halves(0..<48, 3, noon))
            #expect(try await noon.times(query).asSoonAsPossible != nil)
            try await shop.database.psql("update item_stock set remaining = 1")
            try await eventually("the count is read") { try await noon.times(query) == TimesBody(slots: []) }
            let short = Refusal(errors: ["lines/1: stock_short"], params: ["available": .integer(1)])
            #expect(try await shop.server.refusal(Self.form(two, noon.at("12:00", 3))) == short)
        }
    }

    @Test("Instead of a full slot the next are offered on whose day enough is left, by the live form and the checkout; each is accepted")
    func others() async throws {
        try await TestShop.run { shop in
            let noon = try await Noon(shop, Self.twoADay + "update fulfilments set orders_per_slot = 1;")
            _ = try await noon.starts("date=\(noon.day(1))") { $0.count == 48 }
            func order(_ item: Int64, _ quantity: Int64, _ wanted: String, guest: Int) async throws -> TestServer.Reply {
                let basket = try await shop.server.startBasket(items: [(item, quantity)])
                return try await shop.server.checkout(Self.form(basket, wanted, guest: guest), key: "k")
            }
            // The last half hour but one of tomorrow's business day is full, and the day after has no portion left.
            let full = try noon.at("3:00", 2)
            #expect(try await order(4001, 1, full, guest: 1).status == 201)
            #expect(try await order(2001, 2, noon.at("12:00", 2), guest: 2).status == 201)
            let one = try await shop.server.startBasket(items: [(2001, 1)])
            let others = try [noon.at("3:30", 2), noon.at("4:00", 3), noon.at("4:30", 3)]
            let refusal = Refusal(errors: ["wantedAt: slot_full"], params: ["alternatives": .texts(others)])
            let live = try await shop.server.validate(Self.form(one, full)).decoded(ValidationBody.self)
            #expect(live.fields.wantedAt?.params == refusal.params && !live.isReady)
            #expect(try await shop.server.refusal(Self.form(one, full)) == refusal)

            // Where the day itself has too few, the others are those of days that have some.
            #expect(try await order(2001, 2, noon.at("12:00", 1), guest: 3).status == 201)
            let later = try [noon.at("4:00", 3), noon.at("4:30", 3), noon.at("5:00", 3)]
            let reply = try await shop.server.checkout(Self.form(one, full), key: "refused").expecting(422)
            #expect(reply.errors == ["wantedAt: slot_full", "lines/1: stock_short"])
            #expect(try reply.decoded(ProblemBody.self).errors?.first?.params == ["alternatives": .texts(later)])
            for (n, start) in later.prefix(2).enumerated() {
                #expect(try await order(2001, 1, start, guest: 10 + n).status == 201, "\(start)")
            }
            #expect(try await order(2001, 1, later[2], guest: 20).code == "validation_failed")
            // What nobody counts goes anywhere.
            let cola = try await shop.server.startBasket(items: [(4001, 1)])
            let next = try [noon.at("3:30", 2), noon.at("4:00", 2), noon.at("4:30", 2)]
            #expect(try await shop.server.refusal(Self.form(cola, full)).params == ["alternatives": .texts(next)])
        }
    }
}
