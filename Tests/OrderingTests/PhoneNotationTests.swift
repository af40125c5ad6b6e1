// Phone number notations of 42 countries. Each must give one E.164 number, because guests are recognised by it.
// The numbers are reserved for fiction by regulators, or belong to public institutions.
import Testing

@testable import Ordering

@Suite("Phone number notations of the world")
struct PhoneNotationTests {
    /// A number in national notation, its E.164 form, and the trunk prefix that people add in parentheses.
    struct Example: Sendable, CustomTestStringConvertible {
        let country: String
        let national: String
        let e164: String
        var trunk = "0"
        var testDescription: String { "\(country) \(national)" }
    }

    static let examples = [
        Example(country: "US", national: "(212) 555-0143", e164: "+12125550143", trunk: "1"),
        Example(country: "CA", national: "(613) 555-0199", e164: "+16135550199", trunk: "1"),
        Example(country: "GB", national: "020 7946 0958", e164: "+442079460958"),
        Example(country: "IE", national: "020 910 1234", e164: "+353209101234"),
        Example(country: "DE", national: "030 23125 001", e164: "+493023125001"),
        Example(country: "AT", national: "01 53115", e164: "+43153115"),
        Example(country: "CH", national: "058 462 21 11", e164: "+41584622111"),
        Example(country: "FR", national: "01 99 00 12 34", e164: "+33199001234"),
        Example(country: "BE", national: "02 501 02 11", e164: "+3225010211"),
        Example(country: "NL", national: "070 356 41 00", e164: "+31703564100"),
        Example(country: "IT", national: "06 46991", e164: "+390646991"),
        Example(country: "ES", national: "913 35 35 35", e164: "+34913353535"),
        Example(country: "PT", national: "213 923 500", e164: "+351213923500"),
        Example(country: "DK", national: "33 92 33 00", e164: "+4533923300"),
        Example(country: "NO", national: "22 24 90 90", e164: "+4722249090"),
        Example(country: "SE", national: "08-465 004 12", e164: "+46846500412"),
        Example(country: "FI", national: "0295 16001", e164: "+35829516001"),
        Example(country: "PL", national: "22 694 75 00", e164: "+48226947500"),
        Example(country: "CZ", national: "224 002 111", e164: "+420224002111"),
        Example(country: "HU", national: "06 1 795 5000", e164: "+3617955000", trunk: "06"),
        Example(country: "GR", national: "210 338 5491", e164: "+302103385491"),
        Example(country: "TR", national: "0312 525 55 55", e164: "+903125255555"),
        Example(country: "RU", national: "8 (812) 576-45-01", e164: "+78125764501", trunk: "8"),
        Example(country: "KZ", national: "8 (7172) 74-55-00", e164: "+77172745500", trunk: "8"),
        Example(country: "BY", national: "8 017 222 32 17", e164: "+375172223217", trunk: "80"),
        Example(country: "UA", national: "044 255 64 93", e164: "+380442556493"),
        Example(country: "IL", national: "02-670-5555", e164: "+97226705555"),
        Example(country: "ZA", national: "012 300 5200", e164: "+27123005200"),
        Example(country: "KE", national: "020 222 7411", e164: "+254202227411"),
        Example(country: "CI", national: "27 20 31 40 00", e164: "+2252720314000"),
        Example(country: "IN", national: "011-2301 2312", e164: "+911123012312"),
        Example(country: "CN", national: "010 6307 3766", e164: "+861063073766"),
        Example(country: "JP", national: "03-5253-2111", e164: "+81352532111"),
        Example(country: "KR", national: "02-770-0011", e164: "+8227700011"),
        Example(country: "HK", national: "2810 2717", e164: "+85228102717"),
        Example(country: "SG", national: "6332 9133", e164: "+6563329133"),
        Example(country: "TH", national: "02 283 4000", e164: "+6622834000"),
        Example(country: "AU", national: "(02) 5550 1234", e164: "+61255501234"),
        Example(country: "NZ", national: "04 817 9700", e164: "+6448179700"),
        Example(country: "BR", national: "(61) 3411-1200", e164: "+556134111200"),
        Example(country: "AR", national: "011 4344-3600", e164: "+541143443600"),
        Example(country: "MX", national: "55 5093 5300", e164: "+525550935300", trunk: "01"),
    ]

    /// The international call prefix of a country, as people there write it.
    static let abroad = [
        ("US", "011"), ("GB", "00"), ("JP", "010"), ("AU", "0011"), ("RU", "8~10"), ("KZ", "8-10"), ("SG", "001"),
        ("KR", "00700"),
        ("HK", "001"),
        ("BR", "0021"), ("TH", "001"), ("IL", "012"), ("KE", "000"), ("IT", "00"), ("HU", "00"), ("MX", "00"),
        ("ES", "00"),
    ]

    @Test(
        "A number in national or international notation, with and without its trunk prefix, is the same in every shop",
        arguments: PhoneNotationTests.examples)
    func notations(_ example: Example) throws {
        let plan = try #require(NumberingPlan.plan(forCountry: example.country))
        let number = String(example.e164.dropFirst(1 + plan.callingCode.count))
        let pairs = stride(from: 0, to: number.count, by: 2).map { String(number.dropFirst($0).prefix(2)) }
        var shapes = [
            number, pairs.joined(separator: " "), pairs.joined(separator: "-"), pairs.joined(separator: "."),
            "(\(pairs[0])) \(number.dropFirst(2))",
        ]
        if !number.hasPrefix("0") {
            shapes += [
                "(\(example.trunk)) \(number)", "(\(example.trunk))\(pairs.joined(separator: " "))",
                example.trunk + number,
            ]
        }
        var inputs = [
            (example.country, example.national), (example.country, example.national.filter { $0 != " " && $0 != "-" }),
        ]
        inputs += shapes.prefix(5).map { (example.country, $0) }
        for shape in shapes {
            inputs += [example.country, "US", "JP", "RU", "IT", ""].map { ($0, "+\(plan.callingCode) \(shape)") }
            inputs += Self.abroad.filter { $0.0 != example.country }.map {
                ($0.0, "\($0.1) \(plan.callingCode) \(shape)")
            }
            inputs.append(("", "00\(plan.callingCode) \(shape)"))
        }
        for (shop, text) in inputs {
            #expect(
                (try? PhoneNumber.parse(text, defaultCountry: shop).get().e164) == example.e164,
                "\(text) in a shop in \(shop)")
        }
    }

    @Test(
        "A prefix that is not part of the number is removed, and one that is part of it is kept",
        arguments: [
            // A trunk prefix after the calling code. If it stayed, the guest could use a coupon twice.
            ("US", "011 44 (0)20 7946 0958", "+442079460958"), ("US", "+44 020 7946 0958", "+442079460958"),
            ("US", "+49 0171 3920012", "+491713920012"), ("JP", "010 1 212 555 0143", "+12125550143"),
            ("JP", "001-010-1-212-555-0143", "+12125550143"),
            ("US", "+39 06 46991", "+390646991"), ("US", "+39 (0)6 46991", "+390646991"),
            ("IT", "06 46991", "+390646991"),
            ("US", "+7 8 812 576 45 01", "+78125764501"), ("US", "+7 812 576 45 01", "+78125764501"),
            ("RU", "812 576-45-01", "+78125764501"),
            ("US", "+36 06 1 795 5000", "+3617955000"), ("US", "+36 (0)62 123 456", "+3662123456"),
            ("US", "+34 (0) 913 35 35 35", "+34913353535"),
            ("UA", "+38 (044) 255-64-93", "+380442556493"), ("UA", "8 044 255 64 93", "+380442556493"),
            ("BY", "029 123-45-67", "+375291234567"),
            ("LT", "8 612 34567", "+37061234567"), ("LT", "0 612 34567", "+37061234567"),
            ("LT", "(0-612) 34567", "+37061234567"),
            // A carrier code between trunk prefix and number, or a mobile prefix.
            ("BR", "0 21 61 3411-1200", "+556134111200"), ("BR", "55 9 9123-4567", "+5555991234567"),
            ("AR", "011 15-2345-6789", "+5491123456789"), ("AR", "+54 9 11 2345 6789", "+5491123456789"),
            ("AR", "02202 15 42-1234", "+5492202421234"),
            ("AR", "0223 15-412-3456", "+5492234123456"),
            ("US", "+52 1 55 5093 5300", "+525550935300"), ("MX", "044 55 5093 5300", "+525550935300"),
            ("MX", "01 55 5093 5300", "+525550935300"),
            // 00 in a country that dials another international prefix, followed by that country's own calling code.
            ("TH", "00 66 2 283 4000", "+6622834000"), ("SG", "00 254 20 222 7411", "+254202227411"),
            ("JP", "00 49 30 23125 001", "+493023125001"),
            // The country's own calling code without +.
            ("SG", "65 6332 9133", "+6563329133"), ("DK", "45 33 92 33 00", "+4533923300"),
            ("DE", "49 30 23125001", "+493023125001"),
            // Numbers that may begin with 0, and numbers of a former, shorter length.
            ("CI", "07 12 34 56 78", "+2250712345678"), ("SM", "0549 882 914", "+3780549882914"),
            ("BJ", "01 97 12 34 56", "+2290197123456"),
            // Two lengths in one country: the Gambia's fixed lines, and its mobile numbers of 2026 with 83, 86 or 87.
            ("GM", "422 1234", "+2204221234"), ("GM", "83 301 2345", "+220833012345"),
            ("US", "+220 (0)87 701 2345", "+220877012345"), ("GM", "220 422 1234", "+2204221234"),
            ("GM", "220 86 601 2345", "+220866012345"),
            ("GA", "062 12 34 56", "+24162123456"), ("GA", "01 44 12 34", "+24101441234"),
            ("US", "+883 510 000 123 456", "+883510000123456"),
        ])
    func prefixes(country: String, text: String, e164: String) throws {
        #expect(try PhoneNumber.parse(text, defaultCountry: country).get().e164 == e164)
    }

    @Test(
        "A number that is impossible in its country, or belongs to no country, is rejected",
        arguments: [
            ("US", "+44 20 7946 09"), ("US", "+44 20 7946 0958 12"), ("US", "+999 123 456 78"),
            ("US", "+210 123 456 78"),
            ("GB", "7946 0958"),
            ("ES", "0 913 353 535"), ("RU", "576-45-01"), ("FR", "1 99 00 12"), ("FR", "+33 (0)0 1 99 00 12 34"),
            ("HK", "810 2717"), ("GM", "8 301 2345"), ("US", "+220 833 301 2345"),
            ("US", "+979 123 456 789"), ("US", "+800 1234 5678"), ("CI", "07 12 34 56"), ("DE", "030 23125001 x12"),
            ("US", "1-800-FLOWERS"),
            ("US", "(212) 555-0143 ext. 9"), ("US", "212 555 0143;9"), ("US", "+49 30 23125001 (12) 34567"),
        ])
    func impossible(country: String, text: String) {
        #expect(PhoneNumber.parse(text, defaultCountry: country) == .failure(FieldError(.phone, .invalidPhone)))
    }

    @Test("A stored number parses to itself in a shop of any country")
    func isStable() throws {
        for example in Self.examples {
            for country in NumberingPlan.table.byCountry.keys {
                let parsed = try PhoneNumber.parse(example.e164, defaultCountry: country).get().e164
                #expect(parsed == example.e164, "in a shop in \(country)")
            }
        }
    }

    @Test("Every calling plan is parsed, no country occurs twice, and no calling code is a prefix of another")
    func table() {
        let rows = NumberingPlan.rows.split(separator: "\n")
        let plans = rows.compactMap(NumberingPlan.init(row:))
        #expect(plans.count == rows.count && rows.count > 200)
        let codes = plans.map(\.callingCode)
        #expect(Set(codes).count == codes.count && NumberingPlan.table.byCode.count == codes.count)
        for code in codes {
            #expect(
                (1...3).contains(code.count) && codes.filter { $0 != code && $0.hasPrefix(code) }.isEmpty, "\(code)")
        }
        let countries = plans.flatMap(\.countries)
        #expect(Set(countries).count == countries.count && countries.allSatisfy { $0.count == 2 })
        for plan in plans {
            // E.164 allows 15 digits. The shortest numbers in use are Austrian: six digits with the calling code.
            let lengths = (1...15).filter { plan.isPossibleNumber(String(repeating: "9", count: $0)[...]) }
            #expect(!lengths.isEmpty && (lengths.last ?? 0) + plan.callingCode.count <= 15, "\(plan.callingCode)")
            #expect((lengths.first ?? 0) + plan.callingCode.count >= 6, "\(plan.callingCode)")
            #expect(
                (plan.trunkPrefixes + plan.internationalPrefixes).joined().allSatisfy { $0.isNumber || $0 == "x" },
                "\(plan.callingCode)")
        }
    }
}
