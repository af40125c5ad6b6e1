// Bytes as gzip (RFC 1952), by zlib. Called where an answer is made that is sent often or is large; a checkout's answer, some hundred
// bytes, is never compressed. Read next: Requests/AcceptedEncodings.swift.
import CZlib

enum Gzip {
    /// How hard zlib tries, 1 to 9.
    enum Effort: Int32 {
        /// For what is made for one answer: 40 MB a second.
        case quick = 1
        /// For what is kept: a tenth smaller, at a third of the speed.
        case thorough = 9
    }

    /// Below so many bytes an answer goes out as it is: with its headers it is one packet either way.
    static let smallest = 512

    /// The bytes compressed; nil if that does not make them smaller.
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
        // What does not fit into less than there was is not worth sending.
        let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, written in
            bytes.withUnsafeBufferPointer { input in
                // zlib reads its input only; its type is older than const.
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
