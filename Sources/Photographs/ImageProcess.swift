// Runs the libvips program on one file, in a process without our environment and with resource limits. The programs
// `timeout` and `prlimit`, which every Debian has, set the limits. So none of our code runs in the child.
import Glibc
import Subprocess

/// One libvips process.
struct ImageProcess: Sendable {
    /// Resource limits of a run.
    struct Limits: Sendable {
        /// Wall-clock time of all runs for one photograph together. After it, the process and its children are killed.
        var time = Duration.seconds(30)
        /// Processor time in seconds.
        var processorSeconds = 20
        /// Address space in bytes. A progressive JPEG of 50 megapixels has to be in memory as a whole, which takes half
        /// of this limit.
        var memory = 1 << 30
        /// Size of each file that the process writes, in bytes.
        var fileSize = 64 << 20
    }

    let path: String
    let directory: String
    let limits: Limits
    let end: ContinuousClock.Instant

    /// The path of `vips` on the PATH; nil if it is not installed.
    static func installed() -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/vips" }.first { access($0, X_OK) == 0 }
    }

    /// Runs the program and waits until it ends.
    func run(_ arguments: [String]) async throws(PhotographError) {
        let remaining = end - .now
        guard remaining > .zero else { throw .resourceLimitExceeded }
        let milliseconds =
            remaining.components.seconds * 1000 + remaining.components.attoseconds / 1_000_000_000_000_000
        // Formatted with three decimals: 29.050.
        let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
        let line =
            ["--signal=KILL", seconds, "/usr/bin/prlimit", "--as=\(limits.memory)", "--cpu=\(limits.processorSeconds)"]
            + ["--fsize=\(limits.fileSize)", "--core=0", "--", path] + arguments
        var options = PlatformOptions()
        // Ctrl-C in the terminal must not reach the child while our process finishes its requests.
        options.createSession = true
        // `timeout` forwards the signal to its child.
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .milliseconds(200))]
        let status: TerminationStatus
        do {
            status = try await Subprocess.run(
                .path("/usr/bin/timeout"), arguments: Arguments(line), environment: environment,
                workingDirectory: .init(directory),
                platformOptions: options, input: .none, output: .discarded, error: .discarded
            ).terminationStatus
        } catch {
            throw .failed("\(error)")
        }
        switch status {
        case .exited(0): return
        // Exit statuses of `timeout`: the time limit was reached, or the child was killed.
        case .exited(124), .exited(128...): throw .resourceLimitExceeded
        case .exited: throw .unreadable
        // `timeout` ends itself with the signal that ended its child.
        case .signaled(SIGSEGV), .signaled(SIGABRT), .signaled(SIGTRAP), .signaled(SIGBUS): throw .unreadable
        case .signaled: throw .resourceLimitExceeded
        }
    }

    /// A minimal environment. libvips reads JPEG, PNG and WebP, but blocks formats that it calls untrusted, such as SVG
    /// and PDF.
    private var environment: Environment {
        .custom([
            "PATH": "/usr/bin:/bin", "HOME": "\(directory)", "TMPDIR": "\(directory)", "LC_ALL": "C.UTF-8",
            "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1", "VIPS_DISC_THRESHOLD": "\(limits.memory)",
            "MALLOC_ARENA_MAX": "2",
        ])
    }
}
