// Phone numbers: any way of writing them is accepted and stored in E.164 form.
import Ordering
import Testing

@Suite("Phone numbers")
struct PhoneNumberTests {
    @Test(
        "Ten digits in any North American notation give the same number",
        arguments: [
            "5550100199", "(555) 010-0199", "555-010-0199", "555.010.0199", "555 010 0199", "  555 0100199 ",
            "+1 555 010 0199",
            "+15550100199",
            "1-555-010-0199", "1 (555) 010-0199", "001 555 010 0199", "011 1 555 010 0199", "+1 (555) 010-0199",
            "(555)010-0199",
            "(555)-010-0199",
            "555/010/0199", "555 - 010 - 0199", "555\u{A0}010\u{202F}0199", "555–010‑0199",
            "\u{202A}+1 555-010-0199\u{202C}",
            "٥٥٥ ٠١٠ ٠١٩٩",
            "۵۵۵۰۱۰۰۱۹۹", "５５５－０１０－０１９９", "（555）010-0199", "(+1) 555 010 0199", "+(1) 555 010 0199",
            "\u{200B}5550100199", "555\u{200B}010\u{200B}0199", "555\u{AD}-010-0199", "555-010-0199\u{FE0D}",
            "5\u{FE0F}550100199",
            "\u{2066}555-010-0199\u{2069}", "\u{200E}+1 555 010 0199\u{200F}", "555-010-0199\n",
            "\r\n\t555-010-0199\t\r\n",
            "\u{FEFF}555-010-0199", "555\u{2060}010\u{2060}0199", "\u{61C}5550100199", "5550100199\u{2028}",
        ])
    func northAmerica(text: String) throws {
        #expect(try PhoneNumber.parse(text, defaultCountry: "US").get().e164 == "+15550100199")
        #expect(try PhoneNumber.parse(text, defaultCountry: "CA").get().e164 == "+15550100199")
    }

    @Test(
        "Any ten digits are accepted in a North American shop",
        arguments: ["0000000000", "1234567890", "0049301234", "1111111111", "9999999999", "0115550100"])
    func anyTenDigits(text: String) throws {
        #expect(try PhoneNumber.parse(text, defaultCountry: "US").get().e164 == "+1" + text)
    }

    @Test(
        "A number with + or 00 is the same in a shop of any country",
        arguments: [
            ("+49 30 1234567", "+49301234567"), ("0049 30 1234567", "+49301234567"),
            ("+44 (0)20 7946 0958", "+442079460958"),
            ("0044 (0)20 7946 0958", "+442079460958"), ("+39 06 6982", "+39066982"),
            ("+86 138 0013 8000", "+8613800138000"),
            ("+683 4002", "+6834002"),
        ], ["US", "GB", "DE", "JP", "RU", "ES", ""])
    func abroad(number: (text: String, e164: String), country: String) throws {
        #expect(try PhoneNumber.parse(number.text, defaultCountry: country).get().e164 == number.e164)
    }

    @Test(
        "A number without a country code gets the shop's, with or without the national trunk prefix",
        arguments: [
            ("GB", "020 7946 0958", "+442079460958"), ("GB", "7911123456", "+447911123456"),
            ("GB", "07911 123456", "+447911123456"),
            ("DE", "030 1234567", "+49301234567"), ("DE", "0170/1234567", "+491701234567"),
            ("DE", "1701234567", "+491701234567"),
            ("DE", "49 170 1234567", "+491701234567"), ("FR", "06 12 34 56 78", "+33612345678"),
            ("ES", "612 345 678", "+34612345678"),
            ("ES", "34 612 345 678", "+34612345678"), ("IT", "06 6982 1234", "+390669821234"),
            ("DK", "32 12 34 56", "+4532123456"),
            ("HU", "06 1 234 5678", "+3612345678"), ("RU", "8 (495) 123-45-67", "+74951234567"),
            ("RU", "495 123 45 67", "+74951234567"),
            ("RU", "7 495 123 45 67", "+74951234567"), ("BY", "8 029 123-45-67", "+375291234567"),
            ("IN", "98765 43210", "+919876543210"),
            ("IN", "098765 43210", "+919876543210"), ("JP", "03-1234-5678", "+81312345678"),
            ("AU", "(02) 9876 5432", "+61298765432"),
            ("CI", "07 12 34 56 78", "+2250712345678"), ("BR", "(11) 91234-5678", "+5511912345678"),
            ("JM", "876 555 0100", "+18765550100"),
        ])
    func national(country: String, text: String, e164: String) throws {
        #expect(try PhoneNumber.parse(text, defaultCountry: country).get().e164 == e164)
    }

    @Test("A number without a country code is rejected in an unknown country", arguments: ["", "ZZ", "us", "Germany"])
    func unknownCountry(country: String) {
        #expect(PhoneNumber.parse("5550100199", defaultCountry: country) == .failure(FieldError(.phone, .invalidPhone)))
    }

    @Test(
        "A text with too few or too many digits, or with misplaced signs, is rejected",
        arguments: [
            "555", "555010019", "55501001990", "+1 555 010 019", "+1 555 010 01990", "+", "+0 555 010 0199", "+123456",
            "+1234567890123456",
            "++15550100199",
            "555--010-0199", "-555-010-0199", "555-010-0199-", "(555 010-0199", "555) 010-0199", "((555)) 010-0199",
            "() 5550100199",
            "(555010) 0199",
            "555-010-0199 x12", "555,010,0199", "call me", "555\n010\n0199", "555\u{2028}0100199",
            "5550100199\n5550100199",
            "555\u{0}0100199", "+1+5550100199", "5550100199+",
            "½½½½½½½½½½", "tel:5550100199", "5550100199~", "555~~0100199",
            "<5550100199>", "٥٥٥", "00", "011", "(+)5550100199", "一二三四五六七八九十",
        ])
    func rejected(text: String) {
        #expect(PhoneNumber.parse(text, defaultCountry: "US") == .failure(FieldError(.phone, .invalidPhone)))
    }

    @Test("A blank number is missing, and a number over 40 characters is too long")
    func limits() {
        for blank in [" \t", "\u{200B}\u{AD}", "\u{FE0F}\n"] {
            #expect(PhoneNumber.parse(blank, defaultCountry: "US") == .failure(FieldError(.phone, .required)))
        }
        let padded = "5550100199" + String(repeating: "\u{200B}", count: 40)
        #expect((try? PhoneNumber.parse(padded, defaultCountry: "US").get())?.e164 == "+15550100199")
        let long = "5550100199" + String(repeating: " ", count: 31)
        #expect(
            PhoneNumber.parse(long, defaultCountry: "US")
                == .failure(FieldError(.phone, .tooLong, ["limit": .integer(40)])))
    }
}
