// The currency of an amount: its code, and how many decimals its minor unit stands for. The shop has one, an order keeps the one it was placed in.
// Menu, PricedBasket, Quote and Order hold a Currency; what a guest sends and what a basket has recorded is a CurrencyCode, which is only compared.

/// Three capital letters, whether or not they are a currency's.
package struct CurrencyCode: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As in ISO 4217: USD.
    package let text: String

    /// The code, or nil if it isn't three letters of A to Z.
    package init?(_ text: String) {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
        self.text = text
    }

    package static func < (left: CurrencyCode, right: CurrencyCode) -> Bool { left.text < right.text }

    package var description: String { text }
}

/// A currency of ISO 4217 that prices can be in.
package struct Currency: Sendable, Hashable {
    /// Such as USD.
    package let code: CurrencyCode
    /// How many decimals the minor unit stands for, 0…4: 2 for USD, whose cent is 0.01; 0 for JPY; 3 for KWD.
    package let exponent: Int

    /// The currency of this code, or nil if there is none: XXX, metals and units of account are no money that a shop takes.
    package init?(_ code: CurrencyCode) {
        guard let exponent = Currency.exponents[code.text] else { return nil }
        (self.code, self.exponent) = (code, exponent)
    }

    /// The same, of three letters that may be anything.
    package init?(_ text: String) {
        guard let code = CurrencyCode(text), let currency = Currency(code) else { return nil }
        self = currency
    }

    /// All codes, by the alphabet.
    package static let codes: [String] = exponents.keys.sorted()

    /// ISO 4217, list one ("minor unit"); those that are in use are the list that the shop's row is checked by, `is_currency_code` in sql/000_rules.sql.
    ///
    /// A code that is withdrawn stays here, because orders keep the currency they were placed in.
    private static let exponents: [String: Int] = {
        let codes: [(exponent: Int, codes: String)] = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (
                2,
                """
                AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP \
                CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR \
                KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK \
                PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD \
                UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
                """
            ),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
            (4, "CLF UYW"),
        ]
        return Dictionary(
            uniqueKeysWithValues: codes.flatMap { list in list.codes.split(separator: " ").map { (String($0), list.exponent) } })
    }()
}
