// A crowd that connects at once, on plain sockets of one thread: faster than the server, so that it is always behind.
// Tests the listener of Sources/Web/Application.swift.

import Foundation
import Support
import Testing

@Suite("A crowd", .timeLimit(.minutes(10)))
struct CrowdTests {
    @Test("Of a crowd that connects at once nobody waits unaccepted behind those that keep asking")
    func accepted() async throws {
        try await withBench { bench in
            let port = bench.server.port
            // 4 connections taken in at a time, which is NIO's own number, come to 75 each time. A thread that is interrupted can come to 30.
            var fewest = Int.max
            for _ in 0..<5 where fewest > 25 {
                let most = await withCheckedContinuation { continuation in
                    Thread { continuation.resume(returning: Self.mostAnswers(beforeEachOf: 300, hasOneFrom: port)) }.start()
                }
                try #require(most > 0, "no connection broke")
                fewest = min(fewest, most)
            }
            #expect(fewest <= 25, "somebody had \(fewest) answers before the last had the first")
        }
    }

    /// Connects so many, each of which asks again as soon as it is answered; the most answers that one of them had when all had one.
    /// - Returns: 0 where a connection broke.
    private static func mostAnswers(beforeEachOf count: Int, hasOneFrom port: Int) -> Int {
        var sockets = (0..<count).map { _ in
            pollfd(fd: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), events: Int16(POLLIN), revents: 0)
        }
        defer { for socket in sockets { close(socket.fd) } }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        for socket in sockets {
            // The kernel connects, before the server has accepted.
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket.fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { return 0 }
        }
        let request = Array("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        for socket in sockets { guard write(socket.fd, request, request.count) == request.count else { return 0 } }
        var answers = Array(repeating: 0, count: count)
        var missing = count
        var answer = Array(repeating: UInt8(0), count: 4096)
        while missing > 0 {
            guard poll(&sockets, nfds_t(count), 60_000) > 0 else { return 0 }
            for index in sockets.indices where sockets[index].revents != 0 {
                // An answer is short, and comes in one piece.
                guard read(sockets[index].fd, &answer, answer.count) > 0 else { return 0 }
                if answers[index] == 0 { missing -= 1 }
                answers[index] += 1
                guard write(sockets[index].fd, request, request.count) == request.count else { return 0 }
            }
        }
        return answers.max() ?? 0
    }
}
