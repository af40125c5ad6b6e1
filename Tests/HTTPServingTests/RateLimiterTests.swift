// Tests the buckets of a rate limit as numbers.
import Testing

@testable import HTTPServing

@Suite("Rate limiter")
struct RateLimiterTests {
    private func address(_ n: Int) throws -> NetworkAddress {
        try #require(NetworkAddress("10.0.\(n / 256).\(n % 256)"))
    }

    @Test("A bucket contains at most a minute's requests and refills evenly")
    func bucket() throws {
        let limiter = RateLimiter(try #require(RateLimit(perMinute: 60)))
        let client = try #require(NetworkAddress("192.0.2.1"))
        let second: Int64 = 1_000_000_000
        for taken in 1...60 {
            let verdict = limiter.take(client, at: 0)
            #expect(verdict == .init(isAllowed: true, remaining: 60 - taken, seconds: taken))
        }
        #expect(limiter.take(client, at: 0) == .init(isAllowed: false, remaining: 0, seconds: 1))
        #expect(
            limiter.take(client, at: second - 1) == .init(isAllowed: false, remaining: 0, seconds: 1),
            "a rejection costs nothing")
        #expect(limiter.take(client, at: second).isAllowed)
        #expect(!limiter.take(client, at: second).isAllowed)
        let other = try #require(NetworkAddress("192.0.2.2"))
        #expect(limiter.take(other, at: second).remaining == 59)
        #expect(limiter.take(client, at: 1000 * second).remaining == 59)
        limiter.refund(client)
        #expect(limiter.take(client, at: 1000 * second).remaining == 59)
        let newClient = try #require(NetworkAddress("192.0.2.3"))
        limiter.refund(newClient)
        #expect(
            limiter.take(newClient, at: 1000 * second).remaining == 59, "a bucket never exceeds a minute's requests")
    }

    @Test("Clients are remembered for a minute, and never more of them than the limit")
    func bounded() throws {
        let limit = try #require(RateLimit(perMinute: 1))
        let limiter = RateLimiter(limit, maximumClients: 100)
        for n in 0..<10_000 {
            let client = try address(n)
            #expect(limiter.take(client, at: Int64(n)).isAllowed)
            #expect(!limiter.take(client, at: Int64(n)).isAllowed)
            #expect(limiter.clients <= 100)
        }
        let idleLimiter = RateLimiter(limit, maximumClients: 100)
        let (client, other, later) = (try address(1), try address(2), try address(3))
        let minute: Int64 = 60_000_000_000
        // The limiter rotates its table in the middle of this client's minute.
        #expect(idleLimiter.take(client, at: minute - 1).isAllowed)
        #expect(idleLimiter.take(other, at: minute + 1).isAllowed)
        #expect(!idleLimiter.take(client, at: 2 * minute - 2).isAllowed)
        #expect(idleLimiter.take(client, at: 2 * minute - 1).isAllowed)
        #expect(idleLimiter.take(later, at: 10 * minute).isAllowed)
        #expect(idleLimiter.clients == 1)
    }

    @Test("Charges on an empty bucket become a debt of at most an hour, which evictions do not delete")
    func debt() throws {
        let limiter = RateLimiter(try #require(RateLimit(perMinute: 60)), maximumClients: 100)
        let (client, other) = (try address(1), try address(2))
        let second: Int64 = 1_000_000_000
        #expect(limiter.retryAfter(client, at: 0) == nil)
        for _ in 0..<60 { limiter.charge(client, at: 0) }
        #expect(limiter.retryAfter(client, at: 0) == 1 && limiter.retryAfter(other, at: 0) == nil)
        for _ in 0..<540 { limiter.charge(client, at: 0) }
        #expect(limiter.retryAfter(client, at: 0) == 541)
        for minute in 1...8 { limiter.charge(other, at: Int64(minute) * 61 * second) }
        #expect(
            limiter.retryAfter(client, at: 500 * second) == 41 && limiter.retryAfter(client, at: 541 * second) == nil)
        for _ in 0..<10_000 { limiter.charge(client, at: 600 * second) }
        #expect(limiter.retryAfter(client, at: 600 * second) == 3541)
        for n in 3..<1000 { limiter.charge(try address(n), at: 600 * second) }
        #expect(limiter.clients <= 100)
    }
}
