// Where the lines of the log go: standard error, whoever reads it, or nobody. Called by TextLogHandler, JSONLogHandler and LogTracer.
import Glibc
import Synchronization

/// Standard error, on which nobody waits for long.
enum LogOutput {
    /// How many milliseconds a line waits for a reader who stands still, once; then lines are left out until there is room again.
    private static let patience: Int32 = 100
    /// What a pipe takes whole, if it takes anything (PIPE_BUF in pipe(7)).
    private static let pieceSize = 4096
    private static let isStalled = Atomic(false)

    /// Writes a line with one call, so that lines of two threads don't mix; a longer one than a pipe takes whole with several. What can't be
    /// written is left out: a full disk, a reader who has gone or stands still must not end the server, as FileHandle.write(_:) would, or hold it up.
    static func write(_ line: [UInt8]) {
        line.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                guard waitUntilWritable() else { return }
                let piece = bytes[start..<min(start + pieceSize, bytes.count)]
                _ = Glibc.write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: piece).baseAddress, piece.count)
            }
        }
    }

    private static func waitUntilWritable() -> Bool {
        var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        let isWritable = poll(&output, 1, isStalled.load(ordering: .relaxed) ? 0 : patience) == 1
        isStalled.store(!isWritable, ordering: .relaxed)
        return isWritable
    }
}
