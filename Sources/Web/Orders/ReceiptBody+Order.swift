// Converts an order's receipt to its JSON body. The only computed value is the sum of two stored amounts.
import Ordering
import Wire

extension ReceiptBody {
    /// The receipt, with everything that the guest may see.
    init(_ order: Order, from about: ShopProfile) {
        self.init(
            shop: ReceiptShopBody(
                title: about.name, address: about.address, phone: about.phone, taxNumber: about.taxNumber),
            order: OrderBody(order, hasToken: true), taxes: order.totals.all.compactMap(ReceiptTaxBody.init))
    }
}

extension ReceiptTaxBody {
    /// Nil unless the total line is a tax.
    init?(_ total: TotalLine) {
        guard let code = total.key.code, let rate = total.rate, let net = total.net else { return nil }
        self.init(code: code, title: total.title, rate: rate, gross: net + total.amount, net: net, tax: total.amount)
    }
}
