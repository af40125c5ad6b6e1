// Turns a file from staff into the photographs that guests get: upright, cropped to 4:3, in three sizes and two
// formats, without the camera's metadata. libvips does the work in a separate process.
import Digests
import FoundationEssentials
import Glibc
import Ordering

/// Processes one photograph at a time.
package actor PhotoProcessor {
    /// The largest file that is accepted, in bytes.
    package static let byteLimit = 10_000_000
    /// The largest number of pixels that is accepted, which is as many as today's telephones produce.
    package static let pixelLimit = 50_000_000
    /// The smallest width after cropping.
    package static let minimumWidth = 400
    /// The widths that are made. A photograph is never enlarged.
    private static let widths = [minimumWidth, 800, 1600]
    /// The maximum number of photographs that wait while one is processed.
    private static let waitingLimit = 3

    private let program: String?
    private let limits: ImageProcess.Limits
    private var isWorking = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter program: The path of libvips' `vips`; nil: it is searched on the PATH at each use.
    package init(program: String? = nil) { self.init(program: program, limits: ImageProcess.Limits()) }

    init(program: String?, limits: ImageProcess.Limits) { (self.program, self.limits) = (program, limits) }

    /// Whether libvips is installed.
    package nonisolated var isReady: Bool { executable != nil }

    private nonisolated var executable: String? {
        guard let program else { return ImageProcess.installed() }
        return access(program, X_OK) == 0 ? program : nil
    }

    /// Makes the photograph in all sizes and formats.
    package func process(_ bytes: [UInt8]) async throws(PhotographError) -> ProcessedPhotograph {
        guard bytes.count <= Self.byteLimit else { throw .tooLarge }
        guard let kind = ImageHeader.kind(of: bytes) else { throw .unsupportedFormat }
        guard let head = ImageHeader(kind, bytes) else { throw .unreadable }
        guard !head.exceeds(pixelCount: Self.pixelLimit) else { throw .tooManyPixels }
        guard let executable else { throw .libvipsMissing }
        try await begin()
        defer { finish() }
        let directory = try Self.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let program = ImageProcess(path: executable, directory: directory, limits: limits, end: .now + limits.time)
        do { try Data(bytes).write(to: URL(filePath: "\(directory)/given.\(kind.rawValue)")) } catch {
            throw .failed("\(error)")
        }
        return try await Self.process("given.\(kind.rawValue)", program)
    }

    private static func process(_ given: String, _ program: ImageProcess) async throws(PhotographError)
        -> ProcessedPhotograph
    {
        // Decodes the file once into an upright sRGB image without metadata, as large as the largest size needs.
        let (width, height) = (widths[widths.count - 1], Photograph.height(at: widths[widths.count - 1]))
        try await program.run([
            "thumbnail", given, "upright.png[strip,compression=1]", "\(width)", "--height", "\(height)", "--size",
            "down", "--crop",
            "centre",
            "--export-profile", "srgb", "--fail-on", "error",
        ])
        var master = "upright.png"
        let made = try bytes(of: master, program)
        guard let head = ImageHeader(.png, made) else { throw .unreadable }
        // A transparent image gets a white background, in both formats.
        if made.count > 25, made[25] & 4 != 0 {
            try await program.run(["flatten", master, "white.png[strip,compression=1]", "--background", "255"])
            master = "white.png"
        }
        let widest = min(head.width, head.height * 4 / 3, width)
        guard widest >= minimumWidth else { throw .tooFewPixels }
        var files: [ProcessedPhotograph.File] = []
        for width in widths.filter({ $0 < widest }) + [widest] {
            for (format, options) in [(PhotographFormat.jpeg, "[Q=80,strip,optimize_coding]"), (.webp, "[Q=78,strip]")]
            {
                let file = "\(width).\(format)"
                try await program.run([
                    "thumbnail", master, file + options, "\(width)", "--height", "\(Photograph.height(at: width))",
                    "--crop", "centre",
                ])
                let made = try bytes(of: file, program)
                guard let plain = format == .webp ? WebPMetadata.removed(from: made) : made else {
                    throw .failed("\(file) contains no image")
                }
                files.append(ProcessedPhotograph.File(width: width, format: format, bytes: plain))
            }
        }
        return ProcessedPhotograph(digest: digest(of: files), files: files)
    }

    private static func digest(of files: [ProcessedPhotograph.File]) -> String {
        SHA256Digest(of: files.flatMap { Array("\($0.width) \($0.format) \($0.bytes.count)\n".utf8) + $0.bytes })
            .hexadecimal()
    }

    private static func bytes(of file: String, _ program: ImageProcess) throws(PhotographError) -> [UInt8] {
        // Reading fails if the program reported success without writing a file, because it is not libvips.
        do { return try [UInt8](Data(contentsOf: URL(filePath: "\(program.directory)/\(file)"))) } catch {
            throw .failed("\(error)")
        }
    }

    /// Makes a directory that only this user can read.
    private static func makeDirectory() throws(PhotographError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(parent)/welms-photograph-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            throw .failed("no temporary directory in \(parent): \(String(cString: strerror(errno)))")
        }
        return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: - One at a time

    private func begin() async throws(PhotographError) {
        guard isWorking else {
            isWorking = true
            return
        }
        guard waiting.count < Self.waitingLimit else { throw .busy }
        // The wait is bounded, because each photograph has a time limit.
        await withCheckedContinuation { waiting.append($0) }
    }

    private func finish() {
        if waiting.isEmpty { isWorking = false } else { waiting.removeFirst().resume() }
    }
}
