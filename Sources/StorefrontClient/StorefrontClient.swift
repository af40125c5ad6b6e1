// The typed client of a Welms server, for storefronts: every route of a guest as a function, safe to call on a bad network.
// Its functions stand in a folder for each feature; all of them go through Exchange/Exchange.swift. Read next: Exchange/ClientConfiguration.swift.
import FoundationEssentials

/// A client of one server. It may be used by any number of tasks at once, and holds nothing outside of itself.
///
/// What is safe is tried again by itself: reads, the live form, and a checkout, which carries its idempotency key. What would add or take
/// twice is tried again only where it is certain that nothing was done.
public struct StorefrontClient: Sendable {
    /// The server's address without a slash at the end.
    public var address: String { exchange.address }
    /// The menu, which is for everybody and may be kept in a file. By itself, so that nothing else takes its place.
    let rememberedMenu: RememberedAnswers
    let menuFile: MenuFile?
    let exchange: Exchange

    /// A client of the server at this address, which need not be there yet. Reads the menu's file, where there is one.
    /// Call ``shutdown()`` when it is no longer needed, or use ``with(_:configuration:isolation:_:)``.
    /// - Parameter address: Scheme, host, port and maybe a path: `https://shop.example`.
    /// - Throws: `invalidAddress` for anything else.
    public init(_ address: String, configuration: ClientConfiguration = ClientConfiguration()) async throws(StorefrontError) {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
        else { throw .invalidAddress(address) }
        let server = String(address.reversed().drop { $0 == "/" }.reversed())
        rememberedMenu = RememberedAnswers(countLimit: configuration.rememberedAnswers, byteLimit: configuration.rememberedBytes)
        menuFile = configuration.menuFile.map {
            MenuFile(
                path: $0, server: server, languages: configuration.languages, byteLimit: configuration.rememberedBytes,
                logger: configuration.logger)
        }
        if let menuFile { for (key, answer) in await menuFile.load() { rememberedMenu.keep(answer, as: key) } }
        exchange = Exchange(with: server, configuration)
    }

    /// Gives the closure a client and shuts it down afterwards, whatever came of it.
    public static func with<Value>(
        _ address: String, configuration: ClientConfiguration = ClientConfiguration(), isolation: isolated (any Actor)? = #isolation,
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
            try await exchange.http.shutdown()
        } catch {
            exchange.configuration.logger.debug("The storefront's client was shut down before", metadata: ["error": "\(error)"])
        }
    }
}
