// Compresses with gzip (RFC 1952) through zlib. For responses that are sent often or are large. Compression of a small
// response that is sent once costs more than it saves. HTTPResponseCompressor of swift-nio-extras compresses each
// response again, on the event loop.
import CZlib

package enum Gzip {
    /// The compression level of zlib, 1 to 9.
    package enum Effort: Int32 {
        /// For a single response: 40 MB a second.
        case quick = 1
        /// For stored responses: a tenth smaller, at a third of the speed.
        case thorough = 9
    }

    /// Smaller responses stay uncompressed, because they fit in one packet with their headers anyway.
    static let smallest = 512

    /// The compressed bytes; nil if they are not smaller.
    static func compressed(_ bytes: [UInt8], _ effort: Effort) -> [UInt8]? {
        guard bytes.count >= smallest, let count = UInt32(exactly: bytes.count) else { return nil }
        var stream = z_stream()
        let gzipWindow = MAX_WBITS + 16
        guard
            deflateInit2_(
                &stream, effort.rawValue, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        // Output that is not smaller than the input is not worth sending.
        let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, written in
            bytes.withUnsafeBufferPointer { input in
                // zlib only reads its input, but its type predates const.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = count
                stream.next_out = output.baseAddress
                stream.avail_out = count
                if deflate(&stream, Z_FINISH) == Z_STREAM_END { written = bytes.count - Int(stream.avail_out) }
            }
        }
        return compressed.isEmpty || compressed.count >= bytes.count ? nil : compressed
    }
}
