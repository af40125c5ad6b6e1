// The live form: the checkout's facts but for the guest's past, judged while the guest types. Called by Web.
import Ordering
import Postgres

extension ShopDatabase {
    /// The judgement of a form for a basket; nil where there is no such basket.
    package func judge(_ form: CheckoutForm, basketID: BasketID, menu: CurrentMenu) async throws(PostgresError) -> LiveForm? {
        guard let stored = try await loadCheckoutFacts([FactsQuestion(basketID: basketID, form: form)]).first?.get(), stored.basket != nil
        else { return nil }
        let menu = try await menu.menu(atLeast: stored.menuRevision)
        return Checkout.validate(form, stored.facts(menu: menu))
    }
}
