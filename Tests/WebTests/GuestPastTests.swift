// Nobody can ask whether a stranger has ordered here: conditions on the guest's past are judged only when all else is right.
// The exception of promise 1. Read next: Sources/Ordering/Coupons/CouponUse.swift.

import Support
import Testing
import Wire

@Suite("A guest's past", .timeLimit(.minutes(10)))
struct GuestPastTests {
    @Test("Every answer but an order's own is the same for a guest who has ordered and for one who has not", arguments: ["FRST", "FOLLOW"])
    func nobodyCanAsk(coupon: String) async throws {
        try await TestShop.run { shop in
            let total: Int64 = coupon == "FRST" ? 725 : 0
            _ = try await shop.server.order(guest: 1, coupon: coupon, total: total)
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            func probes(_ guest: Int) async throws -> [String] {
                let right = CheckoutBody.filled(for: basket, guest: guest, coupon: coupon, total: total)
                var wrongTotal = right
                wrongTotal.expectedTotal = 1
                var wrongName = right
                wrongName.name = "4"
                var noAddress = right
                noAddress.address = nil
                var answers: [String] = []
                for form in [wrongTotal, wrongName, noAddress] {
                    let problem = try await shop.server.checkout(form, key: "k").decoded(ProblemBody.self)
                    answers.append("\(problem.status) \(problem.code) \(problem.errors ?? []) \(problem.quote?.total ?? -1)")
                }
                var live = right
                (live.phone, live.email) = (nil, nil)
                let known = try await shop.server.validate(right).decoded(ValidationBody.self)
                let unknown = try await shop.server.validate(live).decoded(ValidationBody.self)
                #expect(known.quote == unknown.quote)
                answers.append("\(known.isReady) \(known.errors) \(known.fields.coupon?.code ?? "none") \(known.quote?.conditions ?? [])")
                return answers
            }
            let known = try await probes(1)
            #expect(known == (try await probes(2)))
            #expect(known.allSatisfy { !$0.contains("coupon_first_order_only") && !$0.contains("coupon_already_used") })
            // The live form says which conditions are left open.
            #expect(known.last?.hasSuffix(coupon == "FRST" ? #"["first_order"]"# : #"["once_per_guest"]"#) == true)
        }
    }
}
