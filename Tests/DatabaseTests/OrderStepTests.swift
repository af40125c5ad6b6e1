// An order's steps: the guest's cancellation and advance_order of staff, and how a coupon use is returned.
// Tests sql/007_order_steps.sql, and that it agrees with Ordering's OrderState.
@testable import Database
import Ordering
import Support
import Testing

@Suite struct OrderStepTests {
    @Test("SQL and Swift permit the same steps, for every pair of states")
    func steps() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var expected: [String] = []
            for from in OrderState.allCases {
                for to in OrderState.allCases {
                    expected.append("\(from.rawValue)|\(to.rawValue)|\(from.canMove(to: to) ? "t" : "f")")
                }
            }
            let states = OrderState.allCases.map { "('\($0.rawValue)')" }.joined(separator: ",")
            let allowed = try await database.psql(
                """
                select a.state, b.state, order_may_move(a.state, b.state)
                from (values \(states)) as a (state), (values \(states)) as b (state)
                """
            )
            #expect(allowed.split(separator: "\n").map(String.init).sorted() == expected.sorted())
        }
    }

    @Test("SQL has the states of Swift: of orders, of mails, and of steps that staff can name to take them back")
    func states() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            let mailed = try await fixture.database.psql(
                """
                select quoted.word[1] from pg_constraint,
                    regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''([a-z_]+)''', 'g') as quoted (word)
                where conname = 'order_mail_state_is_known'
                """)
            #expect(
                mailed.split(separator: "\n").map(String.init).sorted() == OrderState.mailed.map(\.rawValue).sorted())
            for state in OrderState.allCases {
                try await fixture.database.psql("update orders set state = '\(state.rawValue)'")
                let refusal = await #expect(throws: PsqlFailed.self) {
                    try await fixture.database.psql("select take_back_step('\(order.number)', '\(state.rawValue)')")
                }
                let isUnknown = refusal?.output.contains("\(state.rawValue) cannot be taken back") == true
                #expect(isUnknown == !state.isSetByStaff, "\(state): \(refusal?.output ?? "")")
            }
        }
    }

    @Test("Staff advance an order to its final state, and each step is stored with its time")
    func toFinalState() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                try await fixture.database.psql("select advance_order('\(order.number)', '\(state)')")
                #expect(try await fixture.storage.loadOrder(order.id)?.state.rawValue == state)
            }
            let steps = try await fixture.database.psql(
                "select step, state, at is not null from order_steps order by step")
            #expect(steps == "1|accepted|t\n2|preparing|t\n3|on_the_way|t\n4|delivered|t")
        }
    }

    @Test("A step that is not permitted fails with a hint that lists the permitted ones")
    func invalidSteps() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            let mistakes = [
                ("'\(order.number)', 'delivered'", "It can become accepted or rejected."),
                ("'\(order.number)', 'cancelled'", "It can become accepted or rejected."),
                ("'\(order.number)', 'eaten'", "It can become accepted or rejected."),
                ("'\(order.number)', null", "It can become accepted or rejected."),
                ("'\(order.number)', 'rejected'", "'rejected', 'why'"),
                ("'\(order.number)', 'rejected', '  '", "'rejected', 'why'"),
                ("'1', 'accepted'", "eight digits"),
                ("4219377, 'accepted'", "select advance_order('04219377', 'accepted');"),
            ]
            for (arguments, hint) in mistakes {
                let refusal = await #expect(throws: PsqlFailed.self) {
                    try await fixture.database.psql("select advance_order(\(arguments))")
                }
                #expect(
                    refusal?.output.contains("HINT:  ") == true && refusal?.output.contains(hint) == true,
                    "advance_order(\(arguments)): \(refusal?.output ?? "")")
            }
            #expect(try await fixture.storage.loadOrder(order.id)?.state == .placed)
            try await fixture.database.psql("select advance_order('\(order.number)', 'rejected', 'out of burgers')")
            let refusal = await #expect(throws: PsqlFailed.self) {
                try await fixture.database.psql("select advance_order('\(order.number)', 'accepted')")
            }
            #expect(refusal?.output.contains("It is final.") == true)
            #expect(try await fixture.storage.loadOrder(order.id)?.rejectionReason == "out of burgers")
        }
    }

    @Test("A rejection reason may have 500 characters in SQL as over HTTP, and a longer one fails with a hint")
    func longReason() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            func reject(_ length: Int) async throws {
                try await fixture.database.psqlAsStaff(
                    "select advance_order('\(order.number)', 'rejected', repeat('é', \(length)))")
            }
            for length in [501, 3_000_000] {
                let refusal = await #expect(throws: PsqlFailed.self) { try await reject(length) }
                #expect(refusal?.output.contains("HINT:  The guest reads it: write up to 500 characters.") == true)
            }
            #expect(try await fixture.storage.loadOrder(order.id)?.state == .placed)
            try await reject(500)
            #expect(try await fixture.storage.loadOrder(order.id)?.rejectionReason?.count == 500)
        }
    }

    @Test("A cancelled order returns its coupon use once, even if 20 requests cancel it at the same time")
    func cancelledOnce() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer in
            let kept = try await firstServer.placeOrder(by: Guest(1), coupon: "FRST")
            let order = try #require(try await firstServer.placeOrder(by: Guest(2), coupon: "FRST").order)
            #expect(kept.isPlaced)
            let states = try await runConcurrently(Array(0..<20)) {
                try await ($0 % 2 == 0 ? firstServer : secondServer).storage.cancelOrder(order.id)
            }
            #expect(states == Array(repeating: .cancelled, count: 20))
            #expect(
                try await firstServer.database.psql("select redeemed from coupon_redemptions where coupon_id = 1")
                    == "1")
            #expect(
                try await firstServer.database.psql("select count(*), count(distinct order_id) from coupon_uses")
                    == "2|1")
            #expect(try await firstServer.database.psql("select count(*) from order_steps") == "1")
            #expect(
                try await firstServer.placeOrder(by: Guest(2), coupon: "FRST").isPlaced,
                "for the coupon, the guest has not ordered yet"
            )
            let basket = try #require(try await firstServer.shop.baskets.load(order.id))
            #expect(basket.basket.state == .ordered, "a cancelled order never reopens its basket")
        }
    }

    @Test("Cancelling and rejecting an order at the same time has one outcome and returns the coupon use once")
    func cancelAndReject() async throws {
        try await ShopFixture.with { fixture async throws in
            for number in 1...5 {
                let order = try #require(try await fixture.placeOrder(by: Guest(number), coupon: "FOLLOW").order)
                async let cancelled = fixture.storage.cancelOrder(order.id)
                let rejected = try? await fixture.database.psql(
                    "select advance_order('\(order.number)', 'rejected', 'closed')")
                #expect(try await cancelled == (rejected == nil ? .cancelled : .rejected))
                #expect(
                    try await fixture.database.psql(
                        """
                        select redeemed, (select count(*) from coupon_uses)
                        from coupon_redemptions where coupon_id = 3
                        """)
                        == "0|0")
            }
        }
    }

    @Test("A rejected order returns its coupon use, and the same guest may use the coupon again")
    func rejected() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").order)
            try await fixture.database.psql("select advance_order('\(order.number)', 'accepted')")
            #expect(try await fixture.storage.cancelOrder(order.id) == .accepted, "an accepted order is not cancelled")
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").errorCodes == [.couponAlreadyUsed])
            try await fixture.database.psql("select advance_order('\(order.number)', 'rejected', 'out of burgers')")
            #expect(try await fixture.placeOrder(by: Guest(1), coupon: "FOLLOW").isPlaced)
            #expect(try await fixture.storage.cancelOrder(fixture.makeBasketID()) == nil)
        }
    }

    @Test("An order can be cancelled even after its coupon's count was reset by hand or the coupon was deleted")
    func editedCount() async throws {
        try await ShopFixture.with { fixture async throws in
            for (number, tampering) in [
                "update coupon_redemptions set redeemed = 0",
                "update coupon_redemptions set redeemed = 0; delete from coupons",
            ]
            .enumerated() {
                let order = try #require(try await fixture.placeOrder(by: Guest(number), coupon: "FRST").order)
                try await fixture.database.psql(tampering)
                #expect(try await fixture.storage.cancelOrder(order.id) == .cancelled)
            }
        }
    }
}
