// The code word by which a guest names a coupon.

/// 1…32 ASCII letters, digits, `-` and `_`, stored in upper case because case does not matter.
package struct CouponKey: Hashable, Sendable {
    package let text: String

    /// Parses a key without surrounding white space; nil if blank. A malformed key is `coupon_unknown`.
    package static func parse(_ text: String) -> Result<CouponKey?, FieldError> {
        let unknown = FieldError(.coupon, .couponUnknown)
        // 32 characters and some white space; larger texts are not scanned.
        guard text.utf8.count <= 128 else { return .failure(unknown) }
        var key: [UInt8] = []
        var hasEnded = false
        for scalar in text.unicodeScalars {
            let letter: UInt8
            switch scalar {
            case "A"..."Z", "0"..."9", "-", "_": letter = UInt8(ascii: scalar)
            case "a"..."z": letter = UInt8(ascii: scalar) - 32
            case _ where scalar.isInvisible: continue
            // After the ASCII cases, because looking up Unicode properties of every letter costs 1 µs per checkout.
            case _ where scalar.properties.isWhitespace:
                hasEnded = !key.isEmpty
                continue
            default: return .failure(unknown)
            }
            if hasEnded { return .failure(unknown) }
            key.append(letter)
        }
        guard key.count <= 32 else { return .failure(unknown) }
        return .success(key.isEmpty ? nil : CouponKey(text: String(decoding: key, as: UTF8.self)))
    }
}
