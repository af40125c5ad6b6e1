// Sends a request, and retries it if that is safe, until there is a response or the time is used up. AsyncHTTPClient
// repeats only attempts to connect.
import AsyncHTTPClient
import NIOCore

/// The HTTP transport to one server, with its response cache.
struct Transport: Sendable {
    /// The server's URL without a trailing slash.
    let address: String
    let configuration: ClientConfiguration
    let clock: AnyClock
    /// Cached responses, except for the menu.
    let cache: ResponseCache
    let http: HTTPClient

    init(with address: String, _ configuration: ClientConfiguration) {
        (self.address, self.configuration) = (address, configuration)
        clock = AnyClock(configuration.clock)
        cache = ResponseCache(countLimit: configuration.cacheEntryLimit, byteLimit: configuration.cacheByteLimit)
        http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(configuration))
    }

    /// Sends a request until there is a response, a permanent error or no time left.
    /// - Parameter attemptTimeout: The timeout of one attempt. An attempt also ends with the call's timeout.
    func send(_ outgoing: OutgoingRequest, attemptTimeout: Duration? = nil) async throws(StorefrontError)
        -> IncomingResponse
    {
        let deadline = clock.now() + configuration.callTimeout
        var failureCount = 0
        // The last failure of an attempt that may have taken effect. It is thrown instead of a later transient failure.
        var ambiguousFailure: StorefrontError?
        while true {
            let timeout = min(attemptTimeout ?? configuration.attemptTimeout, deadline - clock.now())
            let failure: StorefrontError
            do throws(StorefrontError) { return try await attempt(outgoing, within: timeout) } catch { failure = error }
            failureCount += 1
            if failure.mayHaveTakenEffect { ambiguousFailure = failure }
            let pause = configuration.backoff.pause(afterFailures: failureCount, retryAfter: failure.retryAfter)
            guard failureCount < configuration.maximumAttempts, outgoing.retryPolicy.allowsRetry(after: failure),
                clock.now() + pause < deadline
            else {
                throw failure.isTransient ? ambiguousFailure ?? failure : failure
            }
            configuration.logger.debug(
                "Retrying a request",
                metadata: ["path": "\(outgoing.path)", "failures": "\(failureCount)", "error": "\(failure)"])
            try await sleep(pause)
        }
    }

    func send<Body: Decodable>(_ outgoing: OutgoingRequest, as _: Body.Type = Body.self) async throws(StorefrontError)
        -> Body
    {
        try await send(outgoing).decoded()
    }

    func sleep(_ pause: Duration) async throws(StorefrontError) {
        do { try await clock.sleep(pause) } catch { throw .cancelled }
    }

    func request(_ outgoing: OutgoingRequest) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address + outgoing.path)
        request.method = outgoing.method
        request.headers.add(name: "User-Agent", value: "welms-storefront-client")
        if let languages = configuration.acceptLanguage {
            request.headers.add(name: "Accept-Language", value: languages)
        }
        for (name, value) in outgoing.headers { request.headers.add(name: name, value: value) }
        if let body = outgoing.body { request.body = .bytes(ByteBuffer(bytes: body)) }
        return request
    }

    /// Makes one attempt. The timeout includes the body, which the HTTP client's own deadline does not.
    private func attempt(_ outgoing: OutgoingRequest, within timeout: Duration) async throws(StorefrontError)
        -> IncomingResponse
    {
        let result = await withTaskGroup(of: Result<IncomingResponse, StorefrontError>.self) { group in
            group.addTask { await response(to: outgoing) }
            group.addTask {
                do {
                    try await Task.sleep(for: timeout)
                    return .failure(
                        .transportFailure(
                            TransportFailure(reason: "no response within \(timeout)", mayHaveTakenEffect: true)))
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

    private func response(to outgoing: OutgoingRequest) async -> Result<IncomingResponse, StorefrontError> {
        do {
            let response = try await http.execute(request(outgoing), deadline: .distantFuture)
            let body = try await response.body.collect(upTo: configuration.responseByteLimit)
            let incoming = IncomingResponse(
                status: Int(response.status.code), headers: response.headers, body: Array(buffer: body))
            switch incoming.status {
            case 200...299, 304, outgoing.additionalSuccessStatus: return .success(incoming)
            default: return .failure(StorefrontError(errorResponse: incoming))
            }
        } catch {
            return .failure(StorefrontError(transport: error))
        }
    }
}

extension HTTPClient.Configuration {
    /// Disables redirects, which the API does not use, and retries, which `Transport` makes.
    fileprivate init(_ configuration: ClientConfiguration) {
        self.init()
        redirectConfiguration = .disallow
        timeout = Timeout(
            connect: TimeAmount(configuration.connectTimeout), read: TimeAmount(configuration.streamIdleTimeout))
        connectionPool.retryConnectionEstablishment = false
        // Each event stream occupies a connection. With the default of 8, eight streams would block every call.
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        tracing.tracer = configuration.tracer
    }
}
