// Tests the bytes of a problem response.
import HTTPTypes
import NIOCore
import Testing

@testable import HTTPServing

@Suite("Problem responses")
struct ProblemWriterTests {
    @Test(
        "A body has the standard members, the rejected fields, the members of the problem and the hint, in this order")
    func members() {
        var problem = Problem(
            .conflict, "part_missing", "A part is \"gone\".\n", hint: "See \\parts\u{1}.", headers: [.retryAfter: "2"])
        problem.errors = [
            RejectedField("q", code: "required", message: "Enter it."),
            RejectedField("p", code: "too_long", message: "é", parameters: Array(#"{"limit":1}"#.utf8)),
        ]
        problem.members = [Problem.Member("partIds", json: Array("[1,2]".utf8))]
        let id = RequestID()
        let (head, body) = ProblemWriter(product: "bench").render(problem, id)
        #expect(head.status == .conflict && head.headerFields[.retryAfter] == "2")
        #expect(head.headerFields[.contentType] == "application/problem+json")
        #expect(head.headerFields[.contentLength] == "\(body.readableBytes)")
        #expect(
            String(buffer: body) == #"""
                {"type":"urn:bench:problem:part_missing","title":"Part missing","status":409,"code":"part_missing",\#
                "detail":"A part is \"gone\".\n","requestId":"\#(id)","errors":[{"field":"q","code":"required",\#
                "message":"Enter it.","params":{}},{"field":"p","code":"too_long","message":"é",\#
                "params":{"limit":1}}],"partIds":[1,2],"hint":"See \\parts\u0001."}
                """#)
    }

    @Test("A problem without optional members has only the standard ones, and an empty list of fields is written")
    func standardMembers() {
        let id = RequestID()
        func text(_ problem: Problem) -> String {
            String(buffer: ProblemWriter(product: "bench").render(problem, id).body)
        }
        var problem = Problem(.notFound, "gone", "It is gone.")
        let standard =
            #"{"type":"urn:bench:problem:gone","title":"Gone","status":404,"code":"gone","detail":"It is gone.""#
        #expect(text(problem) == standard + #","requestId":"\#(id)"}"#)
        problem.errors = []
        #expect(text(problem) == standard + #","requestId":"\#(id)","errors":[]}"#)
    }
}
