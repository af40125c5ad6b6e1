// Runs libvips' own program on one file, in a process of its own that gets nothing of ours and is ended when it takes too much.
// Called by PhotoStudio. The limits are set by programs of every Debian (timeout, prlimit), so that nothing of our process runs in the child.
import Glibc
import Subprocess

struct ImageProgram: Sendable {
    /// What one run may take.
    struct Limits: Sendable {
        /// By the clock, all runs of a photograph together; then it is killed, with all that it started.
        var time = Duration.seconds(30)
        /// Of the processor, in seconds.
        var processorSeconds = 20
        /// Of memory: 50 megapixels of a progressive JPEG, which has to be held whole, take half of it.
        var memory = 1 << 30
        /// Of each file that it writes.
        var fileSize = 64 << 20
    }

    let path: String
    let directory: String
    let limits: Limits
    let end: ContinuousClock.Instant

    /// Where `vips` lies, as the environment has it; nil: nowhere.
    static func installed() -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/vips" }.first { access($0, X_OK) == 0 }
    }

    /// Runs it to its end.
    func run(_ arguments: [String]) async throws(PhotographRefusal) {
        let left = end - .now
        guard left > .zero else { throw .tooCostly }
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
        // As text with three decimals: 29.050.
        let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
        let line =
            ["--signal=KILL", seconds, "/usr/bin/prlimit", "--as=\(limits.memory)", "--cpu=\(limits.processorSeconds)"]
            + ["--fsize=\(limits.fileSize)", "--core=0", "--", path] + arguments
        var options = PlatformOptions()
        // A Ctrl-C in the terminal must not reach it while ours finishes what is in flight.
        options.createSession = true
        // timeout hands it on to what it runs.
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .milliseconds(200))]
        let status: TerminationStatus
        do {
            status = try await Subprocess.run(
                .path("/usr/bin/timeout"), arguments: Arguments(line), environment: environment, workingDirectory: .init(directory),
                platformOptions: options, input: .none, output: .discarded, error: .discarded
            ).terminationStatus
        } catch {
            throw .failed("\(error)")
        }
        switch status {
        case .exited(0): return
        // timeout's own: its time was over, or what it ran was killed.
        case .exited(124), .exited(128...): throw .tooCostly
        case .exited: throw .unreadable
        // It ends itself as what it ran was ended.
        case .signaled(SIGSEGV), .signaled(SIGABRT), .signaled(SIGTRAP), .signaled(SIGBUS): throw .unreadable
        case .signaled: throw .tooCostly
        }
    }

    /// Nothing of ours. What libvips does not call safe for files from outside stays shut: it reads JPEG, PNG and WebP, and no SVG or PDF.
    private var environment: Environment {
        .custom([
            "PATH": "/usr/bin:/bin", "HOME": "\(directory)", "TMPDIR": "\(directory)", "LC_ALL": "C.UTF-8", "VIPS_BLOCK_UNTRUSTED": "1",
            "VIPS_CONCURRENCY": "1", "VIPS_DISC_THRESHOLD": "\(limits.memory)", "MALLOC_ARENA_MAX": "2",
        ])
    }
}
