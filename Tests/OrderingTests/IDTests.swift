// Ids from paths: each has exactly one valid spelling.
import FoundationEssentials
import TestBasics
import Testing

@testable import Ordering

@Suite("Ids")
struct IDTests {
    @Test("A staff id is read from plain digits", arguments: ["0", "7", "2001", "999999999999999999"])
    func digits(text: String) throws {
        #expect(try #require(MenuItemID(text)).description == text)
    }

    @Test(
        "A staff id with other characters, leading zeros or too many digits is rejected",
        arguments: [
            "", "-1", "+1", "01", "00", " 1", "1 ", "1.0", "1e3", "0x1", "٣", "１", "9223372036854775808",
            "1000000000000000000", "one",
            "1\u{0}",
        ])
    func invalidDigits(text: String) {
        #expect(MenuItemID(text) == nil)
        #expect(SalesGroupID(text) == nil)
    }

    @Test("A new basket id is a version 7 UUID with the milliseconds and the random bits")
    func makesVersion7() {
        // The example of RFC 9562, appendix A.6.
        let example = BasketID.make(
            now: Instant(microseconds: 1_645_557_742_000_000), random: (0xCC3, 0x18C4_DC0C_0C07_398F))
        #expect(example.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")

        let ones = BasketID.make(now: Instant(microseconds: 0), random: (.max, .max))
        #expect(ones.description == "00000000-0000-7fff-bfff-ffffffffffff")
        let zeros = BasketID.make(now: Instant(microseconds: .min), random: (0, 0))
        #expect(zeros.description == "00000000-0000-7000-8000-000000000000")
    }

    @Test("Each of the 74 random bits changes the id, and a later id sorts after an earlier one")
    func randomBits() {
        var ids: Set<BasketID> = []
        for bit in 0..<64 {
            ids.insert(.make(now: Instant(microseconds: 0), random: (1 << bit, 0)))
            ids.insert(.make(now: Instant(microseconds: 0), random: (0, 1 << bit)))
        }
        // 74 ids with one bit set, and one without.
        #expect(ids.count == 75)
        let early = BasketID.make(now: Instant(microseconds: 1_000), random: (.max, .max))
        #expect(early < BasketID.make(now: Instant(microseconds: 2_000), random: (0, 0)))
    }

    @Test("A basket id is parsed from its text and from a substring")
    func readsBack() {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            let now = Instant(microseconds: Int64.random(in: 0...4_000_000_000_000_000, using: &random))
            let id = BasketID.make(now: now, random: (random.next(), random.next()))
            #expect(BasketID(id.description) == id, "\(random)")
            #expect(BasketID("/\(id)".dropFirst()) == id, "\(random)")
        }
    }

    @Test(
        "A basket id in another spelling is rejected",
        arguments: [
            "", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0",
            "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
            "017f22e279b07cc398c4dc0c0c07398f0000", "{17f22e2-79b0-7cc3-98c4-dc0c0c07398}",
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398g",
            "017f22e2-79b0-7cc3-98c4_dc0c0c07398f", "é7f22e2-79b0-7cc3-98c4-dc0c0c07398f",
            "\u{0}17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        ])
    func otherSpelling(text: String) {
        #expect(BasketID(text) == nil)
    }
}
