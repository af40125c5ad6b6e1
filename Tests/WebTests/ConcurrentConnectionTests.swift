// 300 clients that connect at the same time, on plain sockets of one thread. The thread is faster than the server.

import Foundation
import Support
import Testing

@Suite("Accepting connections under load", .timeLimit(.minutes(10)))
struct ConcurrentConnectionTests {
    @Test("While 300 clients connect and send requests, no connection waits long to be accepted")
    func accepted() async throws {
        try await withTestBench { bench in
            let port = bench.server.port
            // With NIO's default of 4 accepts at a time, one client has 75 replies before another has its first. An
            // interrupted thread can cause 30, so the best of five attempts counts.
            var fewestReplies = Int.max
            for _ in 0..<5 where fewestReplies > 25 {
                let mostReplies = await withCheckedContinuation { continuation in
                    Thread { continuation.resume(returning: Self.mostReplies(ofOneAmong: 300, port: port)) }.start()
                }
                try #require(mostReplies > 0, "a connection failed")
                fewestReplies = min(fewestReplies, mostReplies)
            }
            #expect(fewestReplies <= 25, "one client had \(fewestReplies) replies before another had its first")
        }
    }

    /// Opens `count` connections. Each sends a request after every reply, until all connections have had a reply.
    /// - Returns: The number of replies of the connection with the most, or 0 if a connection failed.
    private static func mostReplies(ofOneAmong count: Int, port: Int) -> Int {
        var sockets = (0..<count).map { _ in
            pollfd(fd: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), events: Int16(POLLIN), revents: 0)
        }
        defer { for socket in sockets { close(socket.fd) } }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        for socket in sockets {
            // The kernel completes the connection before the server accepts it.
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket.fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { return 0 }
        }
        let request = Array("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        for socket in sockets { guard write(socket.fd, request, request.count) == request.count else { return 0 } }
        var replyCounts = Array(repeating: 0, count: count)
        var missing = count
        var buffer = Array(repeating: UInt8(0), count: 4096)
        while missing > 0 {
            guard poll(&sockets, nfds_t(count), 60_000) > 0 else { return 0 }
            for index in sockets.indices where sockets[index].revents != 0 {
                // A reply is short and arrives in one read.
                guard read(sockets[index].fd, &buffer, buffer.count) > 0 else { return 0 }
                if replyCounts[index] == 0 { missing -= 1 }
                replyCounts[index] += 1
                guard write(sockets[index].fd, request, request.count) == request.count else { return 0 }
            }
        }
        return replyCounts.max() ?? 0
    }
}
