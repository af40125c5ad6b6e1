// The strict reader on invalid and unusual bytes.

import Testing
import Wire

@Suite("JSON reader")
struct JSONReaderTests {
    struct InvalidInput: Sendable, CustomTestStringConvertible {
        let text: String
        let message: String
        var testDescription: String { String(text.prefix(60)).debugDescription }
    }

    static let invalidInputs: [InvalidInput] = [
        InvalidInput(text: "", message: "empty"),
        InvalidInput(text: "   ", message: "ends where an object"),
        InvalidInput(text: "null", message: "null where an object"),
        InvalidInput(text: "[]", message: "an array where an object"),
        InvalidInput(text: "\"a\"", message: "a string where an object"),
        InvalidInput(text: "\u{FEFF}{}", message: "an unexpected character where an object"),
        InvalidInput(text: "{", message: "ends where a field's name"),
        InvalidInput(text: "{\"name\"", message: "ends where a colon"),
        InvalidInput(text: "{\"name\":", message: "ends where a string"),
        InvalidInput(text: "{\"name\":\"a\"", message: "ends where a comma"),
        InvalidInput(text: "{\"name\":\"a\",", message: "ends where a field's name"),
        InvalidInput(text: "{\"name\":\"a\",}", message: "where a field's name"),
        InvalidInput(text: "{,}", message: "where a field's name"),
        InvalidInput(text: "{name:\"a\"}", message: "where a field's name"),
        InvalidInput(text: "{'name':\"a\"}", message: "where a field's name"),
        InvalidInput(text: "{\"name\" \"a\"}", message: "a string where a colon"),
        InvalidInput(text: "{\"name\":\"a\"}}", message: "after the end"),
        InvalidInput(text: "{}{}", message: "after the end"),
        InvalidInput(text: "{} x", message: "after the end"),
        InvalidInput(text: "{\"name\":\"a\" \"phone\":\"b\"}", message: "a string where a comma"),
        InvalidInput(text: "{\"name\":\"a\",\"name\":\"a\"}", message: "\"name\" appears twice"),
        InvalidInput(text: "{\"name\":null,\"n\\u0061me\":\"a\"}", message: "\"name\" appears twice"),
        InvalidInput(text: "{\"price\":1}", message: "no field \"price\""),
        InvalidInput(text: "{\"Name\":\"a\"}", message: "no field \"Name\""),
        InvalidInput(text: "{\"\":1}", message: "no field \"\""),
        InvalidInput(text: "{\"" + String(repeating: "x", count: 1000) + "\":1}", message: "no field in"),
        InvalidInput(text: "{\"name\":1}", message: "a number where a string"),
        InvalidInput(text: "{\"name\":true}", message: "a boolean where a string"),
        InvalidInput(text: "{\"name\":{}}", message: "an object where a string"),
        InvalidInput(text: "{\"name\":[\"a\"]}", message: "an array where a string"),
        InvalidInput(text: "{\"name\":nul}", message: "where a value"),
        InvalidInput(text: "{\"name\":nullx}", message: "where a comma"),
        InvalidInput(text: "{\"name\":\"a", message: "does not end"),
        InvalidInput(text: "{\"name\":\"a\\", message: "does not end"),
        InvalidInput(text: "{\"name\":\"a\\\"}", message: "does not end"),
        InvalidInput(text: "{\"name\":\"a\nb\"}", message: "control character"),
        InvalidInput(text: "{\"name\":\"\\n\u{0}\"}", message: "control character"),
        InvalidInput(text: "{\"name\":\"\\u0000\"}", message: "NUL"),
        InvalidInput(text: "{\"name\":\"\\x41\"}", message: "no such escape"),
        InvalidInput(text: "{\"name\":\"\\u12\"}", message: "four hex digits"),
        InvalidInput(text: "{\"name\":\"\\u12G4\"}", message: "four hex digits"),
        InvalidInput(text: "{\"name\":\"\\u+123\"}", message: "four hex digits"),
        InvalidInput(text: "{\"name\":\"\\ud800\"}", message: "surrogate"),
        InvalidInput(text: "{\"name\":\"\\udc00\"}", message: "surrogate"),
        InvalidInput(text: "{\"name\":\"\\ud800x\"}", message: "surrogate"),
        InvalidInput(text: "{\"name\":\"\\ud800\\n\"}", message: "surrogate"),
        InvalidInput(text: "{\"name\":\"\\ud800\\ud800\"}", message: "surrogate"),
        InvalidInput(text: "{\"expectedTotal\":\"1\"}", message: "a string where an integer"),
        InvalidInput(text: "{\"expectedTotal\":1.0}", message: "without fraction"),
        InvalidInput(text: "{\"expectedTotal\":1e2}", message: "without fraction"),
        InvalidInput(text: "{\"expectedTotal\":01}", message: "leading zero"),
        InvalidInput(text: "{\"expectedTotal\":-01}", message: "leading zero"),
        InvalidInput(text: "{\"expectedTotal\":-}", message: "minus"),
        InvalidInput(text: "{\"expectedTotal\":+1}", message: "where an integer"),
        InvalidInput(text: "{\"expectedTotal\":.5}", message: "where an integer"),
        InvalidInput(text: "{\"expectedTotal\":NaN}", message: "where an integer"),
        InvalidInput(text: "{\"expectedTotal\":9223372036854775808}", message: "64 bits"),
        InvalidInput(text: "{\"expectedTotal\":-9223372036854775809}", message: "64 bits"),
        InvalidInput(text: "{\"expectedTotal\":" + String(repeating: "9", count: 10_000) + "}", message: "64 bits"),
        InvalidInput(text: String(repeating: "[", count: 60_000), message: "an array where an object"),
        InvalidInput(text: String(repeating: "{\"name\":", count: 8_000), message: "an object where a string"),
        InvalidInput(text: "{/* a */}", message: "where a field's name"),
        InvalidInput(text: "{}\u{0}", message: "after the end"),
    ]

    @Test("Invalid input is rejected with a message that names the reason", arguments: invalidInputs)
    func rejectsInvalidInput(_ row: InvalidInput) {
        let error = #expect(throws: MalformedBody.self) { try CheckoutBody(json: Array(row.text.utf8)) }
        #expect(error?.message.contains(row.message) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Bytes that are not UTF-8 are rejected in values and in names",
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]]
            as [[UInt8]])
    func rejectsInvalidUTF8(_ bytes: [UInt8]) {
        let value = Array("{\"name\":\"".utf8) + bytes + Array("\"}".utf8)
        let escaped = Array("{\"name\":\"\\n".utf8) + bytes + Array("\"}".utf8)
        let name = Array("{\"".utf8) + bytes + Array("\":\"a\"}".utf8)
        for body in [value, escaped, name] {
            let error = #expect(throws: MalformedBody.self) { try CheckoutBody(json: body) }
            #expect(error?.message == "A string is not valid UTF-8.")
        }
    }

    @Test("The error has the path of the field and the byte offset")
    func errorPosition() {
        let error = #expect(throws: MalformedBody.self) {
            try CheckoutBody(json: Array(#"{"name":"a","phone":1}"#.utf8))
        }
        #expect(error?.path == "phone")
        #expect(error?.offset == 20)
    }

    @Test("Escapes, surrogate pairs, white space and the limits of Int64 are read")
    func readsUnusualInput() throws {
        let text =
            "\t{ \"na\\u006de\" : \"\\u00e9\\ud83c\\udf54\\\"\\\\\\/\\b\\f\\n\\r\\t\u{1F354}\" ,"
            + "\r\n\"expectedTotal\":-9223372036854775808 } "
        let body = try CheckoutBody(json: Array(text.utf8))
        #expect(body.name == "é🍔\"\\/\u{8}\u{C}\n\r\t🍔")
        #expect(body.expectedTotal == .min)
        #expect(try CheckoutBody(json: Array("{\"expectedTotal\":9223372036854775807}".utf8)).expectedTotal == .max)
        #expect(try CheckoutBody(json: Array("{\"expectedTotal\":-0}".utf8)).expectedTotal == 0)
    }

    @Test("A missing field and a null field are nil")
    func missingIsNil() throws {
        #expect(try CheckoutBody(json: Array("{}".utf8)) == CheckoutBody())
        #expect(try CheckoutBody(json: Array("{\"name\":null,\"expectedTotal\":null}".utf8)) == CheckoutBody())
        #expect(try LineBody(json: Array("{\"quantity\":3}".utf8)) == LineBody(quantity: 3))
        #expect(try SetBody(json: Array("{\"salesGroupId\":200}".utf8)) == SetBody(salesGroupId: 200))
    }
}
