// Decides whether two requests with the same idempotency key are equal. It digests field values, not bytes: clients
// may reorder members or send null for a missing field.
import Digests
import Wire

/// The fingerprint of a checkout's fields.
enum RequestFingerprint {
    /// The first 16 bytes of SHA-256 (FIPS 180-4) over all fields. Fields are length-prefixed, and a missing field
    /// differs from an empty one. Only requests with the same key and basket are compared, so a collision benefits no
    /// attacker.
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
        // Fields that were added later contribute only if they are sent, each with its own marker. Fingerprints of
        // orders from older versions therefore still match.
        append("currency", form.currency, to: &bytes)
        if let tip = form.tip {
            bytes.append(contentsOf: "tip".utf8)
            append(UInt64(bitPattern: tip), to: &bytes)
        }
        if let ageConfirmed = form.ageConfirmed {
            bytes.append(contentsOf: "ageConfirmed".utf8)
            bytes.append(ageConfirmed ? 1 : 0)
        }
        // Re-serialised by this server, so that the encoding is canonical.
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
