// Tests which responses have the day number. DayNumberTests test how numbers are assigned.
import Support
import Testing
import Wire

@Suite("The day number in responses", .timeLimit(.minutes(5)))
struct DayNumberResponseTests {
    private static func read(_ order: OrderBody, in shop: TestShop, withToken: Bool = true) async throws -> OrderBody {
        let headers = withToken ? [("Authorization", "Bearer \(order.accessToken ?? "")")] : []
        return try await shop.server.get("/v1/orders/\(order.id)", headers: headers).expecting(200).decoded()
    }

    @Test(
        "The checkout's response has the number, and a GET of the order has it with the order's token only"
    )
    func answers() async throws {
        try await StaffTests.run { shop in
            let order = try await shop.server.order()
            let second = try await shop.server.order(guest: 2)
            #expect(order.dayNumber == 1 && second.dayNumber == 2)
            let staff = try await shop.server.get("/v1/staff/orders/\(order.number)", headers: StaffTests.bearer)
                .expecting(200)
            #expect(try staff.decoded(OrderBody.self).dayNumber == 1)
            for state in ["placed", "accepted", "rejected"] {
                if state != "placed" {
                    try await shop.database.psql("select advance_order('\(order.number)', '\(state)', 'why')")
                }
                #expect(try await Self.read(order, in: shop).dayNumber == 1)
                let withoutToken = try await Self.read(order, in: shop, withToken: false)
                #expect(withoutToken.state == state && withoutToken.dayNumber == nil)
            }
            #expect(try await shop.server.cancel(second).expecting(200).decoded(OrderBody.self).dayNumber == 2)
        }
    }

    @Test(
        "A replay has the number of the first response, and no number if it was assigned later")
    func replays() async throws {
        try await TestShop.run { shop in
            for isLate in [false, true] {
                if isLate {
                    // On Citus, a checkout does not assign the number.
                    try await Psql.run(
                        file: "\(Repository.path)/sql/distributed/005_day_numbers.sql", url: shop.database.url)
                }
                let form = CheckoutBody.filled(
                    for: try await shop.server.startBasket(items: [(2001, 1)]), guest: isLate ? 2 : 1)
                let first = try await shop.server.checkout(form, key: "k").expecting(201)
                let order = try first.decoded(OrderBody.self)
                #expect(order.dayNumber == (isLate ? nil : 1))
                try await eventually("the order has its number") {
                    try await Self.read(order, in: shop).dayNumber == (isLate ? 2 : 1)
                }
                for state in ["accepted", "preparing"] {
                    try await shop.database.psql("select advance_order('\(order.number)', '\(state)')")
                    let replay = try await shop.server.checkout(form, key: "k").expecting(201)
                    #expect(replay.header("Idempotency-Replayed") == "true" && replay.body == first.body)
                }
            }
        }
    }
}
