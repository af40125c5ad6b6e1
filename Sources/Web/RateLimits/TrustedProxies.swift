// Whom to believe about where a request comes from. Without any, a client is the other end of its connection, whatever it claims.
// Made by the program from --trusted-proxies; asked by ClientLimit.
import HTTPTypes
import NIOCore

/// The proxies before the server, by their addresses.
package struct TrustedProxies: Sendable {
    private let ranges: [NetworkRange]

    package static let none = TrustedProxies(ranges: [])

    private init(ranges: [NetworkRange]) { self.ranges = ranges }

    /// Addresses and ranges separated by commas: `10.0.0.0/8, ::1`. Nil where one of them is neither.
    package init?(_ text: String) {
        var ranges: [NetworkRange] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = NetworkRange(part.trimmed) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// How many hops are looked at. Each proxy adds its own at the end, and nobody has so many.
    private static let mostHops = 16

    /// Who sent the request: read from the end of X-Forwarded-For, the last address that is no proxy of ours. What stands before it
    /// is only the client's word.
    func client(peer: SocketAddress?, _ headers: HTTPFields) -> NetworkAddress? {
        guard let peer = NetworkAddress(peer), contains(peer) else { return NetworkAddress(peer) }
        var client = peer
        let hops = headers[values: .xForwardedFor].reversed().lazy.flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).reversed()
        }
        for hop in hops.prefix(Self.mostHops) {
            guard let address = NetworkAddress(hop.trimmed) else { break }
            client = address
            if !contains(address) { break }
        }
        return client
    }

    func areTrusted(_ peer: SocketAddress?) -> Bool { NetworkAddress(peer).map(contains) ?? false }
    private func contains(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension StringProtocol {
    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }), let last = lastIndex(where: { $0 != " " && $0 != "\t" }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
