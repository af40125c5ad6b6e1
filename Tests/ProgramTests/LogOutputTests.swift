// The program when its log cannot be written: a full disk, a closed reader or a stalled reader.

import Foundation
import Subprocess
import Support
import Testing

@Suite("Log output that cannot be written", .timeLimit(.minutes(5)))
struct LogOutputTests {
    /// The reason why standard error cannot be written.
    enum Obstacle: String, CaseIterable {
        case fullDisk, closedReader, stalledReader
    }

    @Test(
        "A server whose log cannot be written keeps answering and ends with 0", arguments: ["text", "json"],
        Obstacle.allCases)
    func notWritable(format: String, obstacle: Obstacle) async throws {
        try await TestDatabase.with(.seeded) { database in
            try await TemporaryDirectory.with { directory in
                var log = "/dev/full"
                var reader: FileHandle?
                if obstacle != .fullDisk {
                    log = directory + "/log"
                    try #require(mkfifo(log, 0o600) == 0)
                    reader = FileHandle(fileDescriptor: open(log, O_RDONLY | O_NONBLOCK), closeOnDealloc: false)
                }
                let port = try Program.freePort()
                // At trace level a request logs some hundred bytes, so 1,000 requests fill a pipe of 64 kB.
                let arguments =
                    [
                        "-c", #"log=$1; shift; exec "$0" "$@" 2> "$log""#, Program.path, log, "serve", "--port",
                        "\(port)", "--log-level",
                        "trace",
                    ]
                    + ["--log-format", format, "--drain-seconds", "0"] + database.serveArguments
                let ended = try await Subprocess.run(
                    .path("/bin/sh"), arguments: Arguments(arguments), input: .none, output: .discarded,
                    error: .discarded
                ) { execution in
                    defer { kill(execution.processIdentifier.value, SIGTERM) }
                    try await TestServer.connect(port: port) { client in
                        try await eventually("the server is ready") { (try? await client.get("/readyz").status) == 200 }
                        if obstacle == .closedReader { try reader?.close() }
                        for _ in 0..<1000 {
                            let status = try await client.get("/v1/menu/2001").status
                            #expect(status == 200)
                        }
                    }
                }
                #expect(ended.terminationStatus == .exited(0))
                if obstacle == .stalledReader { try reader?.close() }
            }
        }
    }

    @Test("A command completes although the reader of its log is closed", arguments: ["text", "json"])
    func commands(format: String) async throws {
        try await TestDatabase.with { database in
            try await TemporaryDirectory.with { directory in
                let log = directory + "/log"
                try #require(mkfifo(log, 0o600) == 0)
                for command in ["migrate", "seed"] {
                    // When no reader has the pipe open, each write fails.
                    let script = #"log=$1; shift; exec 3<> "$log" 2> "$log" 3>&-; exec "$0" "$@""#
                    let arguments = [
                        command, "--log-level", "trace", "--log-format", format, "--database-url", database.url,
                    ]
                    let ended = try await Subprocess.run(
                        .path("/bin/sh"), arguments: Arguments(["-c", script, Program.path, log] + arguments),
                        input: .none,
                        output: .discarded, error: .discarded)
                    #expect(ended.terminationStatus == .exited(0), "\(command)")
                }
                let items = try await database.psql("select count(*) from menu_items")
                #expect(items == "21")
            }
        }
    }

    @Test("When the disk is full, welms openapi fails with one line of error")
    func printing() async throws {
        let ended = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", #"exec "$0" openapi > /dev/full"#, Program.path], input: .none,
            output: .discarded,
            error: .string(limit: 4096))
        #expect(ended.terminationStatus == .exited(1))
        #expect(ended.standardError.trimmed.split(separator: "\n").count == 1, "\(ended.standardError)")
        #expect(ended.standardError.contains("can't be written"))
    }
}
