// Makes of the file that staff give the photographs that guests get: upright, cut to a card's shape, in three sizes and two formats, and with nothing
// of what a camera writes beside the picture. libvips does it, in a process of its own: see ImageProgram.swift. Made by Shop and by `welms photograph`.
import Digests
import FoundationEssentials
import Glibc
import Ordering

/// Takes one photograph at a time.
package actor PhotoStudio {
    /// The largest file that is taken, in bytes.
    package static let byteLimit = 10_000_000
    /// The most pixels: what today's telephones make at most.
    package static let pixelLimit = 50_000_000
    /// Of the narrowest photograph, cut to its shape.
    package static let leastWidth = 400
    /// How wide they are made where there is enough of the photograph; nothing is made larger than it is.
    private static let widths = [leastWidth, 800, 1600]
    /// How many wait for the one that is worked on.
    private static let mostWaiting = 3

    private let program: String?
    private let limits: ImageProgram.Limits
    private var isWorking = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter program: libvips' `vips`; nil: what the PATH has when it is needed.
    package init(program: String? = nil) { self.init(program: program, limits: ImageProgram.Limits()) }

    init(program: String?, limits: ImageProgram.Limits) { (self.program, self.limits) = (program, limits) }

    /// Whether libvips is there.
    package nonisolated var isReady: Bool { executable != nil }

    private nonisolated var executable: String? {
        guard let program else { return ImageProgram.installed() }
        return access(program, X_OK) == 0 ? program : nil
    }

    /// The photograph in all its sizes and formats.
    package func develop(_ bytes: [UInt8]) async throws(PhotographRefusal) -> DevelopedPhotograph {
        guard bytes.count <= Self.byteLimit else { throw .tooLarge }
        guard let kind = ImageHead.kind(of: bytes) else { throw .unknownKind }
        guard let head = ImageHead(kind, bytes) else { throw .unreadable }
        guard !head.hasMore(than: Self.pixelLimit) else { throw .tooManyPixels }
        guard let executable else { throw .noProgram }
        try await begin()
        defer { finish() }
        let directory = try Self.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let program = ImageProgram(path: executable, directory: directory, limits: limits, end: .now + limits.time)
        do { try Data(bytes).write(to: URL(filePath: "\(directory)/given.\(kind.rawValue)")) } catch { throw .failed("\(error)") }
        return try await Self.develop("given.\(kind.rawValue)", program)
    }

    private static func develop(_ given: String, _ program: ImageProgram) async throws(PhotographRefusal) -> DevelopedPhotograph {
        // Decoded once: upright, in sRGB and as large as the largest size needs, without what stands beside the picture.
        let (width, height) = (widths[widths.count - 1], Photograph.height(at: widths[widths.count - 1]))
        try await program.run([
            "thumbnail", given, "upright.png[strip,compression=1]", "\(width)", "--height", "\(height)", "--size", "down", "--crop",
            "centre",
            "--export-profile", "srgb", "--fail-on", "error",
        ])
        var master = "upright.png"
        let made = try bytes(of: master, program)
        guard let head = ImageHead(.png, made) else { throw .unreadable }
        // A drawing on nothing stands on white, in both formats.
        if made.count > 25, made[25] & 4 != 0 {
            try await program.run(["flatten", master, "white.png[strip,compression=1]", "--background", "255"])
            master = "white.png"
        }
        let widest = min(head.width, head.height * 4 / 3, width)
        guard widest >= leastWidth else { throw .tooFewPixels }
        var files: [DevelopedPhotograph.File] = []
        for width in widths.filter({ $0 < widest }) + [widest] {
            for (format, options) in [(PhotographFormat.jpeg, "[Q=80,strip,optimize_coding]"), (.webp, "[Q=78,strip]")] {
                let file = "\(width).\(format)"
                try await program.run([
                    "thumbnail", master, file + options, "\(width)", "--height", "\(Photograph.height(at: width))", "--crop", "centre",
                ])
                let made = try bytes(of: file, program)
                guard let plain = format == .webp ? PlainWebP.plain(made) : made else { throw .failed("\(file) is no picture") }
                files.append(DevelopedPhotograph.File(width: width, format: format, bytes: plain))
            }
        }
        return DevelopedPhotograph(digest: digest(of: files), files: files)
    }

    private static func digest(of files: [DevelopedPhotograph.File]) -> String {
        SHA256Digest(of: files.flatMap { Array("\($0.width) \($0.format) \($0.bytes.count)\n".utf8) + $0.bytes }).hexadecimal()
    }

    private static func bytes(of file: String, _ program: ImageProgram) throws(PhotographRefusal) -> [UInt8] {
        // Where it says that all is well and has made nothing, it is no libvips.
        do { return try [UInt8](Data(contentsOf: URL(filePath: "\(program.directory)/\(file)"))) } catch { throw .failed("\(error)") }
    }

    /// A directory that nobody else can look into.
    private static func makeDirectory() throws(PhotographRefusal) -> String {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(place)/welms-photograph-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw .failed("no temporary directory in \(place): \(String(cString: strerror(errno)))") }
        return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: - One at a time

    private func begin() async throws(PhotographRefusal) {
        guard isWorking else {
            isWorking = true
            return
        }
        guard waiting.count < Self.mostWaiting else { throw .busy }
        // Each before it takes no longer than its limit of time.
        await withCheckedContinuation { waiting.append($0) }
    }

    private func finish() {
        if waiting.isEmpty { isWorking = false } else { waiting.removeFirst().resume() }
    }
}
