// An order with StorefrontClient, from the menu to the total: `swift run storefront-example http://127.0.0.1:8080`.
import StorefrontClient
import Wire

@main
struct PlaceAnOrder {
    static func main() async throws {
        try await StorefrontClient.with(CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080") { shop in
            let burgers = try await shop.menu(MenuQuery(category: 200, order: .price, limit: 3))
            for item in burgers.body.items {
                print("\(item.title): \(item.currentPrice.decimal(exponent: item.currencyExponent)) \(item.currency)")
            }

            var basket = try await shop.createBasket()
            basket = try await shop.addItem(2001, quantity: 2, to: basket.id)
            basket = try await shop.addSet(200, to: basket.id)

            var form = CheckoutBody(basketId: basket.id)
            form.name = "ann lee"
            form.phone = "(555) 212-3456"
            form.email = "ann@example.com"
            form.address = "12 main street, springfield"
            let quote = try await shop.validateCheckout(form).quote
            (form.expectedTotal, form.currency) = (quote?.total, quote?.currency)

            // Store the attempt until there is a response. Sent again, it returns the same order.
            let attempt = CheckoutAttempt(form)
            do throws(StorefrontError) {
                let order = try await shop.checkout(attempt)
                let total = order.total.decimal(exponent: order.currencyExponent)
                print("Order \(order.number): \(total) \(order.currency), ready at \(order.readyAt)")
            } catch .problem(let problem) {
                print(problem.detail)
                for error in problem.errors { print("\(error.field): \(error.message)") }
            }
        }
    }
}
