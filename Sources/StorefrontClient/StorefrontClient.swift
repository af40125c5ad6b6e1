// The typed client of a Welms server. It has one function for each route of a guest.
import FoundationEssentials

/// A client of one server. Any number of tasks can use it concurrently, and it has no global state.
///
/// It retries idempotent requests automatically: reads, validations, and checkouts with their idempotency key. It
/// retries another change only if the server certainly did not process it.
public struct StorefrontClient: Sendable {
    /// The server's URL without a trailing slash.
    public var address: String { transport.address }
    /// The cached menu. It is separate, so that other responses do not evict it, and it contains no personal data.
    let menuCache: ResponseCache
    let menuFile: MenuFile?
    let transport: Transport

    /// Creates a client and loads the menu file, if there is one. The server need not be reachable yet.
    ///
    /// Call ``shutdown()`` when the client is no longer needed, or use ``with(_:configuration:isolation:_:)``.
    /// - Parameter address: Scheme, host, optional port and optional path, such as `https://shop.example`.
    /// - Throws: `invalidAddress` for any other text.
    public init(_ address: String, configuration: ClientConfiguration = ClientConfiguration())
        async throws(StorefrontError)
    {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
        else { throw .invalidAddress(address) }
        let server = String(address.reversed().drop { $0 == "/" }.reversed())
        menuCache = ResponseCache(countLimit: configuration.cacheEntryLimit, byteLimit: configuration.cacheByteLimit)
        menuFile = configuration.menuFilePath.map {
            MenuFile(
                path: $0, server: server, languages: configuration.acceptLanguage,
                byteLimit: configuration.cacheByteLimit,
                logger: configuration.logger)
        }
        if let menuFile { for (key, answer) in await menuFile.load() { menuCache.store(answer, for: key) } }
        transport = Transport(with: server, configuration)
    }

    /// Calls the closure with a client and shuts the client down afterwards, also after an error.
    public static func with<Value>(
        _ address: String, configuration: ClientConfiguration = ClientConfiguration(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: (StorefrontClient) async throws -> Value
    ) async throws -> Value {
        let client = try await StorefrontClient(address, configuration: configuration)
        do {
            let value = try await body(client)
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Closes all connections. Running calls fail, and the client cannot be used afterwards.
    public func shutdown() async {
        do {
            try await transport.http.shutdown()
        } catch {
            transport.configuration.logger.debug(
                "The storefront client was already shut down", metadata: ["error": "\(error)"])
        }
    }
}
