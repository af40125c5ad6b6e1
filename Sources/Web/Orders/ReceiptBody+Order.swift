// An order's receipt as it goes over the wire: nothing in it is computed but a sum of two stored amounts.
// Read next: OrderRoutes.swift, Sources/Ordering/Totals/Taxation.swift.
import Ordering
import Wire

extension ReceiptBody {
    /// What the guest paid, with all that the guest may know.
    init(_ order: Order, from about: ShopAbout) {
        self.init(
            shop: ReceiptShopBody(title: about.name, address: about.address, phone: about.phone, taxNumber: about.taxNumber),
            order: OrderBody(order, hasToken: true), taxes: order.totals.all.compactMap(ReceiptTaxBody.init))
    }
}

extension ReceiptTaxBody {
    /// Nil for what is no tax.
    init?(_ total: Total) {
        guard let code = total.key.code, let rate = total.rate, let net = total.net else { return nil }
        self.init(code: code, title: total.title, rate: rate, gross: net + total.amount, net: net, tax: total.amount)
    }
}
