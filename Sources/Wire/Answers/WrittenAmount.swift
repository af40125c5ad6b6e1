// An amount as people write it. Used by storefronts; a server never writes one.

extension Int64 {
    /// These minor units of a currency as a decimal number: 2899 with the exponent 2 is "28.99", with 0 "2899" and with 3 "2.899".
    ///
    /// Digits are moved and nothing is rounded. Where there is a language to write it in, give the same two numbers to its formatter.
    /// - Parameter exponent: the `currencyExponent` that stands beside the amount; no currency has more than 4, and more than 19 are taken as 19.
    public func decimal(exponent: Int) -> String {
        guard exponent > 0 else { return String(self) }
        let exponent = Swift.min(exponent, 19)
        let digits = String(magnitude)
        let padded = String(repeating: "0", count: Swift.max(0, exponent + 1 - digits.utf8.count)) + digits
        return (self < 0 ? "-" : "") + padded.dropLast(exponent) + "." + padded.suffix(exponent)
    }
}
