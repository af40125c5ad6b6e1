// Parses the header of an image: its format and its size in pixels. The bytes are untrusted, so every offset is checked
// against their length. libvips decodes in a separate process, which an image with too many pixels does not start.

/// The header of a JPEG, PNG or WebP image.
struct ImageHeader: Hashable {
    enum Kind: String { case jpeg, png, webp }

    let kind: Kind
    let width: Int
    let height: Int

    /// The format that the first bytes indicate; nil for any other format.
    static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
            return .webp
        }
        return nil
    }

    /// Nil if the bytes contain no valid header of this format, or if the width or the height is 0.
    init?(_ kind: Kind, _ bytes: [UInt8]) {
        let size: (width: Int, height: Int)? =
            switch kind {
            case .jpeg: Self.jpeg(bytes)
            case .png: Self.png(bytes)
            case .webp: Self.webp(bytes)
            }
        guard let size, size.width > 0, size.height > 0 else { return nil }
        (self.kind, width, height) = (kind, size.width, size.height)
    }

    /// Whether the image has more pixels than the limit. Divides, because a product of two 32-bit numbers can overflow.
    func exceeds(pixelCount pixels: Int) -> Bool { width > pixels / height }

    /// Reads IHDR, which comes first (PNG, section 11.2.1).
    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (bigEndian(bytes, at: 16, count: 4), bigEndian(bytes, at: 20, count: 4))
    }

    /// Reads the first frame header, going from marker to marker as libjpeg does (ITU T.81, annex B).
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var offset = 2
        while true {
            while offset < bytes.count, bytes[offset] != 0xFF { offset += 1 }
            while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
            guard offset < bytes.count else { return nil }
            let marker = bytes[offset]
            offset += 1
            switch marker {
            case 0x00, 0x01, 0xD0...0xD7: continue
            case 0xD8, 0xD9, 0xDA: return nil
            default: break
            }
            guard offset + 2 <= bytes.count else { return nil }
            let length = bigEndian(bytes, at: offset, count: 2)
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard length >= 7, offset + 7 <= bytes.count else { return nil }
                return (bigEndian(bytes, at: offset + 5, count: 2), bigEndian(bytes, at: offset + 3, count: 2))
            }
            guard length >= 2 else { return nil }
            offset += length
        }
    }

    /// Reads the first chunk: VP8, VP8L or VP8X (RFC 9649, section 2).
    private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ":
            guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return (littleEndian(bytes, at: 26, count: 2) & 0x3FFF, littleEndian(bytes, at: 28, count: 2) & 0x3FFF)
        case "VP8L":
            guard bytes[20] == 0x2F else { return nil }
            let bits = littleEndian(bytes, at: 21, count: 4)
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        case "VP8X": return (littleEndian(bytes, at: 24, count: 3) + 1, littleEndian(bytes, at: 27, count: 3) + 1)
        default: return nil
        }
    }

    private static func bigEndian(_ bytes: [UInt8], at offset: Int, count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ bytes: [UInt8], at offset: Int, count: Int) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
