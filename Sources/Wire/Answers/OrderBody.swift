// An order on the wire, the answer of a checkout: the hot one, about 1 µs to write. Made by Web, read by StorefrontClient.
// Read next: QuoteBody.swift, which shows the same lines before the order is placed.

/// An order. Only the holder of its access token sees the guest's details, the coupon, the notes, the reasons of staff
/// and the actions.
public struct OrderBody: Hashable, Sendable, Decodable, JSONObject {
    /// The id of the basket it was made of.
    public let id: String
    /// Eight digits, for people.
    public let number: String
    /// `placed`, `accepted`, `preparing`, `on_the_way`, `delivered`, `cancelled` or `rejected`.
    public let state: String
    /// The same as `id`.
    public let basketId: String
    /// The single items as they were charged.
    public let lines: [OrderLineBody]
    /// The sets as they were charged.
    public let sales: [OrderSaleBody]
    /// The coupon's key; left out, like the guest's details, without the access token.
    public let coupon: String?
    /// Before the coupon, minor units.
    public let subtotal: Int64
    /// What the coupon took off; the lines' shares add up to it.
    public let discount: Int64
    /// What is paid.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// 15…60 in fives, up to 240 where staff say so; null with `wantedAt`.
    public let etaMinutes: Int?
    /// RFC 3339, UTC.
    public let placedAt: String
    /// The reason that staff gave for the rejection; with the access token only.
    public let rejectionReason: String?
    /// With the access token only.
    public let customer: CustomerBody?
    /// The actions that are possible next, e.g. `cancel`; empty without the access token.
    public let actions: [String]
    /// In the checkout's answer only.
    public let accessToken: String?
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// What it comes to, line by line.
    public let totals: [TotalBody]
    /// How old whoever takes it has to be, for the courier to check; null where anybody may.
    public let minimumAge: Int?
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// The time it is wanted for, RFC 3339, UTC; null: as soon as possible.
    public let wantedAt: String?
    /// When it is to be there: as staff said last, or the time it is wanted for, or `etaMinutes` after it was placed; RFC 3339, UTC.
    public let readyAt: String
    /// Why it takes longer than was promised, as staff wrote it; left out unless they delayed it; with the access token
    /// only.
    public let delayReason: String?
    /// The number of the day, which the kitchen calls it by: 1, 2, 3 … of its business day. Left out of a pre-order
    /// until it is due; of other orders for two seconds at most. With the access token only.
    public let dayNumber: Int?
    /// How it is paid; with the access token only.
    public let payment: PaymentBody?
    /// `staff` or `deadline`: who rejected it; left out unless it is rejected; with the access token only.
    public let rejectedBy: String?

    package init(
        id: String, number: String, state: String, basketId: String, lines: [OrderLineBody], sales: [OrderSaleBody], coupon: String? = nil,
        subtotal: Int64, discount: Int64, total: Int64, currency: String, etaMinutes: Int?, placedAt: String,
        rejectionReason: String? = nil,
        customer: CustomerBody? = nil, actions: [String], accessToken: String? = nil, currencyExponent: Int, totals: [TotalBody],
        minimumAge: Int? = nil, fulfilment: String, wantedAt: String? = nil, readyAt: String,
        delayReason: String? = nil, dayNumber: Int? = nil, payment: PaymentBody? = nil,
        rejectedBy: String? = nil
    ) {
        (self.id, self.number, self.state, self.basketId) = (id, number, state, basketId)
        (self.lines, self.sales, self.coupon, self.subtotal) = (lines, sales, coupon, subtotal)
        (self.discount, self.total, self.currency, self.etaMinutes) = (discount, total, currency, etaMinutes)
        (self.placedAt, self.rejectionReason, self.customer, self.actions) = (placedAt, rejectionReason, customer, actions)
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
        if customer != nil { writer.field("coupon", coupon) }
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
public struct OrderSaleBody: Hashable, Sendable, Decodable, JSONObject {
    /// The sale's number.
    public let salesGroupId: Int64
    /// Up to 100 characters without markup, as it was called when it was ordered.
    public let title: String
    /// Its items.
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

/// The guest's details as they are stored, tidied.
public struct CustomerBody: Hashable, Sendable, Decodable, JSONObject {
    /// As it is written on the bill.
    public let name: String
    /// E.164.
    public let phone: String
    /// As it was typed, without spaces around it.
    public let email: String
    /// Where to deliver; null where it is picked up.
    public let address: String?
    /// For the kitchen or the courier.
    public let comment: String?
    /// As it is written on the bill; null where it was not told, and where it is picked up.
    public let postcode: String?

    package init(name: String, phone: String, email: String, address: String?, comment: String? = nil, postcode: String? = nil) {
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
