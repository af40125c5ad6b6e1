// The trusted proxies. Without any, the client is the peer of the connection, whatever its headers claim. Hummingbird
// and swift-nio-extras do not read X-Forwarded-For.
import HTTPTypes

/// The proxies in front of the server, by address.
package struct TrustedProxies: Sendable {
    private let ranges: [NetworkRange]

    package static let none = TrustedProxies(ranges: [])

    private init(ranges: [NetworkRange]) { self.ranges = ranges }

    /// Parses addresses and ranges separated by commas: `10.0.0.0/8, ::1`. Nil if one of them is invalid.
    package init?(_ text: String) {
        var ranges: [NetworkRange] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = NetworkRange(part.trimmed) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// The maximum number of addresses that are read. Each proxy appends one address, and no real chain is as long.
    private static let maximumHops = 16

    /// The client: the last address in X-Forwarded-For that is not a trusted proxy. Entries before it are unverified.
    package func client(peer: NetworkAddress?, _ headers: HTTPFields) -> NetworkAddress? {
        guard let peer, contains(peer) else { return peer }
        var client = peer
        let hops = headers[values: .xForwardedFor].reversed().lazy.flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).reversed()
        }
        for hop in hops.prefix(Self.maximumHops) {
            guard let address = NetworkAddress(hop.trimmed) else { break }
            client = address
            if !contains(address) { break }
        }
        return client
    }

    func isTrusted(_ peer: NetworkAddress?) -> Bool { peer.map(contains) ?? false }

    private func contains(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension StringProtocol {
    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = lastIndex(where: { $0 != " " && $0 != "\t" })
        else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
