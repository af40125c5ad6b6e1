// Formats an amount for display. Only storefronts use it; the server sends minor units.

extension Int64 {
    /// Returns these minor units as a decimal number: 2899 is "2899", "28.99" and "2.899" with the exponents 0, 2 and
    /// 3.
    ///
    /// Nothing is rounded. For a localised text, pass the amount and the exponent to a currency formatter instead.
    /// - Parameter exponent: The `currencyExponent` beside the amount. No currency has more than 4; the maximum is 19.
    public func decimal(exponent: Int) -> String {
        guard exponent > 0 else { return String(self) }
        let exponent = Swift.min(exponent, 19)
        let digits = String(magnitude)
        let padded = String(repeating: "0", count: Swift.max(0, exponent + 1 - digits.utf8.count)) + digits
        return (self < 0 ? "-" : "") + padded.dropLast(exponent) + "." + padded.suffix(exponent)
    }
}
