// No response reveals whether a guest has ordered before: conditions on the guest history are judged last.

import Support
import Testing
import Wire

@Suite("The guest history stays private", .timeLimit(.minutes(10)))
struct GuestHistoryPrivacyTests {
    @Test(
        "Rejections and quotes are the same for a guest who has ordered before and for a new guest",
        arguments: ["FRST", "FOLLOW"])
    func guestsCannotBeProbed(coupon: String) async throws {
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
                    answers.append(
                        "\(problem.status) \(problem.code) \(problem.errors ?? []) \(problem.quote?.total ?? -1)")
                }
                var live = right
                (live.phone, live.email) = (nil, nil)
                let known = try await shop.server.validate(right).decoded(ValidationBody.self)
                let unknown = try await shop.server.validate(live).decoded(ValidationBody.self)
                #expect(known.quote == unknown.quote)
                let couponCode = known.fields[.coupon]?.code ?? "none"
                answers.append("\(known.isReady) \(known.errors) \(couponCode) \(known.quote?.conditions ?? [])")
                return answers
            }
            let known = try await probes(1)
            #expect(known == (try await probes(2)))
            #expect(known.allSatisfy { !$0.contains("coupon_first_order_only") && !$0.contains("coupon_already_used") })
            // Validation lists the conditions that it leaves open.
            #expect(known.last?.hasSuffix(coupon == "FRST" ? #"["first_order"]"# : #"["once_per_guest"]"#) == true)
        }
    }

    @Test("When another field is wrong, the responses for a known and an unknown guest are equal byte for byte")
    func sameBytes() async throws {
        try await TestShop.run { shop in
            for coupon in ["FRST", "FOLLOW"] {
                _ = try await shop.server.order(
                    guest: coupon == "FRST" ? 1 : 3, coupon: coupon, total: coupon == "FRST" ? 725 : 0)
            }
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let empty = try await shop.server.startBasket()
            var wrongs: [@Sendable (inout CheckoutBody) -> Void] = [
                { $0.name = "4" }, { $0.name = nil }, { $0.address = "x" },
                { $0.comment = String(repeating: "x", count: 501) },
                { $0.birthday = "13-13" }, { $0.coupon = "NOSUCH" }, { $0.coupon = "HAPPY" },
                {
                    $0.coupon = "FRST"; $0.expectedTotal = 1
                },
                {
                    $0.coupon = "FOLLOW"; $0.expectedTotal = 1
                },
                {
                    $0.coupon = "FRST"; $0.address = nil
                }, { $0.expectedTotal = nil },
                { $0.expectedTotal = -1 }, { $0.basketId = empty.id },
                {
                    $0.basketId = empty.id; $0.coupon = "FRST"
                }, { $0.basketId = nil },
                {
                    $0.basketId = "01912f4c-7a3e-7b1c-9d2e-3f4a5b6c7d8e"; $0.coupon = "FRST"
                },
            ]
            // Only the phone number or the email address belongs to a known guest.
            wrongs += [
                {
                    $0.email = "x"; $0.coupon = "FRST"
                },
                {
                    $0.phone = "x"; $0.coupon = "FRST"
                },
            ]
            func answers(_ guest: Int) async throws -> [String] {
                var answers: [String] = []
                for wrong in wrongs {
                    var form = CheckoutBody.filled(for: basket, guest: guest)
                    wrong(&form)
                    for reply in [try await shop.server.checkout(form, key: "k"), try await shop.server.validate(form)]
                    {
                        #expect(reply.status != 201)
                        let id = reply.header("X-Request-Id") ?? ""
                        let text = reply.text.replacing(id, with: "").replacing("550000\(guest)", with: "").replacing(
                            "+\(guest)@", with: "@")
                        answers.append("\(reply.status) \(reply.headerNames) \(text)")
                    }
                }
                return answers
            }
            let unknown = try await answers(2)
            for known in [1, 3] {
                for (known, unknown) in zip(try await answers(known), unknown) { #expect(known == unknown) }
            }
        }
    }
}
