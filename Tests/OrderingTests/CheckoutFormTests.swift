// The checkout form as a whole: all errors in one answer and in a stable order, missing fields, and hostile input.
import TestBasics
import Testing

@testable import Ordering

@Suite("Checkout form: all errors in one answer")
struct CheckoutFormTests {
    private static let valid = CheckoutForm(
        name: "ann lee", phone: "(555) 010-0199", email: "Ann@Example.com", address: "12 elm street",
        comment: " ring twice ",
        coupon: "frst",
        birthday: "02-29", expectedTotal: 2_899)

    @Test("A valid form gives normalised details")
    func details() throws {
        let details = try Self.valid.validated(defaultCountry: "US").get()
        #expect(details.name.text == "Ann Lee")
        #expect(details.phone.e164 == "+15550100199")
        #expect(details.email.text == "Ann@Example.com")
        #expect(details.address?.text == "12 Elm Street")
        #expect(details.comment?.text == "ring twice")
        #expect(details.coupon?.text == "FRST")
        #expect(details.birthday == Birthday(month: 2, day: 29))
        #expect(details.expectedTotal == Money(minorUnits: 2_899))
        #expect(details.guestKeys == ["tel:+15550100199", "mailto:ann@example.com"])
    }

    @Test("Empty optional fields count as omitted", arguments: ["", "  ", "\n"])
    func blankOptionals(blank: String) throws {
        var form = Self.valid
        (form.comment, form.coupon, form.birthday) = (blank, blank, blank)
        let details = try form.validated(defaultCountry: "US").get()
        #expect(details.comment == nil && details.coupon == nil && details.birthday == nil)
        #expect(
            form.validatedFields(defaultCountry: "US").map(\.path)
                == [.name, .phone, .email, .address, .expectedTotal].map(FieldPath.form))
    }

    @Test("An empty form reports every required field")
    func emptyForm() {
        #expect(
            CheckoutForm().validated(defaultCountry: "US").summaries == [
                "name required", "phone required", "email required", "address required", "expectedTotal required",
            ])
        #expect(CheckoutForm().validatedFields(defaultCountry: "US").isEmpty)
    }

    @Test("A form with an error in every field reports all of them in the order of the form")
    func allErrors() {
        let form = CheckoutForm(
            name: "Ann1", phone: "555", email: "ann@", address: "12345", comment: "a\u{0}", coupon: "no such!",
            birthday: "02-30",
            expectedTotal: -1)
        let expected = [
            "name invalid_name", "phone invalid_phone", "email invalid_email", "address invalid_address",
            "comment invalid_comment",
            "coupon coupon_unknown", "birthday invalid_birthday", "expectedTotal invalid_total",
        ]
        #expect(form.validated(defaultCountry: "US").summaries == expected)
        #expect(
            form.validatedFields(defaultCountry: "US").compactMap { $0.error.map { "\($0.path) \($0.code.rawValue)" } }
                == expected)
    }

    @Test("Every field of the form is validated, also while the guest types")
    func everyField() throws {
        let form = CheckoutForm(
            name: "1", phone: "1", email: "1", address: "1", comment: "a\u{0}", coupon: "no such!", birthday: "1",
            fulfilment: "1", wantedAt: "1", postcode: "!", tip: -1, payment: RawPayment(method: "1"), expectedTotal: -1,
            currency: "1", expectedTotals: [RawTotal(kind: "1", amount: 1)])
        // The confirmation of the age is validated with the basket.
        let paths = FormField.allCases.filter { $0 != .ageConfirmed }.map(FieldPath.form)
        let errors = #expect(throws: FieldErrors.self) { try form.validated(defaultCountry: "US").get() }
        #expect(errors?.all.map(\.path) == paths)
        #expect(form.validatedFields(defaultCountry: "US").map(\.path) == paths)
    }

    @Test("A random form reports all errors in order, and validation while typing gives the same errors")
    func randomForms() {
        var random = SeededRandom()
        let texts: [String?] = [
            nil, "", " ", "\u{0}", "x", "Ann Lee", "5550100199", "a@b.c", "12 Elm Street", "FRST", "02-29", "<b>",
            String(repeating: "y", count: 3_000),
        ]
        for _ in 0..<2_000 {
            let form = CheckoutForm(
                name: texts.randomElement(using: &random) ?? nil, phone: texts.randomElement(using: &random) ?? nil,
                email: texts.randomElement(using: &random) ?? nil, address: texts.randomElement(using: &random) ?? nil,
                comment: texts.randomElement(using: &random) ?? nil, coupon: texts.randomElement(using: &random) ?? nil,
                birthday: texts.randomElement(using: &random) ?? nil,
                expectedTotal: [nil, 0, 1, -1, .min, .max, 9_000_000_000_000_001].randomElement(using: &random) ?? nil)
            let expected = [
                (form.name ?? "").error(.name) { PersonName.parse($0).map { _ in } },
                (form.phone ?? "").error(.phone) { PhoneNumber.parse($0, defaultCountry: "US").map { _ in } },
                (form.email ?? "").error(.email) { EmailAddress.parse($0).map { _ in } },
                (form.address ?? "").error(.address) { DeliveryAddress.parse($0).map { _ in } },
                (form.comment ?? "").error(.comment) { OrderComment.parse($0).map { _ in } },
                (form.coupon ?? "").error(.coupon) { CouponKey.parse($0).map { _ in } },
                (form.birthday ?? "").error(.birthday) { Birthday.parse($0).map { _ in } },
                form.expectedTotal == nil
                    ? "expectedTotal required"
                    : form.expectedTotal.flatMap(Money.init(minorUnits:)) == nil ? "expectedTotal invalid_total" : nil,
            ].compactMap(\.self)
            #expect(form.validated(defaultCountry: "US").summaries == expected, "\(random)")
            let given = form.validatedFields(defaultCountry: "US")
            #expect(given.map(\.path) == given.map(\.path).sorted(), "\(random)")
            let live = given.compactMap { $0.error.map { "\($0.path) \($0.code.rawValue)" } }
            #expect(
                live == expected.filter { summary in given.contains { "\($0.path)" == summary.prefix { $0 != " " } } },
                "\(random)")
        }
    }

    @Test("Errors sort by form field, basket, line id and sales group id, and duplicates are reported once")
    func order() throws {
        let extras = OptionPath.top.group(OptionGroupID(rawValue: 91))
        let fields: [FormField] = [
            .name, .phone, .email, .address, .comment, .coupon, .birthday, .tip, .payment, .ageConfirmed,
            .expectedTotal,
        ]
        let others: [FieldPath] = [
            .basket, .line(LineID(rawValue: 999)), .line(LineID(rawValue: 2001)),
            .dish(.line(LineID(rawValue: 2001)), .options(extras)),
            .dish(.line(LineID(rawValue: 2001)), .options(extras.option(OptionID(rawValue: 9101)))),
            .dish(.line(LineID(rawValue: 2001)), .note), .line(LineID(rawValue: 10_001)),
            .sale(200), .saleItem(SalesGroupID(rawValue: 200), MenuItemID(rawValue: 2002)),
            .dish(.unit(200, 2002, 1), .note),
            .dish(.unit(200, 2002, 2), .options(.top)), .dish(.unit(200, 2002, 10), .options(extras)),
            .sale(400), .saleItem(SalesGroupID(rawValue: 400), MenuItemID(rawValue: 1002)),
            .saleItem(SalesGroupID(rawValue: 400), MenuItemID(rawValue: 1003)),
        ]
        let paths = fields.map(FieldPath.form) + others
        var random = SeededRandom()
        #expect(paths.shuffled(using: &random).sorted() == paths, "\(random)")
        // Errors in the options of one dish keep their order.
        let shuffled = (paths + paths).map { FieldError($0, .required) }.shuffled(using: &random)
        let errors = try #require(FieldErrors(shuffled))
        let isInOrder = zip(errors.all, errors.all.dropFirst()).allSatisfy { !$1.path.isBefore($0.path) }
        #expect(isInOrder && errors.all.map(\.path).sorted() == paths, "\(random)")
        #expect(paths.suffix(1).map(\.description) == ["sales/400/items/1003"])
        #expect(paths[8...9].map(\.description) == ["payment", "ageConfirmed"])
        #expect(
            paths[12...16].map(\.description) == ["lines/999", "lines/2001"]
                + ["options/91", "options/91/9101", "note"].map { "lines/2001/\($0)" })
        #expect(paths[18].description == "sales/200" && paths[21].description == "sales/200/items/2002/2/options")
        #expect(FieldErrors([]) == nil)
    }

    @Test("Every error code has a message that tells the guest what to do", arguments: FieldErrorCode.allCases)
    func messages(code: FieldErrorCode) {
        let params: [String: FieldParameter] = [
            "limit": .integer(40), "minimum": .integer(6), "maximum": .integer(3), "seconds": .integer(9),
            "age": .integer(18),
            "available": .integer(2),
        ]
        let message = FieldError(.phone, code, params).message
        #expect(message.hasSuffix(".") && message.contains("Please "), "\(message)")
        #expect(!message.contains("a few"), "\(message)")
    }

    @Test(
        "A text over its limit is rejected unparsed: 1 MB costs less than 20 times as much as 10 kB",
        arguments: ["a", " ", "\u{301}", "9", "(", "@", "a.", "\n", "李", "\u{202E}"])
    func hostileLength(unit: String) {
        func form(ofBytes count: Int) -> CheckoutForm {
            let text = String(repeating: unit, count: count / unit.utf8.count)
            return CheckoutForm(
                name: text, phone: text, email: text, address: text, comment: text, coupon: text, birthday: text,
                expectedTotal: .max)
        }
        let (short, long) = (form(ofBytes: 10_240), form(ofBytes: 1_048_576))
        let expected = [
            "name too_long", "phone too_long", "email too_long", "address too_long", "comment too_long",
            "coupon coupon_unknown",
            "birthday invalid_birthday", "expectedTotal invalid_total",
        ]
        #expect(
            short.validated(defaultCountry: "US").summaries == expected
                && long.validated(defaultCountry: "US").summaries == expected)
        // The long form is a hundred times as long. The best of 100 rounds excludes the load of the machine.
        let clock = ContinuousClock()
        func best(_ form: CheckoutForm) -> Duration {
            (0..<100).map { _ in clock.measure { _ = form.validated(defaultCountry: "US") } }.min() ?? .zero
        }
        let (few, many) = (best(short), best(long))
        #expect(many < few * 20, "\(few) for 10 kB, \(many) for 1 MB")
    }

    @Test("Random bytes in every field cause no crash, and accepted texts are short and have no control characters")
    func randomBytes() {
        var random = SeededRandom()
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random) ? UInt8.random(in: .min ... .max, using: &random) : UInt8(ascii: "-")
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let country = ["US", "DE", "RU", "HU", "ES", "", "ZZ"].randomElement(using: &random) ?? ""
            let form = CheckoutForm(
                name: text, phone: text, email: text, address: text, comment: text, coupon: text, birthday: text,
                expectedTotal: .random(in: .min ... .max, using: &random))
            for field in form.validatedFields(defaultCountry: country) {
                guard case .success(.text(let value)) = field.result else { continue }
                #expect(!value.isEmpty && value.utf8.count <= 2_000, "\(random) \(bytes)")
                #expect(
                    !value.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" },
                    "\(random) \(bytes)")
            }
        }
    }
}

extension ValidatedField {
    fileprivate var error: FieldError? { if case .failure(let error) = result { error } else { nil } }
}

extension Result where Failure == FieldErrors {
    /// "name required" for each error, in order.
    var summaries: [String] {
        switch self {
        case .success: []
        case .failure(let errors): errors.all.map { "\($0.path) \($0.code.rawValue)" }
        }
    }
}

extension String {
    fileprivate func error(_ field: FormField, _ parse: (String) -> Result<Void, FieldError>) -> String? {
        if case .failure(let error) = parse(self) { "\(field) \(error.code.rawValue)" } else { nil }
    }
}
