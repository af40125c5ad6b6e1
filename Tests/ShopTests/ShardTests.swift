// The shard of a basket on Citus, compared with PostgreSQL's own hash function, which Citus uses. Needs no Citus.
// DistributionTests covers the rules of distributed tables.
import Foundation
import Ordering
import Support
import Testing

@testable import Shop

@Suite("Shards")
struct ShardTests {
    @Test("A basket's hash equals PostgreSQL's uuid_hash, for 10,000 random ids and the extremes")
    func hash() async throws {
        let extremes = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
        let ids = try extremes.map { try #require(UUID(uuidString: $0)) } + (0..<10_000).map { _ in UUID() }
        let values = ids.map { "'\($0)'" }.joined(separator: ",")
        try await TestDatabase.with { database in
            let hashes = try await database.psql(
                "select uuid_hash(id) from unnest(array[\(values)]::uuid[]) with ordinality as t (id, n) order by n")
            let ours = ids.map { "\(Shards.uuidHash(of: BasketID($0)))" }
            #expect(hashes.split(separator: "\n").map(String.init) == ours)
        }
    }

    @Test(
        "A shard is the position of the hash in equal parts of its range, for any number of shards",
        arguments: [1, 2, 16, 32, 33, 1024])
    func shard(count: Int) async throws {
        let shards = try #require(Shards(count))
        let ids = (0..<2000).map { _ in UUID() }
        let values = ids.map { "'\($0)'" }.joined(separator: ",")
        // On Citus, a shard's range begins at -2^31 + position * (2^32 / count), rounded down. The last range ends at
        // 2^31 - 1.
        let sql = """
            select least((uuid_hash(id)::bigint + 2147483648) / (4294967296 / \(count)), \(count - 1))
            from unnest(array[\(values)]::uuid[]) with ordinality as t (id, n) order by n
            """
        try await TestDatabase.with { database in
            let positions = try await database.psql(sql).split(separator: "\n").compactMap { Int($0) }
            #expect(positions == ids.map { shards.shard(of: BasketID($0)) })
            if count == 16 {
                let shifted = try await database.psql("select (uuid_hash('\(ids[0])')::bigint + 2147483648) >> 28")
                #expect(shifted == "\(positions[0])")
            }
        }
    }

    @Test("The number of shards ranges from 1 to 1024")
    func counts() {
        for count in [Int.min, -1, 0, 1025, .max] { #expect(Shards(count) == nil) }
        #expect(Shards(1) == .single)
    }

    @Test("With 16 shards, concurrent checkouts are placed in batches of one shard each, up to a coupon's limit")
    func concurrentCheckouts() async throws {
        try await TestDatabase.with(.seeded) { database in
            try await database.psql(
                """
                update coupons set redemption_limit = 5, guest_limit = null, condition = 'none' where key = 'FRST'
                """)
            try await ShopFixture.with(on: database, shards: try #require(Shards(16))) { shop in
                let drafts = try await runConcurrently(Array(0..<100)) { number in
                    try await shop.makeDraft(shop.makeBasket(), by: Guest(number), coupon: number < 10 ? "FRST" : nil)
                }
                let answers = try await runConcurrently(drafts) { try await shop.shop.checkouts.submit($0) }
                #expect(answers.count { $0.isPlaced } == 95)
                #expect(answers.compactMap(\.rejection).count == 5)
                #expect(
                    try await database.psql(
                        """
                        select count(*), sum(redeemed) from orders, coupon_redemptions as counted
                        where counted.coupon_id = 1
                        """) == "95|475")
            }
        }
    }
}
