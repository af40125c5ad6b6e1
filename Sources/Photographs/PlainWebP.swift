// A WebP with its picture alone. libvips 8.14 writes Exif of its own into every WebP, also where it is told to write none.
// Called by PhotoStudio on what libvips has made.

enum PlainWebP {
    /// The same picture in the simple format (RFC 9649, section 2.5), without any chunk beside it; nil where there is no picture in it.
    static func plain(_ bytes: [UInt8]) -> [UInt8]? {
        guard ImageHead.kind(of: bytes) == .webp else { return nil }
        var place = 12
        while place + 8 <= bytes.count {
            let name = Array(bytes[place..<place + 4])
            let length = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            // Each chunk ends at an even place.
            let end = place + 8 + length + length % 2
            guard end <= bytes.count else { return nil }
            if name.elementsEqual("VP8 ".utf8) || name.elementsEqual("VP8L".utf8) {
                let chunk = bytes[place..<end]
                let size = chunk.count + 4
                let sizeBytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) }
                return Array("RIFF".utf8) + sizeBytes + Array("WEBP".utf8) + Array(chunk)
            }
            place = end
        }
        return nil
    }
}
