// Removes metadata from a WebP. libvips 8.14 adds Exif data to every WebP, even with the option `strip`.

/// Removes metadata from WebP files.
enum WebPMetadata {
    /// The image in the simple format (RFC 9649, section 2.5), without other chunks; nil if there is no image.
    static func removed(from bytes: [UInt8]) -> [UInt8]? {
        guard ImageHeader.kind(of: bytes) == .webp else { return nil }
        var offset = 12
        while offset + 8 <= bytes.count {
            let name = Array(bytes[offset..<offset + 4])
            let length = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            // Chunks are padded to an even length.
            let end = offset + 8 + length + length % 2
            guard end <= bytes.count else { return nil }
            if name.elementsEqual("VP8 ".utf8) || name.elementsEqual("VP8L".utf8) {
                let chunk = bytes[offset..<end]
                let size = chunk.count + 4
                let sizeBytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) }
                return Array("RIFF".utf8) + sizeBytes + Array("WEBP".utf8) + Array(chunk)
            }
            offset = end
        }
        return nil
    }
}
