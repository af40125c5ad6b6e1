// The wanted times that guests can choose. The checkout validates a wanted time with the same SlotSchedule (Ordering).
import Database
import Ordering

/// The wanted times that guests can choose.
package struct ShopTimes: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let baskets: BasketQueue
    let kitchen: KitchenLoad

    /// The times of a day, today by default, for a basket if one is given; nil if that basket does not exist.
    package func offered(
        _ fulfilment: Fulfilment, to postcode: Postcode? = nil, on day: LocalDate? = nil, basketID: BasketID? = nil
    ) async throws(ShopFault) -> OfferedTimes? {
        var basket: Basket?
        if let basketID {
            guard let found = try await baskets.load(basketID) else { return nil }
            basket = found.basket
        }
        return try await ShopFault.wrapping { () throws(DatabaseFault) in
            let current = try await self.menu.menu(atLeast: 0)
            let menu = current.withoutStock
            var taken = SlotOccupancy.none
            if let slots = menu.slotQuery(fulfilment, on: day) { taken = try await database.loadSlotsTaken(slots) }
            let question =
                basket.map { menu.stockQuery(for: $0, fulfilment, on: day, counted: current.menu.stock) }
                ?? StockQuery()
            let stock = try await database.loadStock(question)
            return menu.offeredTimes(
                fulfilment, to: postcode, on: day, basket: basket, occupancy: taken, stock: stock,
                openOrders: kitchen.openOrders)
        }
    }
}
