// The delivery area of a postcode. WebTests/DeliveryTests.swift covers fees and minimums at their boundaries.
import Ordering
import Testing

@Suite("Delivery areas")
struct DeliveryAreaTests {
    private static func area(_ id: Int64, _ priority: Int, _ patterns: [String], isActive: Bool = true) throws
        -> DeliveryArea
    {
        let postcodes = try patterns.map { try #require(PostcodePattern($0)) }
        return DeliveryArea(id: id, title: "", priority: priority, postcodes: postcodes, isActive: isActive)
    }

    @Test("Of several matching areas, the lowest priority value wins, then the lowest id, in any list order")
    func priorities() throws {
        let areas = [
            try Self.area(1, 0, ["10117"], isActive: false), try Self.area(2, 5, ["10117", "20095"]),
            try Self.area(3, 5, ["101*", "2*"]),
            try Self.area(10, -1, ["10119"]), try Self.area(9, -1, ["1011*"]), try Self.area(4, 6, ["*"]),
        ]
        for order in [areas, areas.reversed(), areas.shuffled()] {
            let areas = DeliveryAreas(order)
            func area(_ postcode: String) throws -> Int64? {
                areas.area(for: try #require(try Postcode.parse(postcode).get()))?.id
            }
            #expect(try ["10119", "101-17", "20 095", "20096", "10120", "30000"].map(area) == [9, 9, 2, 3, 3, 4])
            #expect(!areas.deliversEverywhere)
        }
        let (inactive, postcode) = (DeliveryAreas([areas[0]]), try #require(try Postcode.parse("10117").get()))
        #expect(!inactive.deliversEverywhere && inactive.area(for: postcode) == nil)
        #expect(DeliveryAreas().deliversEverywhere)
    }

    @Test("A postcode has 1 to 12 letters and digits, with spaces and hyphens anywhere, and other texts are rejected")
    func postcodes() throws {
        let areas = DeliveryAreas([
            try Self.area(1, 0, ["9"]), try Self.area(2, 0, ["a1b2-c3d4 e5f6"]), try Self.area(3, 0, ["EC*"]),
        ])
        for (postcode, area) in [
            ("9", 1), (" 9 ", 1), ("-9-", 1), ("A1B2C3D4E5F6", 2), ("a1 b2-c3 d4-e5 f6", 2), ("ec1a\u{A0}1bb", 3),
            ("e-c", 3),
            ("\u{200B}EC\u{AD}1\n", 3),
        ] as [(String, Int64)] {
            #expect(
                areas.area(for: try #require(try Postcode.parse(postcode).get(), "\(postcode)"))?.id == area,
                "\(postcode)")
        }
        for invalid in [
            "1234567890123", "-", "- -", "10*", "10117!", "\u{DF}1", "\u{131}0", "\u{E9}1",
            String(repeating: "1 ", count: 33),
        ] {
            #expect(throws: FieldError(.postcode, .invalidPostcode)) { try Postcode.parse(invalid).get() }
        }
        #expect(
            PostcodePattern("1234567890123") == nil && PostcodePattern("123456789012*") != nil
                && PostcodePattern("") == nil)
    }

    @Test("The fee is that of the highest tier reached, else of the lowest tier, and zero without tiers")
    func tiers() {
        func area(_ tiers: [(Int64, Int64)]) -> DeliveryArea {
            let fees = tiers.map { DeliveryFee(from: CheckoutFixture.money($0.0), fee: CheckoutFixture.money($0.1)) }
            return DeliveryArea(id: 1, title: "", postcodes: [], fees: fees)
        }
        let tiered = area([(2000, 0), (1000, 290), (1500, 490)])
        let subtotals: [Int64] = [0, 999, 1000, 1499, 1500, 1999, 2000]
        #expect(
            subtotals.map { tiered.fee(for: CheckoutFixture.money($0)).minorUnits } == [
                290, 290, 290, 290, 490, 490, 0,
            ])
        #expect(area([]).fee(for: CheckoutFixture.money(5)) == .zero)
    }
}
