// A table of conditional requests: If-None-Match compares weakly, If-Match strongly (RFC 9110, section 13.1).

import Support
import Testing

@testable import HTTPServing

@Suite("Conditional requests", .timeLimit(.minutes(10)))
struct ConditionalRequestTests {
    /// The header's value, whether a GET returns 304, and whether a change is permitted.
    static let table: [(value: String, isNotModified: Bool, mayChange: Bool)] = [
        ("\"va.2\"", true, true),
        ("W/\"va.2\"", true, false),
        ("*", true, true),
        ("  *  ", true, true),
        ("\"other\", \"va.2\"", true, true),
        ("\"other\",W/\"va.2\"", true, false),
        ("\"other\" , , \"va.2\" ,", true, true),
        ("va.2", true, true),
        ("\"a,b\", \"va.2\"", true, true),
        ("\"a,\\\"va.2\"", false, false),
        ("\"other\"", false, false),
        ("\"va.2", false, false),
        ("\"VA.2\"", false, false),
        ("w/\"va.2\"", false, false),
        ("\"va.2 \"", false, false),
        ("\"x\", *", false, false),
        ("*, \"x\"", false, false),
        ("**", false, false),
        (",,,", false, false),
        ("W/", false, false),
        ("\"\"", false, false),
    ]

    @Test("A conditional request returns the status of the table", arguments: table)
    func follows(_ value: String, _ isNotModified: Bool, _ mayChange: Bool) async throws {
        try await withTestBench { bench in
            let read = try await bench.server.get("/v1/versioned", headers: [("If-None-Match", value)])
            #expect(read.status == (isNotModified ? 304 : 200))
            #expect(read.header("ETag") == "\"va.2\"")
            #expect(read.header("Cache-Control") == "no-cache")
            #expect(read.body.isEmpty == isNotModified)
            let head = try await bench.server.send("HEAD", "/v1/versioned", headers: [("If-None-Match", value)])
            #expect(head.status == (isNotModified ? 304 : 200))
            let change = try await bench.server.send("POST", "/v1/versioned", headers: [("If-Match", value)])
            #expect(change.status == (mayChange ? 200 : 412))
            if !mayChange { #expect(change.text.contains("precondition_failed")) }
        }
    }

    @Test("Several header lines are read as one list, and a missing header is no condition")
    func lines() async throws {
        try await withTestBench { bench in
            let read = try await bench.server.get(
                "/v1/versioned", headers: [("If-None-Match", "\"x\""), ("If-None-Match", "\"va.2\"")])
            #expect(read.status == 304)
            #expect(try await bench.server.get("/v1/versioned").status == 200)
            #expect(try await bench.server.send("POST", "/v1/versioned").status == 200)
        }
    }

    @Test("A condition is evaluated in linear time", arguments: [",", "\"", "W/", "*", "\"a\"", " ", "W/\"", "a "])
    func linear(_ piece: String) {
        let value = String(repeating: piece, count: 200_000)
        #expect(!Request.matches([value], EntityTag(opaque: "v1"), takesWeak: true))
    }

    @Test("The tag of equal bytes is equal, and any changed byte changes the tag")
    func hashing() {
        let tag = EntityTag(hashing: Array("text".utf8))
        #expect(tag == EntityTag(hashing: Array("text".utf8)))
        #expect(tag != EntityTag(hashing: Array("texT".utf8)))
        #expect(tag.opaque.count == 32)
    }
}
