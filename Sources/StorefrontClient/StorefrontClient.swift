// The typed client of a Welms server, for storefronts: every route of a guest as a function, safe to call on a bad network.
// Its functions stand in a folder for each feature; all of them go through Exchange/Exchange.swift. Read next: Configuration.swift.

import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import Wire

/// A client of one server. It may be used by any number of tasks at once, and holds nothing outside of itself.
///
/// What is safe is tried again by itself: reads, the live form, and a checkout, which carries its idempotency key. What would add or take
/// twice is tried again only where it is certain that nothing was done.
public struct StorefrontClient: Sendable {
    /// The server's address without a slash at the end.
    public let address: String
    let configuration: Configuration
    let timing: Timing
    /// The menu, which is for everybody and may be kept in a file. By itself, so that nothing else takes its place.
    let rememberedMenu: RememberedAnswers
    /// All else that was read.
    let remembered: RememberedAnswers
    let menuFile: MenuFile?
    let http: HTTPClient

    /// A client of the server at this address, which need not be there yet. Reads the menu's file, where there is one.
    /// Call ``shutdown()`` when it is no longer needed, or use ``with(_:configuration:isolation:_:)``.
    /// - Parameter address: Scheme, host, port and maybe a path: `https://shop.example`.
    /// - Throws: `invalidAddress` for anything else.
    public init(_ address: String, configuration: Configuration = Configuration()) async throws(StorefrontError) {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
        else { throw .invalidAddress(address) }
        let server = String(address.reversed().drop { $0 == "/" }.reversed())
        self.address = server
        self.configuration = configuration
        timing = Timing(configuration.clock)
        rememberedMenu = RememberedAnswers(countLimit: configuration.rememberedAnswers, byteLimit: configuration.rememberedBytes)
        remembered = RememberedAnswers(countLimit: configuration.rememberedAnswers, byteLimit: configuration.rememberedBytes)
        menuFile = configuration.menuFile.map {
            MenuFile(path: $0, server: server, byteLimit: configuration.rememberedBytes, logger: configuration.logger)
        }
        if let menuFile { for (key, answer) in await menuFile.load() { rememberedMenu.keep(answer, as: key) } }
        http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(configuration))
    }

    /// Gives the closure a client and shuts it down afterwards, whatever came of it.
    public static func with<Value>(
        _ address: String, configuration: Configuration = Configuration(), isolation: isolated (any Actor)? = #isolation,
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

    /// Closes all connections; what is under way fails. Nothing can be asked afterwards.
    public func shutdown() async {
        do {
            try await http.shutdown()
        } catch {
            configuration.logger.debug("The storefront's client was shut down before", metadata: ["error": "\(error)"])
        }
    }
}

extension HTTPClient.Configuration {
    /// What the transport itself has to mind. Redirects are none of the contract; who retries is Exchange.
    init(_ configuration: StorefrontClient.Configuration) {
        self.init()
        redirectConfiguration = .disallow
        timeout = Timeout(connect: TimeAmount(configuration.connectTimeout), read: TimeAmount(configuration.silence))
        connectionPool.retryConnectionEstablishment = false
        // A stream of events keeps its connection for as long as it is followed: with the transport's 8, eight of them leave none for a call.
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        tracing.tracer = configuration.tracer
    }
}
