// Pictures for the tests of photographs, generated from numbers or by libvips.
// The repository contains no picture files.
import CZlib
import Foundation
import Subprocess

/// Builds pictures.
package enum TestPicture {
    /// A PNG chunk with its checksum.
    package static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc32(0, body, uInt(body.count))))
    }

    /// The value as four bytes in big-endian order.
    package static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The bytes compressed by zlib.
    package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(size))
        compress2(&packed, &size, bytes, uLong(bytes.count), 1)
        return Array(packed.prefix(Int(size)))
    }

    /// The beginning of a PNG that claims this size.
    package static func pngHead(_ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8 = 2) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, colour, 0, 0, 0])
    }

    /// A PNG that is red in its left half and blue in its right half.
    /// - Parameters:
    ///   - tint: The amount of green. Pictures with different tints differ.
    ///   - more: Chunks before the pixels.
    package static func png(_ width: Int = 400, _ height: Int = 300, tint: UInt8 = 0, more: [UInt8] = []) -> [UInt8] {
        var row: [UInt8] = [0]
        for column in 0..<width { row += column < width / 2 ? [255, tint, 0] : [0, tint, 255] }
        let pixels: [UInt8] = Array(repeatElement(row, count: height).joined())
        return pngHead(width, height) + more + chunk("IDAT", deflated(pixels)) + chunk("IEND", [])
    }

    /// Converts the PNG to JPEG or WebP with libvips.
    package static func converted(_ png: [UInt8], to name: String, _ options: [String] = []) async throws -> [UInt8] {
        try await TemporaryDirectory.with { directory in
            try Data(png).write(to: URL(filePath: "\(directory)/a.png"))
            let saver = name == "jpg" ? "jpegsave" : "webpsave"
            _ = try await vips([saver, "\(directory)/a.png", "\(directory)/b.\(name)"] + options)
            return try [UInt8](Data(contentsOf: URL(filePath: "\(directory)/b.\(name)")))
        }
    }

    /// A JPEG with these segments after its first marker.
    package static func jpeg(_ jpeg: [UInt8], with segments: [(marker: UInt8, data: [UInt8])]) -> [UInt8] {
        var all = Array(jpeg.prefix(2))
        for (marker, data) in segments {
            all += [0xFF, marker] + bigEndian(data.count + 2).suffix(2)
            all += data
        }
        return all + Array(jpeg.dropFirst(2))
    }

    /// Camera metadata: the orientation and a text (Exif 2.32, section 4.6).
    package static func exif(orientation: UInt8, text: String) -> [UInt8] {
        let note = Array(text.utf8) + [0]
        var bytes = Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8)
        bytes += [0, 2, 0x01, 0x0E, 0, 2]
        bytes += bigEndian(note.count) + bigEndian(38)
        bytes += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        return bytes + bigEndian(0) + note
    }

    /// The colour of one pixel of a JPEG, PNG or WebP.
    package static func colour(of picture: [UInt8], _ x: Int, _ y: Int) async throws -> [Int] {
        try await TemporaryDirectory.with { directory in
            try Data(picture).write(to: URL(filePath: "\(directory)/a"))
            let printed = try await vips(["getpoint", "\(directory)/a", "\(x)", "\(y)"])
            return printed.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        }
    }

    private static func vips(_ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name("vips"), arguments: Arguments(arguments), output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16))
        guard result.terminationStatus.isSuccess else { throw UnexpectedResponse(description: result.standardError) }
        return result.standardOutput
    }
}
