// Writes problems as application/problem+json (RFC 9457). Hummingbird's HTTPError has a JSON format of its own.
import HTTPTypes
import NIOCore

/// Writes the problem responses of a server.
struct ProblemWriter: Sendable {
    /// The product's name in the URN of each problem type.
    let product: String

    func response(_ problem: Problem, _ id: RequestID) -> Response {
        let (head, body) = render(problem, id)
        return Response(status: head.status, headers: head.headerFields, body: .bytes(body))
    }

    func render(_ problem: Problem, _ id: RequestID) -> (head: HTTPResponse, body: ByteBuffer) {
        let body = ByteBuffer(bytes: json(problem, id))
        var headers = problem.headers
        headers[.contentType] = "application/problem+json"
        headers[.contentLength] = "\(body.readableBytes)"
        return (HTTPResponse(status: problem.status, headerFields: headers), body)
    }

    private func json(_ problem: Problem, _ id: RequestID) -> [UInt8] {
        let words = problem.code.split(separator: "_").joined(separator: " ")
        var object = ProblemObject()
        object.add("type", "urn:\(product):problem:\(problem.code)")
        object.add("title", words.prefix(1).uppercased() + words.dropFirst())
        object.add("status", json: Array("\(problem.status.code)".utf8))
        object.add("code", problem.code)
        object.add("detail", problem.detail)
        object.add("requestId", "\(id)")
        if let errors = problem.errors { object.add("errors", json: Self.array(errors)) }
        for member in problem.members { object.add(member.name, json: member.json) }
        if let hint = problem.hint { object.add("hint", hint) }
        return object.json
    }

    private static func array(_ errors: [RejectedField]) -> [UInt8] {
        var bytes = [UInt8(ascii: "[")]
        for error in errors {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            var object = ProblemObject()
            object.add("field", error.field)
            object.add("code", error.code)
            object.add("message", error.message)
            object.add("params", json: error.parameters)
            bytes.append(contentsOf: object.json)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}

/// A JSON object of texts and values that are already JSON. Problems need no other JSON.
private struct ProblemObject {
    private var bytes: [UInt8] = []

    var json: [UInt8] { [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")] }

    /// Adds a member whose name needs no escapes.
    mutating func add(_ name: StaticString, json: [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "\":".utf8)
        bytes.append(contentsOf: json)
    }

    /// Adds a text with only the escapes that JSON requires (RFC 8259, section 7).
    mutating func add(_ name: StaticString, _ text: String) {
        var json: [UInt8] = [UInt8(ascii: "\"")]
        json.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): json.append(contentsOf: "\\n".utf8)
            case 0..<0x20: json.append(contentsOf: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
        add(name, json: json)
    }
}
