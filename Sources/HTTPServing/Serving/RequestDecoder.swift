// NIO's HTTP decoder with two additions. It continues after a request that asks for another protocol, and it limits
// bytes that are neither head nor body. Persistence reports the decoded parts.
import NIOCore
import NIOHTTP1

/// Decodes requests. A request with `Upgrade: h2c` is answered in HTTP/1.1 (RFC 9110, section 7.8). NIO's decoder stops
/// after such a request, so a new decoder replaces it.
///
/// NIO's decoder limits header fields and trailers. This decoder also counts chunk extensions, zeros before a chunk
/// size, white space around values and empty lines between requests.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    /// The parser gets at most this many bytes at once. Its parts do not tell where in the input they end, so the
    /// overhead is counted per step.
    private static let step = 4096
    /// The permitted bytes of a chunk besides its data: a size of 16 digits and two line ends.
    private static let framing = 20

    private let configuration: NIOHTTPDecoderLimitConfiguration
    /// The maximum overhead: the size of the largest head with its separators.
    private let limit: Int
    private var parser: HTTPRequestDecoder
    /// The bytes at the start of the buffer that the parser has read but not consumed.
    private var readBytes = 0
    /// Bytes that are not body data, since the last head or the last request.
    private var overhead = 0

    // The parser's output for the last bytes.
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

    /// - Parameter fresh: The number of bytes at the end of the buffer that the parser has not read yet.
    private func parse(_ buffer: inout ByteBuffer, _ fresh: Int, _ context: ChannelHandlerContext) throws {
        (hasBoundary, bodyBytes, bodyParts, endsUpgrade) = (false, 0, 0, false)
        _ = try parser.decode(context: context, buffer: &buffer)
        readBytes = buffer.readableBytes
        overhead = hasBoundary ? 0 : max(0, overhead + fresh - bodyBytes - Self.framing * bodyParts)
        guard overhead <= limit else { throw HTTPParserError.headerOverflow }
        guard endsUpgrade else { return }
        // The parser has consumed the request and nothing after it.
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
        /// None, or nothing that NIO's parser treats as an upgrade.
        case none
        /// It asks for an upgrade, and NIO's parser stops after the request.
        case ignored
        /// It may ask for an upgrade, in a way that parsers could interpret differently.
        case unclear
    }

    var upgrade: Upgrade {
        guard headers.contains(name: "upgrade") else { return .none }
        let options = headers["connection"] + headers["proxy-connection"]
        let names = options.flatMap { $0.split(separator: ",").map { $0.trimmed(" ").lowercased() } }
        guard options.contains(where: { $0.lowercased().contains("upgrade") }) else { return .none }
        // NIO's parser stops if a list member is exactly `upgrade` and the Upgrade field has a value.
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
