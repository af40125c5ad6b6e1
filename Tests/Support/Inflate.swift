// Decompresses gzip, so that tests can compare a response with its uncompressed form.

import CZlib

/// Decompresses gzip data; returns an empty array for invalid or incomplete data.
package func inflated(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, MAX_WBITS + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
        return []
    }
    defer { inflateEnd(&stream) }
    let capacity = 4_000_000
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, written in
        bytes.withUnsafeBufferPointer { input in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(capacity)
            if inflate(&stream, Z_FINISH) == Z_STREAM_END, stream.avail_in == 0 {
                written = capacity - Int(stream.avail_out)
            }
        }
    }
}
