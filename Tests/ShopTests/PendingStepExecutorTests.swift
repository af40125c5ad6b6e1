// Rejections and deliveries wait for ten seconds. Any other step withdraws them, and one server executes each of them.
// Covers request_step and execute_pending_step (sql/007_order_steps.sql) with PendingStepExecutor. The tests change
// execute_at in SQL instead of waiting.
import Database
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("Pending steps of orders", .timeLimit(.minutes(5)))
struct PendingStepExecutorTests {
    private static let ann = StaffMember(name: "Ann", role: .counter)
    private static let bob = StaffMember(name: "Bob", role: .kitchen)
    private static let rejection = StaffStep.schedule(.rejected, reason: "out of buns")

    private static func makeDue(_ database: TestDatabase) async throws {
        try await database.psql("update pending_order_steps set execute_at = clock_timestamp()")
    }

    private static func take(_ step: StaffStep, _ order: Order, by member: StaffMember, in open: ShopFixture)
        async throws
    {
        let result = try await open.shop.staff.perform(step, number: order.number, by: member)
        guard case .moved = result else { throw UnexpectedResult(result: "\(result)") }
    }

    /// Requests the step and postpones its execution, so that a busy machine does not execute it too early.
    private static func request(_ step: StaffStep, _ order: Order, by member: StaffMember, in open: ShopFixture)
        async throws
    {
        try await take(step, order, by: member, in: open)
        try await open.database.psql(
            "update pending_order_steps set execute_at = now() + interval '1 hour' where order_id = '\(order.id)'")
    }

    private struct UnexpectedResult: Error { let result: String }

    private static func state(_ order: Order, _ database: TestDatabase) async throws -> String {
        try await database.psql("select state from orders where id = '\(order.id)'")
    }

    private static func waitUntil(_ order: Order, is state: String, _ database: TestDatabase) async throws {
        try await eventually("order \(order.number) is \(state)") { try await Self.state(order, database) == state }
    }

    private static func audit(_ database: TestDatabase) async throws -> [String] {
        try await database.psql(
            """
            select who || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, '') from audit
            where what = 'orders' order by id
            """
        ).split(separator: "\n").map(String.init)
    }

    @Test("A requested rejection changes nothing for ten seconds; then one of two servers executes it exactly once")
    func executedOnce() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 10)")
            let order = try #require(try await serverA.placeOrder(by: Guest(1), coupon: "FRST").order)
            guard case .events(let events) = try await serverB.shop.orderPublisher.subscribe(to: order.id, after: 0)
            else {
                return #expect(Bool(false))
            }
            try await Self.take(Self.rejection, order, by: Self.ann, in: serverA)
            let step = try #require(try await serverB.shop.staff.pendingSteps(of: [order.id]).first)
            #expect(step.state == .rejected && step.member == "Ann" && step.orderID == order.id)
            let seconds =
                "select extract(epoch from execute_at - clock_timestamp()) between 5 and 10 from pending_order_steps"
            #expect(try await database.psql(seconds) == "t")
            // Both servers poll twice a second.
            try await Task.sleep(for: .seconds(2))
            #expect(try await Self.state(order, database) == "placed")
            #expect(try await database.psql("select count(*) from order_steps") == "0")
            try await Self.makeDue(database)
            var received: [OrderState] = []
            for await event in events { received.append(event.step.state) }
            #expect(received == [.placed, .rejected])
            #expect(try await database.psql("select state, reason from order_steps") == "rejected|out of buns")
            #expect(try await database.psql("select count(*) from pending_order_steps") == "0")
            #expect(
                try await Self.audit(database) == [
                    #"Ann {"pending_step": null} {"pending_step": "rejected"}"#,
                    #"Ann {"state": "placed"} {"state": "rejected"}"#,
                ])
            #expect(
                try await database.psql(
                    """
                    select (select redeemed from coupon_redemptions where coupon_id = 1),
                           (select count(*) from coupon_uses), (select remaining from item_stock)
                    """) == "0|0|10")
            #expect(try await serverA.storage.loadOrder(order.id)?.rejectedBy == .staff)
        }
    }

    @Test("Another server executes a pending step after the server that accepted the request has stopped")
    func afterCrash() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let order = try await ShopFixture.with(on: database) { open async throws in
                let order = try #require(try await open.placeOrder(by: Guest(1)).order)
                for state in [OrderState.accepted, .preparing, .onTheWay] {
                    try await Self.take(.advance(to: state), order, by: Self.bob, in: open)
                }
                try await Self.take(.schedule(.delivered), order, by: Self.bob, in: open)
                return order
            }
            try await Self.makeDue(database)
            #expect(try await Self.state(order, database) == "on_the_way")
            try await ShopFixture.with(on: database) { _ in try await Self.waitUntil(order, is: "delivered", database) }
            #expect(try await Self.audit(database).last == #"Bob {"state": "on_the_way"} {"state": "delivered"}"#)
        }
    }

    @Test("Every other step withdraws the pending step: by a route, in SQL, by the guest or by the deadline")
    func withdrawnByOtherSteps() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            // Each case has a name, the resulting state of the order, the author in the audit, and the step itself.
            let steps: [(name: String, state: String, author: String, work: (Order) async throws -> Void)] = [
                (
                    "a route", "accepted", "Bob",
                    { try await Self.take(.advance(to: .accepted), $0, by: Self.bob, in: serverB) }
                ),
                (
                    "SQL", "accepted", "welms_staff",
                    { _ = try await database.psqlAsStaff("select advance_order('\($0.number)', 'accepted')") }
                ),
                ("the guest", "cancelled", "the guest", { _ = try await serverB.shop.orders.cancel($0.id) }),
                (
                    "the deadline", "rejected", "the shop itself",
                    { order in
                        try await database.psql(
                            "update orders set placed_at = placed_at - interval '1 hour' where id = '\(order.id)'")
                        try await database.psqlAsStaff("update shop set accept_within_minutes = 10")
                        try await Self.waitUntil(order, is: "rejected", database)
                        try await database.psqlAsStaff("update shop set accept_within_minutes = null")
                    }
                ),
            ]
            for (index, step) in steps.enumerated() {
                let order = try #require(try await serverA.placeOrder(by: Guest(index)).order)
                try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
                try await step.work(order)
                #expect(try await Self.state(order, database) == step.state, "\(step.name)")
                #expect(try await serverA.shop.staff.pendingSteps(of: [order.id]) == [], "\(step.name)")
                #expect(
                    try await Self.audit(database).contains(
                        #"\#(step.author) {"pending_step": "rejected"} {"pending_step": null}"#), "\(step.name)")
            }
            #expect(try await database.psql("select count(*) from order_steps where reason = 'out of buns'") == "0")
            let source = "select string_agg(is_by_deadline::text, ' ') from order_steps where state = 'rejected'"
            #expect(try await database.psql(source) == "true")
            // A delay withdraws the pending step, too.
            let order = try #require(try await serverA.placeOrder(by: Guest(20)).order)
            try await Self.take(.advance(to: .accepted), order, by: Self.ann, in: serverA)
            try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
            try await Self.take(.delay(minutes: 10, reason: "the oven"), order, by: Self.bob, in: serverB)
            #expect(try await serverA.shop.staff.pendingSteps(of: [order.id]) == [])
        }
    }

    @Test("Taking back a pending step, by a route or in SQL, withdraws it once; after its execution, it is rejected")
    func withdrawn() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            let order = try #require(try await serverA.placeOrder(by: Guest(1)).order)
            func back(_ state: OrderState?) async throws -> StaffStepResult {
                try await serverB.shop.staff.perform(.takeBack(state), number: order.number, by: Self.bob)
            }
            for state in [OrderState.rejected, nil] {
                try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
                guard case .moved(let same) = try await back(state) else { return #expect(Bool(false)) }
                #expect(same.state == .placed)
                guard case .refused(.onlyLastStepCanBeTakenBack, _) = try await back(.rejected) else {
                    return #expect(Bool(false))
                }
            }
            try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
            // A request to take back another kind of step leaves the pending step.
            guard case .refused(.onlyLastStepCanBeTakenBack, _) = try await back(.delivered) else {
                return #expect(Bool(false))
            }
            #expect(
                try await database.psqlAsStaff("select take_back_step('\(order.number)')")
                    == "order \(order.number): not rejected")
            #expect(try await Self.audit(database).last?.hasPrefix("welms_staff") == true)
            #expect(try await database.psql("select count(*) from order_steps") == "0")
            try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
            try await Self.makeDue(database)
            try await Self.waitUntil(order, is: "rejected", database)
            guard case .refused(.takeBackWithinTenSeconds, _) = try await back(.rejected) else {
                return #expect(Bool(false))
            }
        }
    }

    @Test("A repeated request keeps the pending step, another request replaces it, and an invalid one is rejected")
    func repeatedRequest() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            let order = try #require(try await open.placeOrder(by: Guest(1)).order)
            func step() async throws -> PendingStep? { try await open.shop.staff.pendingSteps(of: [order.id]).first }
            guard
                case .refused(.validTransition, _) = try await open.shop.staff.perform(
                    .schedule(.delivered), number: order.number, by: Self.ann)
            else { return #expect(Bool(false)) }
            try await Self.request(Self.rejection, order, by: Self.ann, in: open)
            let first = try await step()
            try await Self.take(Self.rejection, order, by: Self.bob, in: open)
            #expect(try await step() == first)
            try await Self.request(.schedule(.rejected, reason: "closed"), order, by: Self.bob, in: open)
            #expect(try await step()?.member == "Bob")
            #expect(try await database.psql("select count(*), min(reason) from pending_order_steps") == "1|closed")
            #expect(
                try await Self.audit(database).map { $0.split(separator: " ", maxSplits: 1)[0] } == [
                    "Ann", "Bob", "Bob",
                ])
            guard
                case .orderNotFound = try await open.shop.staff.perform(
                    .schedule(.delivered), number: "00000000", by: Self.ann)
            else { return #expect(Bool(false)) }
        }
    }

    @Test("Of a concurrent withdrawal and execution of a step, exactly one succeeds")
    func races() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            for guest in 1...10 {
                let order = try #require(try await serverA.placeOrder(by: Guest(guest)).order)
                try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
                try await Self.makeDue(database)
                let outcomes = try await runConcurrently(Array(0..<4)) { index in
                    if index == 0 {
                        if case .moved = try await serverB.takeStep(.takeBack(.rejected), of: order) { return true }
                        return false
                    }
                    return try await (index == 1 ? serverA : serverB).storage.executePendingStep(of: order.id)
                }
                let isWithdrawn = outcomes[0]
                if !isWithdrawn { try await Self.waitUntil(order, is: "rejected", database) }
                #expect(try await Self.state(order, database) == (isWithdrawn ? "placed" : "rejected"))
                let steps = "select count(*) from order_steps where order_id = '\(order.id)'"
                #expect(try await database.psql(steps) == (isWithdrawn ? "0" : "1"))
            }
        }
    }

    @Test("An order or a counted item that staff have locked delays only the steps that need it")
    func lockedRows() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            func order(_ item: Int64, _ guest: Int) async throws -> Order {
                try #require(
                    try await serverA.shop.checkouts.submit(
                        serverA.makeDraft(serverA.makeBasket([item: 1]), by: Guest(guest))
                    ).order)
            }
            let counted = try await order(4001, 1)
            let lockedOrder = try await order(2001, 2)
            var free: [Order] = []
            for guest in 3...5 { free.append(try await order(2001, guest)) }
            for order in [counted, lockedOrder] + free {
                try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
            }
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            let owner = try await PostgresConnection.connect(database.url, logger: .silent)
            try await owner.run(script: "begin; select from orders where id = '\(lockedOrder.id)' for update")
            // The steps of the locked rows are due first.
            try await database.psql(
                """
                update pending_order_steps set execute_at = clock_timestamp()
                    - (order_id in ('\(counted.id)', '\(lockedOrder.id)'))::integer * interval '1 second'
                """)
            for order in free { try await Self.waitUntil(order, is: "rejected", database) }
            #expect(try await serverB.placeOrder(by: Guest(9)).isPlaced)
            #expect(try await Self.state(counted, database) == "placed")
            #expect(try await Self.state(lockedOrder, database) == "placed")
            try await staff.run(script: "rollback")
            try await owner.run(script: "rollback")
            await staff.close()
            await owner.close()
            for order in [counted, lockedOrder] { try await Self.waitUntil(order, is: "rejected", database) }
            #expect(try await database.psql("select remaining, sold from item_stock") == "500|0")
        }
    }

    @Test("The pending step of a deleted order is deleted when it is due")
    func deletedOrder() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.database
            let order = try #require(try await open.placeOrder(by: Guest(1)).order)
            try await Self.request(Self.rejection, order, by: Self.ann, in: open)
            try await database.psql("delete from orders where id = '\(order.id)'")
            try await Self.makeDue(database)
            try await eventually("no step is pending") {
                try await database.psql("select count(*) from pending_order_steps") == "0"
            }
            #expect(try await database.psql("select count(*) from order_steps") == "0")
        }
    }

    @Test("Automatic acceptance skips an order whose rejection is pending")
    func automaticAcceptance() async throws {
        try await ShopFixture.withTwoServers { serverA, _ in
            let database = serverA.database
            let order = try #require(try await serverA.placeOrder(by: Guest(1)).order)
            try await Self.request(Self.rejection, order, by: Self.ann, in: serverA)
            try await database.psqlAsStaff("update shop set accepts_automatically = true")
            let second = try #require(try await serverA.placeOrder(by: Guest(2)).order)
            try await Self.waitUntil(second, is: "accepted", database)
            try await Task.sleep(for: .seconds(2))
            #expect(try await Self.state(order, database) == "placed")
            try await Self.makeDue(database)
            try await Self.waitUntil(order, is: "rejected", database)
        }
    }
}
