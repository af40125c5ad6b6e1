// The built program as an operator runs it: a process with its own command line.
import Foundation
import Subprocess
import Synchronization
import TestBasics

/// The `welms` executable that was built together with these tests.
package enum Program {
    /// The path of the executable.
    package static var path: String { path(of: "welms") }

    /// The path of a program of this package, in the directory of the tests' own executable.
    package static func path(of name: String) -> String {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: name).path
    }

    /// The output and the exit status of a command.
    package struct Outcome: Sendable {
        /// The exit status; nil if a signal ended the command.
        package let status: Int32?
        /// The standard output.
        package let output: String
        /// The standard error.
        package let error: String
    }

    /// Runs a command that ends by itself, in a temporary directory, which also receives the files that it writes.
    package static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        TestStart.record()
        let result = try await TemporaryDirectory.with { directory in
            try await Subprocess.run(
                .path(.init(path)), arguments: Arguments(arguments),
                environment: .inherit.updating(environment.withKeys),
                workingDirectory: .init(directory), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        }
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return Outcome(status: status, output: result.standardOutput, error: result.standardError)
    }

    /// A running server.
    package struct Server: Sendable {
        /// The process id.
        package let processID: Int32
        /// The URL on which it listens, without a slash at the end.
        package let url: String
        /// Returns the lines that the server has logged so far.
        package let log: @Sendable () -> [String]

        /// Sends a signal to the server's process alone.
        package func send(_ signal: Int32) { kill(processID, signal) }
    }

    /// Runs `welms serve` with these arguments until `body` returns, then ends it with SIGTERM.
    /// - Returns: The result of `body` and the server's exit status, nil if a signal ended it.
    /// - Throws: `ServerDidNotStart` with the server's log, if the server ends before it listens.
    @discardableResult
    package static func serve<T: Sendable>(
        _ arguments: [String], environment: [String: String] = [:], _ body: @Sendable (Server) async throws -> T
    ) async throws -> (value: T, status: Int32?) {
        let result = try await Subprocess.run(
            .path(.init(path)), arguments: Arguments(["serve"] + arguments),
            environment: .inherit.updating(environment.withKeys),
            input: .none, output: .discarded, error: .sequence
        ) { execution in
            let log = Log()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                // This task reads the pipe to its end, so that the server never blocks on its log.
                group.addTask {
                    for try await line in execution.standardError.strings() { log.add(line) }
                    log.end()
                }
                guard let url = await log.listeningURL() else { throw ServerDidNotStart(log: log.text) }
                let server = Server(processID: execution.processIdentifier.value, url: url) { log.lines }
                do {
                    let value = try await body(server)
                    server.send(SIGTERM)
                    try await group.waitForAll()
                    return value
                } catch {
                    server.send(SIGKILL)
                    throw error
                }
            }
        }
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return (result.closureResult, status)
    }

    /// A server that ended before it listened.
    package struct ServerDidNotStart: Error, CustomStringConvertible {
        /// The server's log.
        package let log: String
        /// The error message with the server's log.
        package var description: String { "the server did not start: \(log)" }
    }

    /// Returns a free port below the ephemeral range, in which a reconnecting client could take the port itself.
    package static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isFree = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
        throw SystemCallFailed(call: "bind", number: errno)
    }
}

extension [String: String] {
    fileprivate var withKeys: [Environment.Key: String?] {
        Dictionary<Environment.Key, String?>(
            map { (Environment.Key(stringLiteral: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The lines that a server logs, and the URL on which it reports to listen.
private final class Log: Sendable {
    private struct State {
        var lines: [String] = []
        var url: String?
        var hasEnded = false
        var waiting: CheckedContinuation<String?, Never>?
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }
    var text: String { lines.joined(separator: "\n") }

    func add(_ line: String) {
        let waiting = state.withLock { state in
            if state.lines.count < 1000 { state.lines.append(line) }
            guard state.url == nil, let address = line.firstRange(of: "listening on ") else {
                return CheckedContinuation<String?, Never>?.none
            }
            state.url = "http://" + line[address.upperBound...].prefix { !" \n\"".contains($0) }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: state.withLock { $0.url })
    }

    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    func listeningURL() async -> String? {
        await withCheckedContinuation { continuation in
            let known: String?? = state.withLock { state in
                if state.url != nil || state.hasEnded { return .some(state.url) }
                state.waiting = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
