// The limits and the environment of a client. The defaults suit most storefronts.
import Logging
import Tracing

/// The configuration of a client.
public struct ClientConfiguration: Sendable {
    /// The timeout for establishing a connection.
    public var connectTimeout: Duration = .seconds(3)
    /// The timeout of one attempt, from the connection to the last byte of the response.
    public var attemptTimeout: Duration = .seconds(10)
    /// The maximum number of attempts of one call.
    public var maximumAttempts = 5
    /// The timeout of a call, including all attempts and pauses.
    public var callTimeout: Duration = .seconds(30)
    /// The pauses between attempts.
    public var backoff = RetryBackoff()
    /// The timeout of a menu request while a cached menu is available. Such a request is not retried.
    public var cachedMenuTimeout: Duration = .seconds(3)
    /// The time without data after which an event stream is closed. The server sends a heartbeat every 15 seconds.
    public var streamIdleTimeout: Duration = .seconds(45)
    /// The total time during which an event stream tries to reconnect.
    public var streamReconnectTimeout: Duration = .seconds(300)
    /// The maximum size of a response in bytes.
    public var responseByteLimit = 4 << 20
    /// The maximum number of cached menu responses, and of other cached responses.
    public var cacheEntryLimit = 256
    /// The maximum total size in bytes of the cached menu responses, and of the other ones. A menu file of more than
    /// twice this size is ignored.
    public var cacheByteLimit = 8 << 20
    /// The `Accept-Language` header, such as `de-CH, de;q=0.9, en;q=0.5`; nil: the shop's own language.
    public var acceptLanguage: String?
    /// The file that stores the cached menu for the next start; nil keeps the menu only in memory.
    public var menuFilePath: String?
    /// The clock of all pauses. Tests replace it.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Records a span for each attempt as a child of the current span, and propagates the trace to the server.
    public var tracer: any Tracer = InstrumentationSystem.tracer
    /// Logs failed attempts and failures of the menu file.
    public var logger = Logger(label: "storefront-client") { _ in SwiftLogNoOpLogHandler() }

    /// Creates a configuration with the defaults.
    public init() {}
}
