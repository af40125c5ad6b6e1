// The traceparent header: valid ones are taken over, any other is as good as none.

import Testing

@testable import Web

@Suite("Trace context")
struct TraceParentTests {
    @Test(
        "A valid header gives its trace, also one of a later version",
        arguments: [
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        ])
    func valid(header: String) {
        #expect(TraceParent(header)?.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(TraceParent(header)?.spanID == "b7ad6b7169203331")
        #expect(TraceParent(header)?.isSampled == header.contains("-01"))
    }

    @Test(
        "What the standard calls invalid is as good as none",
        arguments: [
            "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more", String(repeating: "é", count: 55),
        ])
    func invalid(header: String) {
        #expect(TraceParent(header) == nil)
    }

    @Test("What is passed on is a header that is understood: a new trace, and another span of one")
    func passedOn() {
        let root = TraceParent(newTraceSampled: { _ in true })
        let child = TraceParent(childOf: root)
        #expect(TraceParent(root.header) == root && TraceParent(child.header) == child)
        #expect(child.traceID == root.traceID && child.spanID != root.spanID && child.isSampled)
        #expect(!TraceParent(newTraceSampled: { _ in false }).isSampled)
    }
}
