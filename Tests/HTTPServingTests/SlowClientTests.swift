// Tests that a slow client stays connected while it makes progress. The sleeps make the client slow. The client runs
// on a thread of its own, so that only its sleeps decide how slow it is.
import Support
import Testing

@testable import HTTPServing

@Suite("Slow clients", .timeLimit(.minutes(2)))
struct SlowClientTests {
    /// Longer than a busy machine suspends the client of the test.
    private static let window = Duration.seconds(5)

    /// Reads the response of 8 MB at 0.7 MB a second, which takes more than two windows; returns the received bytes.
    private static func readSlowly(_ bench: TestBench) async throws -> Int {
        let thread = DispatchQueueExecutor()
        return try await withTaskExecutorPreference(thread) {
            try await bench.server.withRawConnection(receiveBuffer: 64 * 1024) { connection in
                try await connection.send("GET /v1/huge HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(try await connection.read(until: "\r\n\r\n").contains("Content-Length: 8388608\r\n"))
                var count = 0
                while let read = try? await connection.skip(100_000), read > 0 {
                    count += read
                    await thread.sleep(for: .nanoseconds(read * 1400))
                }
                return count
            }
        }
    }

    @Test("A reader that makes enough progress in each window receives its whole response")
    func slowReader() async throws {
        try await withTestBench {
            $0.connection.progressWindow = Self.window
            $0.connection.requestDeadline = Self.window
        } _: { bench in
            let start = ContinuousClock.now
            let received = try await Self.readSlowly(bench)
            #expect(received == 8_388_608)
            #expect(ContinuousClock.now - start > Self.window * 2, "the reader was not slow")
        }
    }

    @Test("A reader that takes too little in a window is disconnected")
    func tooSlowReader() async throws {
        try await withTestBench {
            // Short, so that the kernel cannot buffer the whole response before the second check.
            $0.connection.progressWindow = .milliseconds(500)
            $0.connection.progressMinimum = 1 << 30
        } _: { bench in
            let received = try await Self.readSlowly(bench)
            #expect(received < 8_388_608)
        }
    }

    @Test("A body that makes enough progress in each window is read")
    func slowBody() async throws {
        try await withTestBench {
            $0.connection.progressWindow = Self.window
            $0.connection.requestDeadline = Self.window
            $0.connection.progressMinimum = 1000
        } _: { bench in
            let start = ContinuousClock.now
            let thread = DispatchQueueExecutor()
            try await withTaskExecutorPreference(thread) {
                try await bench.server.withRawConnection { connection in
                    try await connection.send(
                        MalformedRequestTests.post + "Content-Length: 60014\r\n\r\n{\"name\":\"Ann\"")
                    for _ in 0..<120 {
                        try await connection.send(String(repeating: " ", count: 500))
                        await thread.sleep(for: .milliseconds(100))
                    }
                    try await connection.send("}")
                    #expect(try await connection.read(until: #"{"name":"Ann"}"#).hasPrefix("HTTP/1.1 200 "))
                }
            }
            #expect(ContinuousClock.now - start > Self.window * 2, "the body was not slow")
        }
    }

    @Test("The rest of a rejected body has a fixed deadline")
    func refusedBody() async throws {
        try await withTestBench {
            $0.connection.requestDeadline = Self.window
            $0.connection.progressMinimum = 1
        } _: { bench in
            try await bench.server.withRawConnection { connection in
                try await connection.send(MalformedRequestTests.post + "Transfer-Encoding: chunked\r\n\r\n")
                let chunk = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n"
                // Ends when the server closes the connection.
                while (try? await connection.send(chunk)) != nil {}
            }
        }
    }
}
