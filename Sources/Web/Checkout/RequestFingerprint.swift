// What "the same key and equal fields" is decided by: a digest of the fields' values and not of the bytes, so that a client may write its keys in
// another order, or null for a missing field, and still repeats its request. Made by CheckoutRoutes, kept with the order.
import Crypto
import Wire

/// The fingerprint of a checkout's fields.
enum RequestFingerprint {
    /// The first 16 bytes of SHA-256 (FIPS 180-4) over all fields, each told from its neighbours by its length, and a missing one from
    /// an empty one. Only requests with one key for one basket are ever compared, and there nobody gains from a collision.
    static func of(_ form: CheckoutBody) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for field in [form.name, form.phone, form.email, form.address, form.comment, form.coupon, form.birthday] {
            guard let field else {
                bytes.append(0)
                continue
            }
            bytes.append(1)
            append(UInt64(field.utf8.count), to: &bytes)
            bytes.append(contentsOf: field.utf8)
        }
        if let total = form.expectedTotal { append(UInt64(bitPattern: total), to: &bytes) }
        // What was added to the form later is part of it only where it is sent, each with a mark of its own: an order that was placed before
        // is found again by the request that placed it.
        if let currency = form.currency {
            bytes.append(contentsOf: "currency".utf8)
            append(UInt64(currency.utf8.count), to: &bytes)
            bytes.append(contentsOf: currency.utf8)
        }
        if let tip = form.tip {
            bytes.append(contentsOf: "tip".utf8)
            append(UInt64(bitPattern: tip), to: &bytes)
        }
        if let ageConfirmed = form.ageConfirmed {
            bytes.append(contentsOf: "ageConfirmed".utf8)
            bytes.append(ageConfirmed ? 1 : 0)
        }
        if let totals = form.expectedTotals {
            // As we write it ourselves, in one way.
            let list = totals.json
            bytes.append(contentsOf: "expectedTotals".utf8)
            append(UInt64(list.count), to: &bytes)
            bytes.append(contentsOf: list)
        }
        return Array(SHA256.hash(data: bytes).prefix(16))
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
