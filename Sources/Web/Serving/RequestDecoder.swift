// NIO's HTTP decoder with two additions: it goes on after a request that asks for another protocol, and it limits the
// bytes that are neither head nor body. HTTPConnections adds it in front of Persistence, which reports what it decodes.
import NIOCore
import NIOHTTP1

/// Decodes requests. A request with `Upgrade: h2c` is answered in HTTP/1.1 (RFC 9110, section 7.8), but NIO's decoder
/// stops after it, because it expects the other protocol. A new one takes its place.
///
/// NIO's decoder limits the names and values of header fields and trailers. It does not limit chunk extensions, zeros
/// before a chunk's size, white space around values and empty lines between requests. Their bytes are counted here.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    /// The parser gets at most so many bytes at once, because its parts do not say where in the bytes they ended.
    private static let step = 4096
    /// The limit of a chunk besides its data: a size of 16 digits and two line ends.
    private static let framing = 20

    private let configuration: NIOHTTPDecoderLimitConfiguration
    /// The highest overhead: as many bytes as the largest head has with its separators.
    private let limit: Int
    private var parser: HTTPRequestDecoder
    /// How many bytes at the beginning of the buffer the parser has read and not consumed.
    private var readBytes = 0
    /// Bytes since the last head, or since the last request, that are no body.
    private var overhead = 0

    // The parts that the parser made of the last bytes.
    private var hasBoundary = false
    private var bodyBytes = 0
    private var bodyParts = 0
    private var endsUpgrade = false

    init(_ configuration: NIOHTTPDecoderLimitConfiguration) {
        self.configuration = configuration
        limit = configuration.maxHeaderListSize + 4 * configuration.maxHeaderFieldCount + 64
        parser = Self.parser(configuration)
    }

    // MARK: - Reports of the next handler

    func decodedHead() { hasBoundary = true }

    func decodedBody(bytes: Int) {
        bodyBytes += bytes
        bodyParts += 1
    }

    /// - Parameter isUpgrade: Whether the request asked for another protocol, so that the parser stops.
    func decodedEnd(isUpgrade: Bool) {
        hasBoundary = true
        endsUpgrade = isUpgrade
    }

    // MARK: - ByteToMessageDecoder

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        while buffer.readableBytes > readBytes {
            let fresh = min(buffer.readableBytes - readBytes, Self.step)
            let length = readBytes + fresh
            if length == buffer.readableBytes {
                try parse(&buffer, fresh, context)
            } else if var piece = buffer.getSlice(at: buffer.readerIndex, length: length) {
                try parse(&piece, fresh, context)
                buffer.moveReaderIndex(forwardBy: length - piece.readableBytes)
            }
        }
        return .needMoreData
    }

    func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
        _ = try decode(context: context, buffer: &buffer)
        return try parser.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    func decoderAdded(context: ChannelHandlerContext) { parser.decoderAdded(context: context) }
    func decoderRemoved(context: ChannelHandlerContext) { parser.decoderRemoved(context: context) }

    /// - Parameter fresh: How many bytes at the end of the buffer the parser has not read yet.
    private func parse(_ buffer: inout ByteBuffer, _ fresh: Int, _ context: ChannelHandlerContext) throws {
        (hasBoundary, bodyBytes, bodyParts, endsUpgrade) = (false, 0, 0, false)
        _ = try parser.decode(context: context, buffer: &buffer)
        readBytes = buffer.readableBytes
        overhead = hasBoundary ? 0 : max(0, overhead + fresh - bodyBytes - Self.framing * bodyParts)
        guard overhead <= limit else { throw HTTPParserError.headerOverflow }
        guard endsUpgrade else { return }
        // The parser has consumed the request and nothing behind it.
        parser.decoderRemoved(context: context)
        parser = Self.parser(configuration)
        parser.decoderAdded(context: context)
        readBytes = 0
    }

    private static func parser(_ configuration: NIOHTTPDecoderLimitConfiguration) -> HTTPRequestDecoder {
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: configuration)
    }
}

extension HTTPRequestHead {
    /// The other protocol that the head asks for.
    enum Upgrade {
        /// Nothing, or nothing that NIO's parser takes for an upgrade.
        case none
        /// It asks for one, and NIO's parser stops behind the request.
        case ignored
        /// It may ask for one, in a way in which parsers could differ.
        case unclear
    }

    var upgrade: Upgrade {
        guard headers.contains(name: "upgrade") else { return .none }
        let options = headers["connection"] + headers["proxy-connection"]
        let names = options.flatMap { $0.split(separator: ",").map { $0.trimmed(" ").lowercased() } }
        guard options.contains(where: { $0.lowercased().contains("upgrade") }) else { return .none }
        // NIO's parser stops if a member of the list is exactly `upgrade` and if the Upgrade field has a value.
        let isClear =
            names.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
            && headers["upgrade"].allSatisfy { !$0.isEmpty }
        guard isClear else { return .unclear }
        return names.contains("upgrade") ? .ignored : .none
    }
}

extension Substring {
    fileprivate func trimmed(_ character: Character) -> Substring {
        var rest = drop { $0 == character }
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
