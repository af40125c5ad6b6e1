// The query for the facts of a checkout, and its composite type checkout_query (sql/006_place_orders.sql).
import FoundationEssentials
import Ordering
import Postgres

/// The query for one draft. The guest is nil without a coupon, with invalid fields, and while the form is being filled.
package struct CheckoutFactsQuery: Sendable {
    let basketID: BasketID
    let coupon: CouponKey?
    let guest: Guest?
    /// The wanted time; nil: as soon as possible.
    let wantedAt: Instant?

    struct Guest: Sendable {
        let phone: String
        let email: String
    }

    package init(_ draft: CheckoutDraft) {
        basketID = draft.basketID
        coupon = draft.form.parsedCouponKey
        wantedAt = draft.form.parsedWantedTime
        if case .success(let details) = draft.validation, coupon != nil {
            guest = Guest(phone: details.phone.e164, email: details.email.comparisonKey)
        } else {
            guest = nil
        }
    }

    package init(basketID: BasketID, form: CheckoutForm) {
        self.init(basketID: basketID, coupon: form.parsedCouponKey, wantedAt: form.parsedWantedTime)
    }

    init(basketID: BasketID, coupon: CouponKey?, wantedAt: Instant? = nil) {
        (self.basketID, self.coupon, guest, self.wantedAt) = (basketID, coupon, nil, wantedAt)
    }
}

/// A query as the statements receive it.
struct CheckoutQueryRecord: PostgresComposite, Equatable {
    static let compositeName = "checkout_query"

    var basketID = UUID.zero
    var wantedAt: Timestamp?
    var couponKey: String?
    var phone: String?
    var email: String?

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("basket_id", &basketID)
        try record.field("wanted_at", &wantedAt)
        try record.field("coupon_key", &couponKey)
        try record.field("phone", &phone)
        try record.field("email", &email)
    }
}

extension CheckoutQueryRecord {
    init(_ query: CheckoutFactsQuery) {
        self.init(
            basketID: query.basketID.uuid, wantedAt: query.wantedAt?.timestamp, couponKey: query.coupon?.text,
            phone: query.guest?.phone, email: query.guest?.email)
    }
}
