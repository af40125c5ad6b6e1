// Which of several areas a postcode lies in. Their fees and minimums at the very edges stand in WebTests/DeliveryTests.swift.
// Tests Sources/Ordering/Delivery.
import Ordering
import Testing

@Suite("Promise 12: a postcode lies in one area")
struct DeliveryAreaTests {
    private static func area(_ id: Int64, _ priority: Int, _ patterns: [String], isActive: Bool = true) throws -> DeliveryArea {
        let postcodes = try patterns.map { try #require(PostcodePattern($0)) }
        return DeliveryArea(id: id, title: "", priority: priority, postcodes: postcodes, isActive: isActive)
    }

    @Test("Of all that match the lowest priority decides, then the lowest id, and never how exact a pattern is or where it stands")
    func overlapping() throws {
        let areas = [
            try Self.area(1, 0, ["10117"], isActive: false), try Self.area(2, 5, ["10117", "20095"]), try Self.area(3, 5, ["101*", "2*"]),
            try Self.area(10, -1, ["10119"]), try Self.area(9, -1, ["1011*"]), try Self.area(4, 6, ["*"]),
        ]
        for order in [areas, areas.reversed(), areas.shuffled()] {
            let areas = DeliveryAreas(order)
            func area(_ postcode: String) throws -> Int64? { areas.area(for: try #require(try Postcode.parse(postcode).get()))?.id }
            #expect(try ["10119", "101-17", "20 095", "20096", "10120", "30000"].map(area) == [9, 9, 2, 3, 3, 4])
            #expect(!areas.isEverywhere)
        }
        let (inactive, postcode) = (DeliveryAreas([areas[0]]), try #require(try Postcode.parse("10117").get()))
        #expect(!inactive.isEverywhere && inactive.area(for: postcode) == nil)
        #expect(DeliveryAreas().isEverywhere)
    }
}
