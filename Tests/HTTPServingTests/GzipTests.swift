// Tests which clients get gzip, and which data is compressed.
import Support
import TestBasics
import Testing

@testable import HTTPServing

@Suite("Gzip")
struct GzipTests {
    @Test(
        "Gzip is sent to a client that accepts it at least as much as an unencoded response",
        arguments: [
            ("gzip", true), ("GZip", true), ("x-gzip", true), ("br, gzip", true), ("deflate , gzip ;q=0.001", true),
            ("*", true),
            ("gzip;q=1.000", true), ("gzip;Q=0.5", true), ("br;q=1, *;q=0.1", true),
            ("identity;q=0.5, gzip;q=0.5", true),
            ("identity;q=0, gzip", true), ("*;q=0, gzip", true), ("gzip, identity", true), (",, gzip", true),
            ("", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
            ("gzip;q=0, *", false),
            ("identity", false), ("identity, gzip;q=0.9", false), ("identity;q=0", false), ("gzipped", false),
            ("gzi", false),
            ("gzip;q=2", false), ("gzip;q=1.001", false), ("gzip;q=0.0001", false), ("gzip;q=x", false),
            ("gzip;q=", false),
            ("gzip;level=9", false), ("gzip q=1", false), (";;;===", false), ("gzip;q=-1", false),
        ])
    func accepted(header: String, acceptsGzip: Bool) {
        #expect(AcceptedEncodings([header]).acceptsGzip == acceptsGzip)
        #expect(AcceptedEncodings(["br", header]).acceptsGzip == acceptsGzip)
    }

    @Test("Data that gzip does not make smaller is sent unencoded")
    func incompressible() {
        var random = SeededRandom()
        #expect(Gzip.compressed((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }, .thorough) == nil)
        #expect(Gzip.compressed([], .thorough) == nil)
        #expect(Gzip.compressed(Array(repeating: 1, count: Gzip.smallest - 1), .thorough) == nil)
        let bytes = [UInt8](repeating: 7, count: 1_000_000)
        #expect(Gzip.compressed(bytes, .quick).map(inflated) == bytes)
    }
}
