// An order, the response of a checkout. Every checkout writes one, which takes about 1 µs.

/// An order. The guest's details, the coupon, the notes, the reasons of staff and the actions need the access token.
public struct OrderBody: Hashable, Sendable, Decodable, JSONObject {
    /// The order's id, equal to the id of its basket.
    public let id: String
    /// The eight digits by which people name the order.
    public let number: String
    /// The state, such as `placed` or `on_the_way`: `OrderState` of the API's description.
    public let state: String
    /// The same as `id`.
    public let basketId: String
    /// The dishes outside of sets, as they were charged.
    public let lines: [OrderLineBody]
    /// The sets as they were charged.
    public let sales: [OrderSetBody]
    /// The coupon's key; left out without the access token.
    public let coupon: String?
    /// Before the coupon, minor units.
    public let subtotal: Int64
    /// The coupon's discount, the sum of the lines' shares.
    public let discount: Int64
    /// The amount that the guest pays.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// 15…60 in steps of five, up to 240 if staff set it; null with `wantedAt`.
    public let etaMinutes: Int?
    /// RFC 3339, UTC.
    public let placedAt: String
    /// The reason that staff gave for the rejection; only with the access token.
    public let rejectionReason: String?
    /// The guest's details; only with the access token. Left out once the shop has deleted them.
    public let customer: CustomerBody?
    /// The actions that are possible next, e.g. `cancel`; empty without the access token.
    public let actions: [String]
    /// The order token; only in the response of the checkout.
    public let accessToken: String?
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The total lines.
    public let totals: [TotalBody]
    /// The minimum age of the recipient, which the courier checks; null: none.
    public let minimumAge: Int?
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// The wanted time, RFC 3339, UTC; null: as soon as possible.
    public let wantedAt: String?
    /// The estimate: the latest one of staff, else `wantedAt`, else `placedAt` plus `etaMinutes`; RFC 3339, UTC.
    public let readyAt: String
    /// The reason that staff gave for a delay; left out unless there is one; only with the access token.
    public let delayReason: String?
    /// The order number in its business day: 1, 2, 3 …; only with the access token. A pre-order has none until it
    /// is due, and another order has none for two seconds at most.
    public let dayNumber: Int?
    /// The payment; only with the access token.
    public let payment: PaymentBody?
    /// `staff` or `deadline`; left out unless the order is rejected; only with the access token.
    public let rejectedBy: String?

    package init(
        id: String, number: String, state: String, basketId: String, lines: [OrderLineBody], sales: [OrderSetBody],
        coupon: String? = nil,
        subtotal: Int64, discount: Int64, total: Int64, currency: String, etaMinutes: Int?, placedAt: String,
        rejectionReason: String? = nil,
        customer: CustomerBody? = nil, actions: [String], accessToken: String? = nil, currencyExponent: Int,
        totals: [TotalBody],
        minimumAge: Int? = nil, fulfilment: String, wantedAt: String? = nil, readyAt: String,
        delayReason: String? = nil, dayNumber: Int? = nil, payment: PaymentBody? = nil,
        rejectedBy: String? = nil
    ) {
        (self.id, self.number, self.state, self.basketId) = (id, number, state, basketId)
        (self.lines, self.sales, self.coupon, self.subtotal) = (lines, sales, coupon, subtotal)
        (self.discount, self.total, self.currency, self.etaMinutes) = (discount, total, currency, etaMinutes)
        (self.placedAt, self.rejectionReason, self.customer, self.actions) = (
            placedAt, rejectionReason, customer, actions
        )
        (self.accessToken, self.currencyExponent, self.totals) = (accessToken, currencyExponent, totals)
        (self.minimumAge, self.fulfilment, self.wantedAt, self.readyAt) = (minimumAge, fulfilment, wantedAt, readyAt)
        (self.delayReason, self.dayNumber, self.payment) = (delayReason, dayNumber, payment)
        self.rejectedBy = rejectedBy
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("number", number)
        writer.field("state", state)
        writer.field("basketId", basketId)
        writer.field("lines", lines)
        writer.field("sales", sales)
        // An order whose personal data has been replaced has no customer, but its payment.
        if customer != nil || payment != nil { writer.field("coupon", coupon) }
        writer.field("subtotal", subtotal)
        writer.field("discount", discount)
        writer.field("total", total)
        writer.field("currency", currency)
        writer.field("etaMinutes", etaMinutes)
        writer.field("placedAt", placedAt)
        writer.fieldIfPresent("rejectionReason", rejectionReason)
        writer.fieldIfPresent("customer", customer)
        writer.field("actions", actions)
        writer.fieldIfPresent("accessToken", accessToken)
        writer.field("currencyExponent", currencyExponent)
        writer.field("totals", totals)
        writer.field("minimumAge", minimumAge)
        writer.field("fulfilment", fulfilment)
        writer.field("wantedAt", wantedAt)
        writer.field("readyAt", readyAt)
        writer.fieldIfPresent("delayReason", delayReason)
        writer.fieldIfPresent("dayNumber", dayNumber)
        writer.fieldIfPresent("payment", payment)
        writer.fieldIfPresent("rejectedBy", rejectedBy)
    }
}

/// A set of an order or quote.
public struct OrderSetBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the sales group.
    public let salesGroupId: Int64
    /// The title at the time of the order, up to 100 characters without markup.
    public let title: String
    /// The items of the set.
    public let items: [OrderLineBody]
    /// Minor units.
    public let total: Int64

    package init(salesGroupId: Int64, title: String, items: [OrderLineBody], total: Int64) {
        (self.salesGroupId, self.title, self.items, self.total) = (salesGroupId, title, items, total)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("salesGroupId", salesGroupId)
        writer.field("title", title)
        writer.field("items", items)
        writer.field("total", total)
    }
}

/// The guest's details, normalised.
public struct CustomerBody: Hashable, Sendable, Decodable, JSONObject {
    /// The name for the bill.
    public let name: String
    /// E.164.
    public let phone: String
    /// The email address as the guest typed it, without surrounding spaces.
    public let email: String
    /// The delivery address; null for a pickup.
    public let address: String?
    /// A comment for the kitchen or the courier.
    public let comment: String?
    /// The normalised postcode; null if the guest gave none, and for a pickup.
    public let postcode: String?

    package init(
        name: String, phone: String, email: String, address: String?, comment: String? = nil, postcode: String? = nil
    ) {
        (self.name, self.phone, self.email, self.address) = (name, phone, email, address)
        (self.comment, self.postcode) = (comment, postcode)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("name", name)
        writer.field("phone", phone)
        writer.field("email", email)
        writer.field("address", address)
        writer.field("comment", comment)
        writer.field("postcode", postcode)
    }
}
