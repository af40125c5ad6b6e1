// What the first bytes of an image say: which kind it is and how many pixels it has. Nothing of it is decoded here: that is for a process of its own.
// Called by PhotoStudio. Every number comes from outside, so none is believed before it is known to lie within the bytes.

/// The head of a JPEG, a PNG or a WebP.
struct ImageHead: Hashable {
    enum Kind: String { case jpeg, png, webp }

    let kind: Kind
    let width: Int
    let height: Int

    /// Nil where the bytes begin like none of the three.
    static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) { return .webp }
        return nil
    }

    /// Nil where the bytes have no head of this kind, or an image without pixels.
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

    /// Whether it has more pixels than these. No product: two numbers of 32 bits may have one that is none.
    func hasMore(than pixels: Int) -> Bool { width > pixels / height }

    /// IHDR comes first (PNG, section 11.2.1).
    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (number(bytes, at: 16, count: 4), number(bytes, at: 20, count: 4))
    }

    /// The first frame header, by going from marker to marker as libjpeg does (ITU T.81, annex B).
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var place = 2
        while true {
            while place < bytes.count, bytes[place] != 0xFF { place += 1 }
            while place < bytes.count, bytes[place] == 0xFF { place += 1 }
            guard place < bytes.count else { return nil }
            let marker = bytes[place]
            place += 1
            switch marker {
            case 0x00, 0x01, 0xD0...0xD7: continue
            case 0xD8, 0xD9, 0xDA: return nil
            default: break
            }
            guard place + 2 <= bytes.count else { return nil }
            let length = number(bytes, at: place, count: 2)
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard length >= 7, place + 7 <= bytes.count else { return nil }
                return (number(bytes, at: place + 5, count: 2), number(bytes, at: place + 3, count: 2))
            }
            guard length >= 2 else { return nil }
            place += length
        }
    }

    /// The first chunk: VP8, VP8L or VP8X (RFC 9649, section 2).
    private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ":
            guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return (little(bytes, at: 26, count: 2) & 0x3FFF, little(bytes, at: 28, count: 2) & 0x3FFF)
        case "VP8L":
            guard bytes[20] == 0x2F else { return nil }
            let bits = little(bytes, at: 21, count: 4)
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        case "VP8X": return (little(bytes, at: 24, count: 3) + 1, little(bytes, at: 27, count: 3) + 1)
        default: return nil
        }
    }

    private static func number(_ bytes: [UInt8], at place: Int, count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: [UInt8], at place: Int, count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
