// The key word of a coupon. Parsed by CheckoutForm, looked up by Database, compared in Checkout.

/// 1…32 letters, digits, `-` and `_` of ASCII. Case does not matter: it is kept in upper case.
package struct CouponKey: Hashable, Sendable {
    package let text: String

    /// Reads a key, white space around it left out; nil when blank. What can't be a key is no coupon of ours: `coupon_unknown`.
    package static func parse(_ text: String) -> Result<CouponKey?, FieldError> {
        let unknown = FieldError(.coupon, .couponUnknown)
        // 32 characters and some white space; a megabyte is not read.
        guard text.utf8.count <= 128 else { return .failure(unknown) }
        var key: [UInt8] = []
        var isClosed = false
        for scalar in text.unicodeScalars {
            let letter: UInt8
            switch scalar {
            case "A"..."Z", "0"..."9", "-", "_": letter = UInt8(ascii: scalar)
            case "a"..."z": letter = UInt8(ascii: scalar) - 32
            case _ where scalar.isInvisible: continue
            // Last, for Unicode's properties are looked up: a microsecond a checkout, if each letter is asked.
            case _ where scalar.properties.isWhitespace:
                isClosed = !key.isEmpty
                continue
            default: return .failure(unknown)
            }
            if isClosed { return .failure(unknown) }
            key.append(letter)
        }
        guard key.count <= 32 else { return .failure(unknown) }
        return .success(key.isEmpty ? nil : CouponKey(text: String(decoding: key, as: UTF8.self)))
    }
}
