// A receipt: the order, the seller and the taxes, as tax offices require them.

/// `GET /v1/orders/{orderId}/receipt`.
public struct ReceiptBody: Hashable, Sendable, Decodable, JSONObject {
    /// The seller, with its current details.
    public let shop: ReceiptShopBody
    /// The order as its guest sees it.
    public let order: OrderBody
    /// One entry for each tax rate; empty if nothing was taxed.
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

/// The shop on a receipt: plain text, null if staff entered nothing.
public struct ReceiptShopBody: Hashable, Sendable, Decodable, JSONObject {
    /// The name of the shop.
    public let title: String
    /// The address in one line.
    public let address: String?
    /// The phone number as guests dial it.
    public let phone: String?
    /// The tax number.
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

/// The part of the total that is taxed at one rate, minor units.
public struct ReceiptTaxBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the rate, equal to the `code` of its total line.
    public let code: String
    /// The title at the time of the order, up to 100 characters without markup.
    public let title: String
    /// The rate in percent, such as `8.875`.
    public let rate: String
    /// The amount with tax: `net` plus `tax`.
    public let gross: Int64
    /// The amount without tax.
    public let net: Int64
    /// The tax, equal to the amount of its total line.
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
