// What "the same key and equal fields" is decided by: a digest of the fields' values and not of the bytes, so that a client may write its keys in
// another order, or null for a missing field, and still repeats its request. Made by CheckoutRoutes, kept with the order.
import Digests
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
        append("currency", form.currency, to: &bytes)
        if let tip = form.tip {
            bytes.append(contentsOf: "tip".utf8)
            append(UInt64(bitPattern: tip), to: &bytes)
        }
        if let ageConfirmed = form.ageConfirmed {
            bytes.append(contentsOf: "ageConfirmed".utf8)
            bytes.append(ageConfirmed ? 1 : 0)
        }
        // As we write it ourselves, in one way.
        append("expectedTotals", form.expectedTotals?.json, to: &bytes)
        append("fulfilment", form.fulfilment, to: &bytes)
        append("wantedAt", form.wantedAt, to: &bytes)
        append("postcode", form.postcode, to: &bytes)
        append("payment", form.payment?.json, to: &bytes)
        return Array(SHA256Digest(of: bytes).bytes.prefix(16))
    }

    private static func append(_ mark: String, _ text: String?, to bytes: inout [UInt8]) {
        append(mark, text.map { Array($0.utf8) }, to: &bytes)
    }

    private static func append(_ mark: String, _ value: [UInt8]?, to bytes: inout [UInt8]) {
        guard let value else { return }
        bytes.append(contentsOf: mark.utf8)
        append(UInt64(value.count), to: &bytes)
        bytes.append(contentsOf: value)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
