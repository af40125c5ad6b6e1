// The README's example of the Swift client.
import Foundation
import Subprocess
import Support
import Testing

@Suite("Client example", .timeLimit(.minutes(2)))
struct ExampleTests {
    @Test("The README contains the example's source, and the example places an order on a running server")
    func placesAnOrder() async throws {
        let source = try Repository.text(of: "Sources/storefront-example/PlaceAnOrder.swift")
        #expect(try Repository.text(of: "README.md").contains("```swift\n\(source)```\n"))
        #expect(source.split(separator: "\n").count <= 35)
        try await TestShop.run { shop in
            let result = try await Subprocess.run(
                .path(.init(Program.path(of: "storefront-example"))), arguments: [shop.server.url("")],
                output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
            let placed = try await shop.database.psql("select number, total from orders").split(separator: "|")
            #expect(placed.count == 2 && placed.last == "4307")
            #expect(
                result.standardOutput.contains("Order \(placed.first ?? "?"): 43.07 USD, ready at 20"),
                "\(result.standardOutput)")
        }
    }
}
