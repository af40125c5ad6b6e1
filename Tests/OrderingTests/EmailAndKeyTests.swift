// Email addresses as the HTML standard defines them, coupon keys and birthdays.
import Ordering
import Testing

@Suite("Email addresses, coupon keys and birthdays")
struct EmailAndKeyTests {
    private static let label63 = String(repeating: "a", count: 63)

    @Test(
        "An address that the HTML standard calls valid is accepted and compared in lower case",
        arguments: [
            "ann@example.com", "Ann.Lee+tag@Example.COM", "a@b", "a@localhost", "..@x", "a.@x.y", ".a@x",
            "!#$%&'*+/=?^_`{|}~-@a-b.c-d",
            "1@2.3", "a@\(label63).\(label63)",
            "a@0-0", "x@xn--80ak6aa92e.com", "a@1.2.3.4",
        ])
    func valid(text: String) throws {
        let email = try EmailAddress.parse(" \(text)\n").get()
        #expect(email.text == text)
        #expect(email.comparisonKey == text.lowercased())
    }

    @Test(
        "An address that the HTML standard calls invalid is rejected",
        arguments: [
            "ann", "@", "ann@", "@example.com", "ann@@example.com", "ann@ex@ample.com", "ann@-example.com",
            "ann@example-.com", "ann@.com",
            "ann@example.", "ann@a..b",
            "ann@exa_mple.com", "ann lee@example.com", "ann@exam ple.com", "zoë@example.com", "ann@exämple.com",
            "\"ann\"@example.com",
            "ann@[127.0.0.1]",
            "ann(x)@example.com", "a,b@example.com", "ann@example.com\r\nbcc: x@y", "ann\u{0}@example.com",
            "<ann@example.com>",
            "a@\(label63)a.com", "ann@b.-", "ann\u{A0}lee@example.com", "ann@example.com\u{2028}x",
            // Longer than 254 bytes, but not longer than 254 characters.
            String(repeating: "é", count: 200) + "@example.com",
        ])
    func invalid(text: String) {
        #expect(EmailAddress.parse(text) == .failure(FieldError(.email, .invalidEmail)))
    }

    @Test(
        "Invisible characters, and white space at both ends, are removed from an email address",
        arguments: [
            "ann@example.com\u{200B}", "\u{200B}ann@exa\u{200B}mple.com", "\u{200E}ann@example.com\u{200F}",
            "\u{A0}ann@example.com\u{A0}",
            "\u{A0}\n\u{200B} ann@example.com \u{FEFF}\u{3000}\n", "ann@exam\u{AD}ple.com",
            "\u{202A}ann@example.com\u{202C}",
            "ann@example.com\u{FE0F}",
            "\u{85}ann@example.com\u{2029}",
        ])
    func withoutInvisibles(text: String) throws {
        let email = try EmailAddress.parse(text).get()
        #expect(email.text == "ann@example.com" && email.comparisonKey == "ann@example.com")
    }

    @Test("An email address over 254 characters is too long, and a blank one is missing")
    func limits() throws {
        let domain = "@" + [Self.label63, Self.label63, Self.label63].joined(separator: ".")
        let longest = String(repeating: "x", count: 254 - domain.count) + domain
        #expect(try EmailAddress.parse(longest).get().text.count == 254)
        #expect(EmailAddress.parse("x" + longest) == .failure(FieldError(.email, .tooLong, ["limit": .integer(254)])))
        #expect(try EmailAddress.parse("\u{200B}" + longest).get().text == longest)
        for blank in [" \t", "\u{200B}", "\u{A0}\u{FEFF}"] {
            #expect(EmailAddress.parse(blank) == .failure(FieldError(.email, .required)))
        }
    }

    @Test(
        "A coupon key is read in any case and with white space around it",
        arguments: ["FRST", "frst", " Frst\n", "FR\u{200B}ST", "\u{FEFF}frst\u{AD}"])
    func couponKey(text: String) throws {
        #expect(try CouponKey.parse(text).get()?.text == "FRST")
    }

    @Test("A blank coupon key means no coupon", arguments: ["", "  ", "\n", "\u{200B}"])
    func blankKey(text: String) throws {
        #expect(try CouponKey.parse(text).get() == nil)
    }

    @Test(
        "A text that cannot be a coupon key is rejected as unknown",
        arguments: [
            "FR ST", "FRST!", "ФРСТ", "FRST\u{0}", "';--", "ｆｒｓｔ", "ſRST", String(repeating: "A", count: 33),
            String(repeating: "A", count: 100_000),
        ])
    func unknownKey(text: String) {
        #expect(CouponKey.parse(text) == .failure(FieldError(.coupon, .couponUnknown)))
    }

    @Test("A coupon key has 1 to 32 letters, digits, hyphens and underscores")
    func longestKey() throws {
        #expect(
            try CouponKey.parse("a-_9" + String(repeating: "z", count: 28)).get()?.text == "A-_9"
                + String(repeating: "Z", count: 28))
    }

    @Test("A birthday is accepted if some year has that day")
    func birthdays() {
        let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var valid = 0
        for month in 0...99 {
            for day in 0...99 {
                let text = (month < 10 ? "0" : "") + "\(month)" + (day < 10 ? "-0" : "-") + "\(day)"
                let exists = (1...12).contains(month) && (1...days[month - 1]).contains(day)
                #expect(
                    Birthday.parse(text)
                        == (exists
                            ? .success(Birthday(month: month, day: day))
                            : .failure(FieldError(.birthday, .invalidBirthday))))
                if exists { #expect(Birthday(month: month, day: day)?.text == text) }
                valid += exists ? 1 : 0
            }
        }
        #expect(valid == 366)
    }

    @Test(
        "A birthday that is not written as MM-DD is rejected",
        arguments: [
            "2-29", "02/29", "0229", "02-29-2000", "1990-02-29", "+2-29", "02-2٩", "aa-bb", "02--9", "02-2 9", "-",
            "02-29\u{0}",
        ])
    func invalidBirthday(text: String) {
        #expect(Birthday.parse(text) == .failure(FieldError(.birthday, .invalidBirthday)))
    }

    @Test("A blank birthday counts as omitted, and a birthday with white space around it is read")
    func blankBirthday() throws {
        #expect(try Birthday.parse(" ").get() == nil)
        for text in [" 02-29 ", "02-29\n", "\u{200E}02-29\u{200B}", "\u{A0}02\u{2060}-29"] {
            #expect(try Birthday.parse(text).get() == Birthday(month: 2, day: 29))
        }
    }
}
