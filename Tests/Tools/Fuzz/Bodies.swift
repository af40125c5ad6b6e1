// Checks the parsers and writers of JSON bodies against Foundation.

import Foundation

@testable import Wire

enum Bodies {
    /// Parses the bytes as each body. An accepted body must equal Foundation's result, and must survive a round trip.
    static func check(_ bytes: [UInt8]) {
        check(bytes, as: CheckoutBody.self)
        check(bytes, as: LineBody.self)
        check(bytes, as: SetBody.self)
        check(bytes, as: AdvanceBody.self)
        check(bytes, as: RejectBody.self)
        check(bytes, as: AvailabilityBody.self)
        check(bytes, as: StockBody.self)
        check(bytes, as: PauseBody.self)
        check(bytes, as: BusyBody.self)
        check(bytes, as: AcceptanceBody.self)
        check(bytes, as: HoursBody.self)
        _ = try? NoFieldsBody(json: bytes)
    }

    /// Checks that the time is linear in the length, up to the limit for bodies.
    static func checkTime(_ bytes: [UInt8]) {
        let long = Array(repeatElement(bytes, count: 65_536 / bytes.count).joined())
        requireLinear(long.count, "a body") {
            _ = try? CheckoutBody(json: long)
            _ = try? CheckoutBody(json: Array(#"{"name":""#.utf8) + long + Array(#""}"#.utf8))
        }
    }

    private static func check<Body: JSONReadable & JSONWritable & Decodable & Hashable>(
        _ bytes: [UInt8], as _: Body.Type
    ) {
        guard let body = try? Body(json: bytes) else { return }
        let foundation = try? JSONDecoder().decode(Body.self, from: Data(bytes))
        // JSONReader accepts a total without a kind or an amount, so that the checkout reports its path. Foundation
        // rejects it.
        let isIncomplete = (body as? CheckoutBody)?.expectedTotals?.contains { $0.kind.isEmpty } ?? false
        require(foundation == body || isIncomplete && foundation == nil, "a body is parsed as Foundation parses it")
        let written = body.json
        require((try? Body(json: written)) == body, "a written body is parsed as the same body")
        require(
            (try? JSONDecoder().decode(Body.self, from: Data(written))) == body,
            "a written body is valid JSON for Foundation")
    }

    /// Writes any string as JSON. Our parser and Foundation must read the same string.
    static func checkWriter(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let json = AdvanceBody(state: text, reason: text).json
        require(
            (try? JSONDecoder().decode(AdvanceBody.self, from: Data(json)))?.state == text,
            "a string is written as JSON")
        let read = try? AdvanceBody(json: json)
        require(read?.state == text || bytes.contains(0), "a string survives a round trip")
        let numbers = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        require(
            (try? LineBody(json: LineBody(menuItemId: numbers, quantity: -1).json))?.menuItemId == numbers,
            "a number survives a round trip")
        let problem = ProblemBody(
            type: text, title: text, status: 400, code: text, detail: text, requestId: text,
            errors: [
                FieldErrorBody(
                    field: text, code: text, message: text, params: [text: .text(text), text + "n": .integer(numbers)])
            ],
            orderId: text,
            changes: [PriceChangeBody(path: text, old: .integer(numbers), new: .text(text), cause: text)], quote: nil)
        require(
            (try? JSONDecoder().decode(ProblemBody.self, from: Data(problem.json)))?.detail == text,
            "a problem is written as JSON")
        // JSON has no control characters, so that text cannot forge lines of a log or an event stream.
        require(!problem.json.contains { $0 < 0x20 }, "control characters are escaped")
    }
}
