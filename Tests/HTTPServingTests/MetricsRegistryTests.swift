// Tests the Prometheus text format, and which requests may read it.
import HTTPTypes
import Metrics
import NIOCore
import Testing

@testable import HTTPServing

@Suite("Metrics registry")
struct MetricsRegistryTests {
    @Test("A histogram's buckets are cumulative and include their upper bounds, and labels are escaped")
    func histogram() throws {
        let registry = MetricsRegistry(["sizes": .init("How large.", buckets: [1, 10])])
        let sizes = Recorder(label: "sizes", dimensions: [("name", "a\"b\\c\nd")], aggregate: true, factory: registry)
        for size in [0, 1, 2, 10, 11] { sizes.record(size) }
        #expect(
            registry.text == #"""
                # HELP sizes How large.
                # TYPE sizes histogram
                sizes_bucket{name="a\"b\\c\nd",le="1"} 2
                sizes_bucket{name="a\"b\\c\nd",le="10"} 4
                sizes_bucket{name="a\"b\\c\nd",le="+Inf"} 5
                sizes_sum{name="a\"b\\c\nd"} 24
                sizes_count{name="a\"b\\c\nd"} 5

                """#)
    }

    @Test("An external counter never decreases, and an unknown gauge is NaN")
    func counterAndGauge() {
        let registry = MetricsRegistry([:])
        for count: Int64 in [2, 5, 3] { registry.raiseCounter("missed", to: count) }
        Meter(label: "behind", factory: registry).set(Double.nan)
        #expect(registry.text == "# TYPE behind gauge\nbehind NaN\n# TYPE missed counter\nmissed 5\n")
    }

    @Test("A request is local if its peer and its Host are of this machine")
    func local() throws {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8080", path: "/metrics")
        for (peer, isLocal) in [
            ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("192.0.2.1", false), ("10.0.0.1", false),
            ("fe80::1", false),
        ] {
            let request = Request(head: head, body: ByteBuffer())
            let address = try #require(NetworkAddress(peer))
            #expect(request.isLocal(peer: address) == isLocal, "\(peer)")
        }
        head.authority = nil
        let withoutHost = Request(head: head, body: ByteBuffer())
        let local = try #require(NetworkAddress("127.0.0.1"))
        #expect(withoutHost.isLocal(peer: local) && !withoutHost.isLocal(peer: nil))
    }
}
