// Tests addresses and ranges as text.
import Testing

@testable import HTTPServing

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test("Addresses and ranges are parsed as proxies write them, and other text is rejected")
    func addresses() throws {
        #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("192.0.2.1:80") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("[::1]:80") == NetworkAddress("::1"))
        for wrong in [
            "", "unknown", "192.0.2", "192.0.2.256", "_hidden", "[::1", ":::", "1\u{0}",
            String(repeating: "1", count: 60),
        ] {
            #expect(NetworkAddress(wrong) == nil, "\(wrong)")
        }
        for (range, address, isContained) in [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("::1", "::1", true),
            ("2001:db8::/96", "2001:db8::ffff:1", true), ("2001:db8::/96", "2001:db8::1:0:1", false),
            ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ] {
            let (range, address) = (try #require(NetworkRange(range)), try #require(NetworkAddress(address)))
            #expect(range.contains(address) == isContained, "\(address) in \(range)")
        }
        for wrong in ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::1/129", "10.0.0.1:80", "[::1]", "proxy.example"] {
            #expect(NetworkRange(wrong) == nil, "\(wrong)")
        }
        #expect(TrustedProxies("10.0.0.1,") == nil && TrustedProxies("10.0.0.1, fd00::/8") != nil)
    }

    @Test("The description of an address is its canonical form")
    func descriptions() throws {
        for (text, expected) in [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0::1", "2001:db8::1"),
            ("::1", "::1"),
        ] {
            let address = try #require(NetworkAddress(text))
            #expect(address.description == expected)
        }
    }
}
