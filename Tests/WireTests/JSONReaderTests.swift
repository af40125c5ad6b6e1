// The strict reader on hostile bytes: each row is refused with a sentence, or read to exactly this value.
// Read next: JSONPropertyTests.swift.

import Testing
import Wire

@Suite("The JSON reader")
struct JSONReaderTests {
    struct Hostile: Sendable, CustomTestStringConvertible {
        let text: String
        let says: String
        var testDescription: String { String(text.prefix(60)).debugDescription }
    }

    static let hostile: [Hostile] = [
        Hostile(text: "", says: "empty"),
        Hostile(text: "   ", says: "ends where an object"),
        Hostile(text: "null", says: "null where an object"),
        Hostile(text: "[]", says: "an array where an object"),
        Hostile(text: "\"a\"", says: "a string where an object"),
        Hostile(text: "\u{FEFF}{}", says: "something else where an object"),
        Hostile(text: "{", says: "ends where a field's name"),
        Hostile(text: "{\"name\"", says: "ends where a colon"),
        Hostile(text: "{\"name\":", says: "ends where a string"),
        Hostile(text: "{\"name\":\"a\"", says: "ends where a comma"),
        Hostile(text: "{\"name\":\"a\",", says: "ends where a field's name"),
        Hostile(text: "{\"name\":\"a\",}", says: "where a field's name"),
        Hostile(text: "{,}", says: "where a field's name"),
        Hostile(text: "{name:\"a\"}", says: "where a field's name"),
        Hostile(text: "{'name':\"a\"}", says: "where a field's name"),
        Hostile(text: "{\"name\" \"a\"}", says: "a string where a colon"),
        Hostile(text: "{\"name\":\"a\"}}", says: "after the end"),
        Hostile(text: "{}{}", says: "after the end"),
        Hostile(text: "{} x", says: "after the end"),
        Hostile(text: "{\"name\":\"a\" \"phone\":\"b\"}", says: "a string where a comma"),
        Hostile(text: "{\"name\":\"a\",\"name\":\"a\"}", says: "\"name\" stands twice"),
        Hostile(text: "{\"name\":null,\"n\\u0061me\":\"a\"}", says: "\"name\" stands twice"),
        Hostile(text: "{\"price\":1}", says: "no field \"price\""),
        Hostile(text: "{\"Name\":\"a\"}", says: "no field \"Name\""),
        Hostile(text: "{\"\":1}", says: "no field \"\""),
        Hostile(text: "{\"" + String(repeating: "x", count: 1000) + "\":1}", says: "no field in"),
        Hostile(text: "{\"name\":1}", says: "a number where a string"),
        Hostile(text: "{\"name\":true}", says: "a boolean where a string"),
        Hostile(text: "{\"name\":{}}", says: "an object where a string"),
        Hostile(text: "{\"name\":[\"a\"]}", says: "an array where a string"),
        Hostile(text: "{\"name\":nul}", says: "where a value"),
        Hostile(text: "{\"name\":nullx}", says: "where a comma"),
        Hostile(text: "{\"name\":\"a", says: "does not end"),
        Hostile(text: "{\"name\":\"a\\", says: "does not end"),
        Hostile(text: "{\"name\":\"a\\\"}", says: "does not end"),
        Hostile(text: "{\"name\":\"a\nb\"}", says: "control character"),
        Hostile(text: "{\"name\":\"\\n\u{0}\"}", says: "control character"),
        Hostile(text: "{\"name\":\"\\u0000\"}", says: "NUL"),
        Hostile(text: "{\"name\":\"\\x41\"}", says: "no such escape"),
        Hostile(text: "{\"name\":\"\\u12\"}", says: "four hex digits"),
        Hostile(text: "{\"name\":\"\\u12G4\"}", says: "four hex digits"),
        Hostile(text: "{\"name\":\"\\u+123\"}", says: "four hex digits"),
        Hostile(text: "{\"name\":\"\\ud800\"}", says: "surrogate"),
        Hostile(text: "{\"name\":\"\\udc00\"}", says: "surrogate"),
        Hostile(text: "{\"name\":\"\\ud800x\"}", says: "surrogate"),
        Hostile(text: "{\"name\":\"\\ud800\\n\"}", says: "surrogate"),
        Hostile(text: "{\"name\":\"\\ud800\\ud800\"}", says: "surrogate"),
        Hostile(text: "{\"expectedTotal\":\"1\"}", says: "a string where an integer"),
        Hostile(text: "{\"expectedTotal\":1.0}", says: "without fraction"),
        Hostile(text: "{\"expectedTotal\":1e2}", says: "without fraction"),
        Hostile(text: "{\"expectedTotal\":01}", says: "needless zero"),
        Hostile(text: "{\"expectedTotal\":-01}", says: "needless zero"),
        Hostile(text: "{\"expectedTotal\":-}", says: "minus"),
        Hostile(text: "{\"expectedTotal\":+1}", says: "where an integer"),
        Hostile(text: "{\"expectedTotal\":.5}", says: "where an integer"),
        Hostile(text: "{\"expectedTotal\":NaN}", says: "where an integer"),
        Hostile(text: "{\"expectedTotal\":9223372036854775808}", says: "64 bits"),
        Hostile(text: "{\"expectedTotal\":-9223372036854775809}", says: "64 bits"),
        Hostile(text: "{\"expectedTotal\":" + String(repeating: "9", count: 10_000) + "}", says: "64 bits"),
        Hostile(text: String(repeating: "[", count: 60_000), says: "an array where an object"),
        Hostile(text: String(repeating: "{\"name\":", count: 8_000), says: "an object where a string"),
        Hostile(text: "{/* a */}", says: "where a field's name"),
        Hostile(text: "{}\u{0}", says: "after the end"),
    ]

    @Test("refuses what is not the body asked for, and says why", arguments: hostile)
    func refuses(_ row: Hostile) {
        let error = #expect(throws: MalformedBody.self) { try CheckoutBody(json: Array(row.text.utf8)) }
        #expect(error?.message.contains(row.says) == true, "\(error?.message ?? "")")
    }

    @Test(
        "refuses bytes that are not UTF-8, in values and in names",
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]])
    func refusesBadUTF8(_ bytes: [UInt8]) {
        let value = Array("{\"name\":\"".utf8) + bytes + Array("\"}".utf8)
        let escaped = Array("{\"name\":\"\\n".utf8) + bytes + Array("\"}".utf8)
        let name = Array("{\"".utf8) + bytes + Array("\":\"a\"}".utf8)
        for body in [value, escaped, name] {
            let error = #expect(throws: MalformedBody.self) { try CheckoutBody(json: body) }
            #expect(error?.message == "A string is not valid UTF-8.")
        }
    }

    @Test("says in which field it stumbled, and at which byte")
    func saysWhere() {
        let error = #expect(throws: MalformedBody.self) { try CheckoutBody(json: Array(#"{"name":"a","phone":1}"#.utf8)) }
        #expect(error?.path == "phone")
        #expect(error?.offset == 20)
    }

    @Test("reads escapes, pairs of surrogates, white space and the ends of the integers")
    func readsTheUnusual() throws {
        let text =
            "\t{ \"na\\u006de\" : \"\\u00e9\\ud83c\\udf54\\\"\\\\\\/\\b\\f\\n\\r\\t\u{1F354}\" ,\r\n\"expectedTotal\":-9223372036854775808 } "
        let body = try CheckoutBody(json: Array(text.utf8))
        #expect(body.name == "é🍔\"\\/\u{8}\u{C}\n\r\t🍔")
        #expect(body.expectedTotal == .min)
        #expect(try CheckoutBody(json: Array("{\"expectedTotal\":9223372036854775807}".utf8)).expectedTotal == .max)
        #expect(try CheckoutBody(json: Array("{\"expectedTotal\":-0}".utf8)).expectedTotal == 0)
    }

    @Test("leaves missing and null fields for the form to judge")
    func missingIsNil() throws {
        #expect(try CheckoutBody(json: Array("{}".utf8)) == CheckoutBody())
        #expect(try CheckoutBody(json: Array("{\"name\":null,\"expectedTotal\":null}".utf8)) == CheckoutBody())
        #expect(try LineBody(json: Array("{\"quantity\":3}".utf8)) == LineBody(quantity: 3))
        #expect(try SetBody(json: Array("{\"salesGroupId\":200}".utf8)) == SetBody(salesGroupId: 200))
    }
}
