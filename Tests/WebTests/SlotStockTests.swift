// Slots for baskets with counted items, by the stock of their business day, and the alternatives to a full slot.

import Support
import Testing
import Wire

@Suite("Slots and stock counts", .timeLimit(.minutes(10)))
struct SlotStockTests {
    /// Open around the clock with slots of 30 minutes and two units a day. A business day begins at 4:00.
    private static let twoADay = """
        update fulfilments set slot_minutes = 30;
        insert into item_stock (menu_item_id, per_day) values (2001, 2);
        """

    private static func form(_ basket: BasketBody, _ wantedAt: String?, guest: Int = 0) -> CheckoutBody {
        var form = CheckoutBody.filled(for: basket, guest: guest)
        form.wantedAt = wantedAt
        return form
    }

    /// The half hours of a day in a range.
    private static func halves(_ range: Range<Int>, _ day: Int64, _ noon: NoonShop) throws -> [String] {
        try range.map { try noon.time("\($0 / 2):\($0 % 2 == 0 ? "00" : "30")", dayOffset: day) }
    }

    @Test(
        "Slots are offered and accepted on exactly the business days with enough stock"
    )
    func stockPerDay() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(shop, Self.twoADay)
            let twoUnits = try await shop.server.startBasket(items: [(2001, 2)])
            let oneUnit = try await shop.server.startBasket(items: [(2001, 1), (4001, 1)])
            func starts(
                _ basket: BasketBody, _ day: Int64, until isLoaded: ([String]) -> Bool = { _ in true }
            ) async throws -> [String] {
                try await noon.slotStarts(
                    "date=\(noon.date(daysFromToday: day))&basketId=\(basket.id)", until: isLoaded)
            }
            func isOfferedNow(_ basket: BasketBody) async throws -> Bool {
                try await noon.times("basketId=\(basket.id)").asSoonAsPossible != nil
            }
            #expect(try await starts(twoUnits, 1) { $0.count == 48 } == Self.halves(0..<48, 1, noon))
            let today = try await shop.server.startBasket(items: [(2001, 1)])
            #expect(try await isOfferedNow(twoUnits))
            #expect(try await shop.server.checkout(Self.form(today, nil, guest: 1), key: "k").status == 201)

            // One unit is left of the current business day, and two of the next.
            try await eventually("the server has loaded the count") { try await !isOfferedNow(twoUnits) }
            #expect(try await starts(twoUnits, 0) == [])
            #expect(try await starts(twoUnits, 1) == Self.halves(8..<48, 1, noon))
            let tooFew = RejectedForm(errors: ["lines/1: stock_short"], params: ["available": .integer(1)])
            for wanted in [nil, try noon.time("23:30"), try noon.time("3:30", dayOffset: 1)] {
                #expect(
                    try await shop.server.rejection(of: Self.form(twoUnits, wanted)) == tooFew, "\(wanted ?? "now")")
            }
            #expect(
                try await shop.server.validate(Self.form(twoUnits, noon.time("4:00", dayOffset: 1))).decoded(
                    ValidationBody.self
                ).isReady)
            #expect(
                try await shop.server.checkout(Self.form(twoUnits, noon.time("4:00", dayOffset: 1), guest: 2), key: "k")
                    .status == 201)

            // No unit is left of the next business day.
            #expect(try await isOfferedNow(oneUnit))
            #expect(try await starts(oneUnit, 0).last == noon.time("23:30"))
            #expect(try await starts(oneUnit, 1) == Self.halves(0..<8, 1, noon))
            #expect(try await starts(oneUnit, 2) == Self.halves(8..<48, 2, noon))
            let noneLeft = RejectedForm(errors: ["lines/1: stock_short"], params: ["available": .integer(0)])
            for wanted in [try noon.time("4:00", dayOffset: 1), try noon.time("3:30", dayOffset: 2)] {
                #expect(try await shop.server.rejection(of: Self.form(oneUnit, wanted)) == noneLeft, "\(wanted)")
            }
            #expect(try await noon.times("date=\(noon.date(daysFromToday: 1))").slots.count == 48)
            #expect(
                try await shop.server.checkout(Self.form(oneUnit, noon.time("3:30", dayOffset: 1), guest: 3), key: "k")
                    .status == 201)
            let sold =
                """
                select string_agg(day - '\(noon.today)' || ':' || sold, ' ' order by day)
                from stock_days where id = 2001
                """
            #expect(try await shop.database.psql(sold) == "0:2 1:2")
        }
    }

    @Test("A stock count without days applies to every day")
    func remaining() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(
                shop,
                """
                update fulfilments set slot_minutes = 30;
                insert into item_stock (menu_item_id, remaining) values (2001, 2);
                """)
            let twoUnits = try await shop.server.startBasket(items: [(2001, 2)])
            let query = "date=\(try noon.date(daysFromToday: 3))&basketId=\(twoUnits.id)"
            #expect(try await noon.slotStarts(query) { !$0.isEmpty } == Self.halves(0..<48, 3, noon))
            #expect(try await noon.times(query).asSoonAsPossible != nil)
            try await shop.database.psql("update item_stock set remaining = 1")
            try await eventually("the server has loaded the count") {
                try await noon.times(query) == TimesBody(slots: [])
            }
            let tooFew = RejectedForm(errors: ["lines/1: stock_short"], params: ["available": .integer(1)])
            #expect(
                try await shop.server.rejection(of: Self.form(twoUnits, noon.time("12:00", dayOffset: 3))) == tooFew)
        }
    }

    @Test("Instead of a full slot, validation and checkout offer the next slots with enough stock")
    func alternatives() async throws {
        try await TestShop.run { shop in
            let noon = try await NoonShop(shop, Self.twoADay + "update fulfilments set orders_per_slot = 1;")
            _ = try await noon.slotStarts("date=\(noon.date(daysFromToday: 1))") { $0.count == 48 }
            func order(_ item: Int64, _ quantity: Int64, _ wanted: String, guest: Int) async throws -> TestServer.Reply
            {
                let basket = try await shop.server.startBasket(items: [(item, quantity)])
                return try await shop.server.checkout(Self.form(basket, wanted, guest: guest), key: "k")
            }
            // The last but one slot of tomorrow's business day is full, and the day after has no unit left.
            let full = try noon.time("3:00", dayOffset: 2)
            #expect(try await order(4001, 1, full, guest: 1).status == 201)
            #expect(try await order(2001, 2, noon.time("12:00", dayOffset: 2), guest: 2).status == 201)
            let oneUnit = try await shop.server.startBasket(items: [(2001, 1)])
            let others = try [
                noon.time("3:30", dayOffset: 2), noon.time("4:00", dayOffset: 3), noon.time("4:30", dayOffset: 3),
            ]
            let refusal = RejectedForm(errors: ["wantedAt: slot_full"], params: ["alternatives": .texts(others)])
            let live = try await shop.server.validate(Self.form(oneUnit, full)).decoded(ValidationBody.self)
            #expect(live.fields[.wantedAt]?.params == refusal.params && !live.isReady)
            #expect(try await shop.server.rejection(of: Self.form(oneUnit, full)) == refusal)

            // If the day has too few units, the alternatives are on days that have enough.
            #expect(try await order(2001, 2, noon.time("12:00", dayOffset: 1), guest: 3).status == 201)
            let later = try [
                noon.time("4:00", dayOffset: 3), noon.time("4:30", dayOffset: 3), noon.time("5:00", dayOffset: 3),
            ]
            let reply = try await shop.server.checkout(Self.form(oneUnit, full), key: "refused").expecting(422)
            #expect(reply.errors == ["wantedAt: slot_full", "lines/1: stock_short"])
            #expect(try reply.decoded(ProblemBody.self).errors?.first?.params == ["alternatives": .texts(later)])
            for (n, start) in later.prefix(2).enumerated() {
                #expect(try await order(2001, 1, start, guest: 10 + n).status == 201, "\(start)")
            }
            #expect(try await order(2001, 1, later[2], guest: 20).code == "validation_failed")
            // An item without a count can be ordered in every slot.
            let cola = try await shop.server.startBasket(items: [(4001, 1)])
            let next = try [
                noon.time("3:30", dayOffset: 2), noon.time("4:00", dayOffset: 2), noon.time("4:30", dayOffset: 2),
            ]
            #expect(try await shop.server.rejection(of: Self.form(cola, full)).params == ["alternatives": .texts(next)])
        }
    }
}
