// Converts the fields of the checkout between the domain and JSON: the request to the form, and the recipient of a
// stored order to its response.
import Ordering
import Wire

extension CheckoutForm {
    /// The fields as they were sent.
    init(_ body: CheckoutBody) {
        self.init(
            name: body.name, phone: body.phone, email: body.email, address: body.address, comment: body.comment,
            coupon: body.coupon,
            birthday: body.birthday, fulfilment: body.fulfilment, wantedAt: body.wantedAt, postcode: body.postcode,
            tip: body.tip,
            payment: body.payment.map { RawPayment(method: $0.method) }, ageConfirmed: body.ageConfirmed,
            expectedTotal: body.expectedTotal, currency: body.currency,
            expectedTotals: body.expectedTotals?.map { RawTotal(kind: $0.kind, code: $0.code, amount: $0.amount) })
    }
}

extension CustomerBody {
    /// The recipient of a stored order.
    init(_ customer: Customer, postcode: String?) {
        self.init(
            name: customer.name, phone: customer.phone, email: customer.email, address: customer.address,
            comment: customer.comment, postcode: postcode)
    }
}
