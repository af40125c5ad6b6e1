// A stream of events that comes back by itself after the last event it was told (Last-Event-ID), as browsers' event sources do (HTML
// standard, section 9.2). A server that is away is asked again with growing pauses. 204 says that there is nothing more to come.
// Used by OrderEvents and ErrorEvents. Read next: StreamPatience.swift, StreamEvent.swift.
import AsyncHTTPClient
import NIOCore

/// An iterator over the events of a path.
struct ResumingStream {
    private let exchange: Exchange
    private let path: String
    private let token: String?
    private var parser: EventStreamParser
    private var body: HTTPClientResponse.Body.AsyncIterator?
    /// Complete events that were not handed out yet, in reverse.
    private var pending: [(event: StreamEvent, id: String?)] = []
    /// The id of the event handed out last.
    private var lastID: String?
    private var patience = StreamPatience()

    init(exchange: Exchange, path: String, token: String? = nil, lastID: String?) {
        (self.exchange, self.path, self.token, self.lastID) = (exchange, path, token, lastID)
        parser = EventStreamParser(lastID: lastID)
    }

    /// The next event; nil when the server says that there are no more.
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
                try await patience.pause(exchange, path: path, after: error)
            }
        }
    }

    /// Opens the stream after the last event; false if it is over.
    private mutating func connect() async throws(StorefrontError) -> Bool {
        var outgoing = Outgoing(.GET, path, .always)
        outgoing.headers.append(("Accept", "text/event-stream"))
        outgoing.authorize(token)
        if let lastID { outgoing.headers.append(("Last-Event-ID", lastID)) }
        parser = EventStreamParser(lastID: lastID)
        let response: HTTPClientResponse
        let refusal: Incoming
        do {
            // The time ends with the head of the answer; after it, silence is what ends a stream.
            response = try await exchange.http.execute(
                exchange.request(outgoing), timeout: TimeAmount(exchange.configuration.attemptTimeout))
            switch response.status.code {
            case 200:
                body = response.body.makeAsyncIterator()
                return true
            case 204: return false
            default:
                let bytes = try await response.body.collect(upTo: exchange.configuration.answerLimit)
                refusal = Incoming(status: Int(response.status.code), headers: response.headers, body: Array(buffer: bytes))
            }
        } catch {
            throw StorefrontError(transport: error)
        }
        throw StorefrontError(refusal: refusal)
    }

    private mutating func readMore() async throws(StorefrontError) {
        do {
            guard let bytes = try await body?.next() else {
                if Task.isCancelled { throw StorefrontError.cancelled }
                throw StorefrontError.unreachable(Unreachable(reason: "the stream ended", mayHaveBeenDone: false))
            }
            pending = try parser.take(bytes.readableBytesView).reversed()
        } catch is EventStreamParser.TooLarge {
            throw .undecodable(status: 200, reason: "an event larger than 64 KiB")
        } catch let error as StorefrontError {
            throw error
        } catch {
            throw StorefrontError(transport: error)
        }
        if let retry = parser.retry { patience.retry = retry }
        // A server that only ever opens streams has not come back; one that goes on, if only with heartbeats, has.
        if parser.hasHeartbeat || !pending.isEmpty { patience.renew() }
    }
}
