// An event stream that reconnects and resumes after the last event (Last-Event-ID), as EventSource does in browsers
// (HTML standard, section 9.2). The server ends a stream with 204.
import AsyncHTTPClient
import NIOCore

/// Iterates over the events of a path.
struct ResumingStream {
    private let transport: Transport
    private let path: String
    private let token: String?
    private var parser: EventStreamParser
    private var body: HTTPClientResponse.Body.AsyncIterator?
    /// Complete events that were not returned yet, the newest first.
    private var pending: [(event: StreamEvent, id: String?)] = []
    /// The id of the last returned event.
    private var lastID: String?
    private var backoff = ReconnectBackoff()

    init(transport: Transport, path: String, token: String? = nil, lastID: String?) {
        (self.transport, self.path, self.token, self.lastID) = (transport, path, token, lastID)
        parser = EventStreamParser(lastID: lastID)
    }

    /// Returns the next event, or nil when the server ends the stream.
    mutating func next() async throws(StorefrontError) -> StreamEvent? {
        while true {
            if let (event, id) = pending.popLast() {
                lastID = id
                return event
            }
            do throws(StorefrontError) {
                guard body != nil else {
                    guard try await connect() else { return nil }
                    continue
                }
                try await readMore()
            } catch {
                body = nil
                try await backoff.waitBeforeReconnecting(transport, path: path, after: error)
            }
        }
    }

    /// Opens the stream after the last event. Returns false if the stream has ended.
    private mutating func connect() async throws(StorefrontError) -> Bool {
        var outgoing = OutgoingRequest(.GET, path, .always)
        outgoing.headers.append(("Accept", "text/event-stream"))
        outgoing.authorise(token)
        if let lastID { outgoing.headers.append(("Last-Event-ID", lastID)) }
        parser = EventStreamParser(lastID: lastID)
        let response: HTTPClientResponse
        let rejection: IncomingResponse
        do {
            // This timeout covers only the response's head. After that, the idle timeout applies.
            response = try await transport.http.execute(
                transport.request(outgoing), timeout: TimeAmount(transport.configuration.attemptTimeout))
            switch response.status.code {
            case 200:
                body = response.body.makeAsyncIterator()
                return true
            case 204: return false
            default:
                let bytes = try await response.body.collect(upTo: transport.configuration.responseByteLimit)
                rejection = IncomingResponse(
                    status: Int(response.status.code), headers: response.headers, body: Array(buffer: bytes))
            }
        } catch {
            throw StorefrontError(transport: error)
        }
        throw StorefrontError(errorResponse: rejection)
    }

    private mutating func readMore() async throws(StorefrontError) {
        do {
            guard let bytes = try await body?.next() else {
                if Task.isCancelled { throw StorefrontError.cancelled }
                throw StorefrontError.transportFailure(
                    TransportFailure(reason: "the stream ended", mayHaveTakenEffect: false))
            }
            pending = try parser.parse(bytes.readableBytesView).reversed()
        } catch is EventStreamParser.SizeLimitExceeded {
            throw .unexpectedResponse(status: 200, reason: "an event larger than 64 KiB")
        } catch let error as StorefrontError {
            throw error
        } catch {
            throw StorefrontError(transport: error)
        }
        if let retry = parser.reconnectionTime { backoff.baseDelay = retry }
        // Opening a stream does not prove that the server works again. An event or a heartbeat does.
        if parser.hasHeartbeat || !pending.isEmpty { backoff.reset() }
    }
}
