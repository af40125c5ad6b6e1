// The conditions on names, numbers and phone numbers that a search text of staff becomes.
import Testing

@testable import Ordering

@Suite("OrderSearch")
struct OrderSearchTests {
    @Test(
        "A phone number or its beginning is searched by the beginning of its E.164 form",
        arguments: [
            ("DE", "0151", "+49151"), ("DE", "0151 23", "+4915123"), ("DE", "0049 151 23", "+4915123"),
            ("DE", "+49 (0)151 23", "+4915123"),
            ("DE", "49151", "+49151"), ("DE", "+1 (212) 555", "+1212555"), ("DE", "001212", "+1212"),
            ("GB", "020 79", "+442079"),
            ("GB", "+44 (0)20 79", "+442079"), ("IT", "06 6982", "+39066982"), ("IT", "+39 06 69", "+390669"),
            ("US", "(212) 555", "+1212555"),
            ("US", "1 212", "+1212"), ("US", "011 49 151", "+49151"), ("RU", "8 (495) 123", "+7495123"),
            ("JP", "010 49 151", "+49151"),
            ("AR", "011 15 2345-6789", "+5491123456789"), ("FR", "06 12 34 56 78", "+33612345678"),
            ("", "0049 151", "+49151"),
        ])
    func beginnings(country: String, words: String, expected: String) throws {
        let search = try #require(OrderSearch(words, defaultCountry: country))
        #expect(search.phonePrefixes.contains(expected), "\(search.phonePrefixes)")
        #expect(search.phonePrefixes.allSatisfy { $0.hasPrefix("+") && $0.utf8.count > 2 })
    }

    @Test(
        "A calling code alone is not searched as the beginning of a phone number",
        arguments: ["+49", "0049", "+49 0", "+1", "001"])
    func codes(words: String) {
        let beginnings = OrderSearch(words, defaultCountry: "DE")?.phonePrefixes ?? []
        #expect(!beginnings.contains("+49") && !beginnings.contains("+1"), "\(beginnings)")
    }

    @Test("A complete number in any notation is searched by its E.164 form")
    func wholeNumbers() throws {
        for (country, text) in [
            ("DE", "0170/1234567"), ("US", "(555) 010-0199"), ("HU", "06 1 234 5678"), ("BR", "(11) 91234-5678"),
        ] {
            let phone = try PhoneNumber.parse(text, defaultCountry: country).get()
            #expect(OrderSearch(text, defaultCountry: country)?.phonePrefixes.contains(phone.e164) == true, "\(text)")
        }
    }

    @Test("Words are searched by name only, blank words give no search, and invisible characters are removed")
    func words() throws {
        let name = try #require(OrderSearch(" Ann \u{200B} O'Hara\n", defaultCountry: "US"))
        #expect(name.name == "ann o'hara" && name.digits == nil && name.phonePrefixes == [])
        let number = try #require(OrderSearch("\u{200E}0421 9377", defaultCountry: "US"))
        #expect(number.digits == "04219377")
        for blank in ["", " ", "\u{200B}", "\u{A0}\n"] { #expect(OrderSearch(blank, defaultCountry: "US") == nil) }
        #expect(OrderSearch("12", defaultCountry: "US")?.digits == nil)
        for words in ["ann", "12", "1234", "12345 a"] {
            #expect(OrderSearch(words, defaultCountry: "US")?.usesIndexes == false, "\(words)")
        }
        #expect(OrderSearch("123-45", defaultCountry: "US")?.usesIndexes == true)
    }
}
