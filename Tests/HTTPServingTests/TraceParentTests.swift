// Tests the traceparent header: a valid header continues its trace, an invalid one is ignored.

import Testing

@testable import HTTPServing

@Suite("Trace context")
struct TraceParentTests {
    @Test(
        "A valid header is parsed, also in a later version of the format",
        arguments: [
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        ])
    func valid(header: String) {
        #expect(TraceParent(header)?.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(TraceParent(header)?.spanID == "b7ad6b7169203331")
        #expect(TraceParent(header)?.isSampled == header.contains("-01"))
    }

    @Test(
        "A header that the standard calls invalid is ignored",
        arguments: [
            "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more", String(repeating: "é", count: 55),
        ])
    func invalid(header: String) {
        #expect(TraceParent(header) == nil)
    }

    @Test("A new trace and a child span have headers that can be parsed")
    func roundTrip() {
        let root = TraceParent(newTraceSampled: { _ in true })
        let child = TraceParent(childOf: root)
        #expect(TraceParent(root.header) == root && TraceParent(child.header) == child)
        #expect(child.traceID == root.traceID && child.spanID != root.spanID && child.isSampled)
        #expect(!TraceParent(newTraceSampled: { _ in false }).isSampled)
    }
}
