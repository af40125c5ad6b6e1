// A receipt on the wire: what was paid, to whom, and the taxes in it, as the tax office wants it. Made by Web from what is stored, read by
// StorefrontClient. Read next: OrderBody.swift.

/// `GET /v1/orders/{orderId}/receipt`.
public struct ReceiptBody: Hashable, Sendable, Decodable, JSONObject {
    /// Who it was bought from, as it is now.
    public let shop: ReceiptShopBody
    /// What was bought, as its guest sees it.
    public let order: OrderBody
    /// One for each rate; empty where nothing was taxed.
    public let taxes: [ReceiptTaxBody]

    package init(shop: ReceiptShopBody, order: OrderBody, taxes: [ReceiptTaxBody]) {
        (self.shop, self.order, self.taxes) = (shop, order, taxes)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("shop", shop)
        writer.field("order", order)
        writer.field("taxes", taxes)
    }
}

/// The shop as it stands on a receipt: plain text, null where staff have written nothing.
public struct ReceiptShopBody: Hashable, Sendable, Decodable, JSONObject {
    /// Its name.
    public let title: String
    /// Where it is, in one line.
    public let address: String?
    /// As guests dial it.
    public let phone: String?
    /// What the tax office knows it by.
    public let taxNumber: String?

    package init(title: String, address: String?, phone: String?, taxNumber: String?) {
        (self.title, self.address, self.phone, self.taxNumber) = (title, address, phone, taxNumber)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("title", title)
        writer.field("address", address)
        writer.field("phone", phone)
        writer.field("taxNumber", taxNumber)
    }
}

/// What of the total is taxed by one rate; minor units.
public struct ReceiptTaxBody: Hashable, Sendable, Decodable, JSONObject {
    /// Staff's number of the rate, as at the total.
    public let code: String
    /// Up to 100 characters without markup, as it was called when it was ordered.
    public let title: String
    /// In percent, such as `8.875`.
    public let rate: String
    /// With the tax: `net` and `tax` together.
    public let gross: Int64
    /// Without it.
    public let net: Int64
    /// The tax, as it stands in the order's totals.
    public let tax: Int64

    package init(code: String, title: String, rate: String, gross: Int64, net: Int64, tax: Int64) {
        (self.code, self.title, self.rate, self.gross, self.net, self.tax) = (code, title, rate, gross, net, tax)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("code", code)
        writer.field("title", title)
        writer.field("rate", rate)
        writer.field("gross", gross)
        writer.field("net", net)
        writer.field("tax", tax)
    }
}
