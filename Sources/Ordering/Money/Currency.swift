// The currency of an amount: its code and the decimals of its minor unit.
// `Currency` is known and used for amounts; `CurrencyCode` comes from a guest or a basket and is only compared.

/// Three capital letters, not necessarily the code of an existing currency.
package struct CurrencyCode: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As in ISO 4217: USD.
    package let text: String

    /// The code, or nil if it is not three letters of A to Z.
    package init?(_ text: String) {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        self.text = text
    }

    package static func < (left: CurrencyCode, right: CurrencyCode) -> Bool { left.text < right.text }

    package var description: String { text }
}

/// A currency of ISO 4217 in which prices can be.
package struct Currency: Sendable, Hashable {
    /// Such as USD.
    package let code: CurrencyCode
    /// The decimals of the minor unit, 0…4: 2 for USD, whose cent is 0.01; 0 for JPY; 3 for KWD.
    package let exponent: Int

    /// The currency with this code, or nil if it does not exist. XXX, metals and units of account are not accepted.
    package init?(_ code: CurrencyCode) {
        guard let exponent = Currency.exponents[code.text] else { return nil }
        (self.code, self.exponent) = (code, exponent)
    }

    /// The currency with this code; nil for any other text.
    package init?(_ text: String) {
        guard let code = CurrencyCode(text), let currency = Currency(code) else { return nil }
        self = currency
    }

    /// All codes in alphabetical order.
    package static let codes: [String] = exponents.keys.sorted()

    /// ISO 4217, list one ("minor unit"). The codes in use are also in `is_currency_code` of sql/000_rules.sql.
    ///
    /// A withdrawn code stays here, because orders keep the currency in which they were placed.
    private static let exponents: [String: Int] = {
        let codes: [(exponent: Int, codes: String)] = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (
                2,
                """
                AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
                CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL \
                HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP \
                MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD \
                SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS \
                VED VES WST XCD XCG YER ZAR ZMW ZWG
                """
            ),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
            (4, "CLF UYW"),
        ]
        return Dictionary(
            uniqueKeysWithValues: codes.flatMap { list in
                list.codes.split(separator: " ").map { (String($0), list.exponent) }
            })
    }()
}
