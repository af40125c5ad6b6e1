// IPv4 and IPv6 addresses and ranges as 128 bits. An IPv4 address is stored as ::ffff:a.b.c.d (RFC 4291, section
// 2.5.5.2). NIO's SocketAddress has no ranges.
import Glibc
import NIOCore

/// An address of the internet protocol.
package struct NetworkAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The address of a connection's peer; nil without one, as on a Unix socket.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): self.init(ipv4: UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address): self.init(address.address.sin6_addr)
        case .unixDomainSocket, nil: return nil
        }
    }

    /// Parses an address with an optional port: `192.0.2.1`, `2001:db8::1`, `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    init?(_ text: some StringProtocol) {
        // An IPv6 address with an IPv4 tail has 45 characters, a port six more, brackets two.
        guard (2...53).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        var host = String(text)
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            host = String(host[host.index(after: host.startIndex)..<end])
        } else if let colon = host.firstIndex(of: ":"), host.lastIndex(of: ":") == colon {
            host = String(host[..<colon])
        }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            self.init(ipv4: UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    private init(ipv4: UInt32) { (high, low) = (0, 0xFFFF_0000_0000 | UInt64(ipv4)) }

    private init(_ address: in6_addr) {
        (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Whether it is a loopback address: 127.0.0.0/8 or ::1.
    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The unit of rate limits: an IPv4 address, or the /64 of an IPv6 address, because a client usually owns the
    /// whole /64.
    package var clientKey: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }
}

extension NetworkAddress: CustomStringConvertible {
    /// `192.0.2.1` or `2001:db8::1`.
    package var description: String {
        var address = isIPv4 ? [UInt64(low & 0xFFFF_FFFF) << 32] : [high, low]
        for index in address.indices { address[index] = address[index].bigEndian }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv4 ? AF_INET : AF_INET6, &address, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The addresses with a common prefix: `10.0.0.0/8`, `2001:db8::/32`, or a single address.
struct NetworkRange: Hashable, Sendable {
    private let first: NetworkAddress
    private let bits: Int

    /// Parses CIDR notation (RFC 4632); without a slash, a single address.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first.flatMap({ NetworkAddress($0) }), !text.contains("["),
            !(first.isIPv4 && text.contains(":"))
        else {
            return nil
        }
        let width = first.isIPv4 ? 32 : 128
        guard parts.count == 2 else {
            (self.first, bits) = (first, 128)
            return
        }
        guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let given = Int(parts[1]),
            given <= width
        else {
            return nil
        }
        (self.first, bits) = (first, given + 128 - width)
    }

    func contains(_ address: NetworkAddress) -> Bool {
        Self.same(first.high, address.high, bits: min(bits, 64))
            && Self.same(first.low, address.low, bits: max(0, bits - 64))
    }

    private static func same(_ one: UInt64, _ other: UInt64, bits: Int) -> Bool {
        bits == 0 || (one ^ other) >> UInt64(64 - bits) == 0
    }
}
