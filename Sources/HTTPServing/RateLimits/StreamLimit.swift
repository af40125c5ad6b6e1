// Limits the open event streams per client address. Each stream takes a connection and a subscription; without a limit
// one client could take all of them.
import HTTPTypes
import Synchronization

/// Counts open event streams per client address. Only addresses with an open stream have an entry.
final class StreamLimit: Sendable {
    private let limit: Int
    private let addresses: ClientAddresses
    private let open = Mutex([NetworkAddress: Int]())

    init(_ limit: Int, trustedProxies proxies: TrustedProxies) {
        self.limit = limit
        addresses = ClientAddresses(trustedProxies: proxies)
    }

    /// Wraps every route that responds with an event stream.
    func apply(to table: inout RouteTable) {
        table.wrapStreams { route in
            { request, context in
                // A connection without an address has been reset: no client reads the response.
                guard let client = self.addresses.client(request, context)?.clientKey, self.enter(client) else {
                    throw Problem.rateLimited(after: 5)
                }
                let response: Response
                do { response = try await route.handler(request, context) } catch {
                    self.leave(client)
                    throw error
                }
                guard case .stream = response.body, request.method != .head else {
                    self.leave(client)
                    return response
                }
                // The connection closes when the stream ends.
                context.channel.closeFuture.whenComplete { _ in self.leave(client) }
                return response
            }
        }
    }

    private func enter(_ client: NetworkAddress) -> Bool {
        open.withLock { open in
            guard open[client, default: 0] < limit else { return false }
            open[client, default: 0] += 1
            return true
        }
    }

    private func leave(_ client: NetworkAddress) {
        open.withLock { open in
            guard let count = open[client] else { return }
            open[client] = count > 1 ? count - 1 : nil
        }
    }
}
