// The bodies of requests and the JSON that we write, against Foundation as the second reader.

import Foundation

@testable import Wire

enum Bodies {
    /// Each body reads the bytes, or refuses them; what it takes is JSON to Foundation too, means the same there, and comes back when written.
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

    /// As much of it as a body may have.
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
        // A total without its kind or its amount is read as one of no kind, so that the checkout says where it is; Foundation refuses it.
        let isIncomplete = (body as? CheckoutBody)?.expectedTotals?.contains { $0.kind.isEmpty } ?? false
        require(foundation == body || isIncomplete && foundation == nil, "what we read is what Foundation reads")
        let written = body.json
        require((try? Body(json: written)) == body, "what is written is read again")
        require((try? JSONDecoder().decode(Body.self, from: Data(written))) == body, "what is written is JSON")
    }

    /// Whatever a string holds, it is written as JSON, and read as the same string by us and by Foundation.
    static func checkWriter(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let json = AdvanceBody(state: text, reason: text).json
        require(
            (try? JSONDecoder().decode(AdvanceBody.self, from: Data(json)))?.state == text,
            "a string is written as JSON")
        let read = try? AdvanceBody(json: json)
        require(read?.state == text || bytes.contains(0), "a string is read as it was written")
        let numbers = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        require(
            (try? LineBody(json: LineBody(menuItemId: numbers, quantity: -1).json))?.menuItemId == numbers,
            "a number comes back")
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
        // One line, whatever stands in it: a log's or an event stream's lines can't be forged.
        require(!problem.json.contains { $0 < 0x20 }, "no control character is written as it is")
    }
}
