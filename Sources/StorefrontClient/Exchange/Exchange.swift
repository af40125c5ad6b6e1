// The way of every call but the streams: an attempt, and where it is safe another one, until there is an answer or no time left.
// Called by the functions of the features. Read next: Outgoing.swift for what is safe, Backoff.swift for the pauses.
import AsyncHTTPClient
import NIOCore

/// The transport to one server, and what was read from it.
struct Exchange: Sendable {
    /// The server's address without a slash at the end.
    let address: String
    let configuration: ClientConfiguration
    let timing: Timing
    /// What was read, but for the menu.
    let remembered: RememberedAnswers
    let http: HTTPClient

    init(with address: String, _ configuration: ClientConfiguration) {
        (self.address, self.configuration) = (address, configuration)
        timing = Timing(configuration.clock)
        remembered = RememberedAnswers(countLimit: configuration.rememberedAnswers, byteLimit: configuration.rememberedBytes)
        http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(configuration))
    }

    /// Sends a request until it is answered, refused for good, or the time is over.
    /// - Parameter timeout: How long an attempt may take; never longer than what is left of the deadline.
    func send(_ outgoing: Outgoing, attemptTimeout: Duration? = nil) async throws(StorefrontError) -> Incoming {
        let end = timing.now() + configuration.deadline
        var failures = 0
        /// An attempt that may have been done after all; a later one that certainly was not does not change that.
        var doubtful: StorefrontError?
        while true {
            let timeout = min(attemptTimeout ?? configuration.attemptTimeout, end - timing.now())
            let failure: StorefrontError
            do throws(StorefrontError) { return try await attempt(outgoing, within: timeout) } catch { failure = error }
            failures += 1
            if failure.mayHaveBeenDone { doubtful = failure }
            let pause = configuration.backoff.pause(afterFailures: failures, retryAfter: failure.retryAfter)
            guard failures < configuration.attempts, outgoing.repeats.allow(after: failure), timing.now() + pause < end else {
                throw failure.isPassing ? doubtful ?? failure : failure
            }
            configuration.logger.debug(
                "Trying again", metadata: ["path": "\(outgoing.path)", "failures": "\(failures)", "error": "\(failure)"])
            try await wait(pause)
        }
    }

    func send<Body: Decodable>(_ outgoing: Outgoing, as _: Body.Type = Body.self) async throws(StorefrontError) -> Body {
        try await send(outgoing).decoded()
    }

    func wait(_ pause: Duration) async throws(StorefrontError) {
        do { try await timing.sleep(pause) } catch { throw .cancelled }
    }

    func request(_ outgoing: Outgoing) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address + outgoing.path)
        request.method = outgoing.method
        request.headers.add(name: "User-Agent", value: "welms-storefront-client")
        if let languages = configuration.languages { request.headers.add(name: "Accept-Language", value: languages) }
        for (name, value) in outgoing.headers { request.headers.add(name: name, value: value) }
        if let body = outgoing.body { request.body = .bytes(ByteBuffer(bytes: body)) }
        return request
    }

    /// One attempt, head and body within this time: the transport's own deadline ends with the head.
    private func attempt(_ outgoing: Outgoing, within timeout: Duration) async throws(StorefrontError) -> Incoming {
        let result = await withTaskGroup(of: Result<Incoming, StorefrontError>.self) { group in
            group.addTask { await answer(to: outgoing) }
            group.addTask {
                do {
                    try await Task.sleep(for: timeout)
                    return .failure(.unreachable(Unreachable(reason: "no answer within \(timeout)", mayHaveBeenDone: true)))
                } catch {
                    return .failure(.cancelled)
                }
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        return try result.get()
    }

    private func answer(to outgoing: Outgoing) async -> Result<Incoming, StorefrontError> {
        do {
            let response = try await http.execute(request(outgoing), deadline: .distantFuture)
            let body = try await response.body.collect(upTo: configuration.answerLimit)
            let incoming = Incoming(status: Int(response.status.code), headers: response.headers, body: Array(buffer: body))
            switch incoming.status {
            case 200...299, 304, outgoing.takes: return .success(incoming)
            default: return .failure(StorefrontError(refusal: incoming))
            }
        } catch {
            return .failure(StorefrontError(transport: error))
        }
    }
}

extension HTTPClient.Configuration {
    /// What the transport itself has to mind. Redirects are none of the contract; who retries is Exchange.
    fileprivate init(_ configuration: ClientConfiguration) {
        self.init()
        redirectConfiguration = .disallow
        timeout = Timeout(connect: TimeAmount(configuration.connectTimeout), read: TimeAmount(configuration.silence))
        connectionPool.retryConnectionEstablishment = false
        // A stream of events keeps its connection for as long as it is followed: with the transport's 8, eight of them leave none for a call.
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        tracing.tracer = configuration.tracer
    }
}
