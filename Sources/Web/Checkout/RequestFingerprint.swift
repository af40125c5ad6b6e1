// Decides whether two requests with the same idempotency key are equal. It digests field values, not bytes: clients
// may reorder members or send null for a missing field.
import Digests
import Wire

/// The fingerprint of a checkout's fields.
enum RequestFingerprint {
    /// The fields without a mark: each contributes even if it is missing. The expected total follows them.
    private static let unmarked: [CheckoutField] = [.name, .phone, .email, .address, .comment, .coupon, .birthday]

    /// The other fields in the order of their addition to the API. Each contributes only if it is sent, after its name
    /// as a mark, so fingerprints of orders from older versions still match. New fields come last.
    private static let marked: [CheckoutField] = {
        let earlier: [CheckoutField] = [
            .currency, .tip, .ageConfirmed, .expectedTotals, .fulfilment, .wantedAt, .postcode, .payment,
        ]
        let later = CheckoutField.allCases.filter { field in
            // Only requests for the same basket are compared.
            field != .basketId && field != .expectedTotal && !unmarked.contains(field) && !earlier.contains(field)
        }
        return earlier + later
    }()

    /// The first 16 bytes of SHA-256 (FIPS 180-4) over all fields. Fields are length-prefixed, and a missing field
    /// differs from an empty one. Only requests with the same key and basket are compared, so a collision benefits no
    /// attacker.
    static func of(_ form: CheckoutBody) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for field in unmarked {
            let value = form.value(of: field)
            bytes.append(value == nil ? 0 : 1)
            if let value { append(value, to: &bytes) }
        }
        if let total = form.expectedTotal { append(UInt64(bitPattern: total), to: &bytes) }
        for field in marked {
            guard let value = form.value(of: field) else { continue }
            bytes.append(contentsOf: field.rawValue.utf8)
            append(value, to: &bytes)
        }
        return Array(SHA256Digest(of: bytes).bytes.prefix(16))
    }

    private static func append(_ value: CheckoutValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(var text):
            text.withUTF8 { utf8 in
                append(UInt64(utf8.count), to: &bytes)
                bytes.append(contentsOf: utf8)
            }
        case .integer(let number): append(UInt64(bitPattern: number), to: &bytes)
        case .boolean(let flag): bytes.append(flag ? 1 : 0)
        // Re-serialised by this server, so that the encoding is canonical.
        case .payment, .totals:
            let json = value.json
            append(UInt64(json.count), to: &bytes)
            bytes.append(contentsOf: json)
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
