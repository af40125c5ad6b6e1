// The output of the log handlers and of the tracer. swift-log's own handler blocks in fwrite while the reader of a pipe
// stalls.
import Glibc
import Synchronization

/// Writes log lines to standard error. A slow or missing reader never blocks the server for long.
enum LogOutput {
    /// The milliseconds for which the first line waits for a stalled reader. Later lines are dropped until the pipe has
    /// space.
    private static let writeTimeout: Int32 = 100
    /// The size that a pipe accepts atomically (PIPE_BUF in pipe(7)).
    private static let chunkSize = 4096
    private static let isStalled = Atomic(false)

    /// Writes a line in chunks. Each chunk is atomic, so that short lines of two threads never mix.
    ///
    /// Drops a line that cannot be written: a full disk or a closed or stalled reader must not stop the server.
    /// FileHandle.write(_:) would end the process.
    static func write(_ line: [UInt8]) {
        line.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: chunkSize) {
                guard waitUntilWritable() else { return }
                let chunk = bytes[start..<min(start + chunkSize, bytes.count)]
                _ = Glibc.write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: chunk).baseAddress, chunk.count)
            }
        }
    }

    private static func waitUntilWritable() -> Bool {
        var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        let isWritable = poll(&output, 1, isStalled.load(ordering: .relaxed) ? 0 : writeTimeout) == 1
        isStalled.store(!isWritable, ordering: .relaxed)
        return isWritable
    }
}
