// The search for new mails finds every step, however late it is committed, and reads few others.
// Tests Sources/Shop/Mail/MailSearch.swift, alone and with a database.
import Ordering
import Postgres
import Support
import Testing

@testable import Database
@testable import Shop

@Suite struct MailSearchTests {
    private static let lateness = Duration.seconds(20)

    /// A time in seconds after the mails were configured.
    private static func time(_ seconds: Int64) -> Instant { Instant(microseconds: 1_000_000_000 + seconds * 1_000_000) }

    /// A search that has read everything at this second, with these transactions open.
    private static func searchComplete(at seconds: Int64, open transactions: Set<String> = []) -> MailSearch {
        var search = MailSearch(since: time(0), period: .seconds(1000), lateness: lateness)
        for time in [seconds - 1, seconds] {
            search.begin(at: Self.time(time), open: time == seconds ? transactions : [])
            (search.recent, search.backlog) = (nil, nil)
        }
        return search
    }

    @Test("The first search reads the whole period, but not what is older than the configuration of mails")
    func first() {
        var search = MailSearch(since: Self.time(0), period: .seconds(1000), lateness: Self.lateness)
        search.begin(at: Self.time(5000), open: [])
        #expect(search.backlog == Self.time(4000) && search.recent == Self.time(4999))
        search = MailSearch(since: Self.time(0), period: .seconds(1000), lateness: Self.lateness)
        search.begin(at: Self.time(0), open: [])
        #expect(search.backlog == Self.time(0) && search.recent == Self.time(0))
    }

    @Test("A later search reads from a second before the previous search, also while a transaction is open")
    func later() {
        var search = Self.searchComplete(at: 100, open: ["7"])
        search.begin(at: Self.time(101), open: ["7"])
        #expect(search.recent == Self.time(99) && search.backlog == nil)
        (search.recent, search.backlog) = (nil, nil)
        search.begin(at: Self.time(102), open: ["7"])
        #expect(search.recent == Self.time(100) && search.backlog == nil)
    }

    @Test("After the end of a transaction, a search reads from the last search before its begin")
    func ended() {
        var search = Self.searchComplete(at: 100, open: ["7"])
        search.begin(at: Self.time(101), open: [])
        #expect(search.recent == Self.time(98) && search.backlog == nil)
    }

    @Test("After the end of a long transaction, its steps are read apart from the recent ones")
    func endedLong() {
        var search = Self.searchComplete(at: 100, open: ["7", "8"])
        for second in Int64(101)...400 {
            search.begin(at: Self.time(second), open: ["7", "8"])
            (search.recent, search.backlog) = (nil, nil)
        }
        search.begin(at: Self.time(401), open: ["8"])
        // The last search without the transaction was at 99.
        #expect(search.recent == Self.time(379) && search.backlog == Self.time(79))
        search.backlog = Self.time(200)
        search.begin(at: Self.time(402), open: [])
        #expect(search.backlog == Self.time(79), "the other transaction began at the same time")
    }

    @Test("A transaction that was open at the first search may have begun at any time")
    func unknownBegin() {
        var search = MailSearch(since: Self.time(0), period: .seconds(1000), lateness: Self.lateness)
        search.begin(at: Self.time(5000), open: ["7"])
        (search.recent, search.backlog) = (nil, nil)
        search.begin(at: Self.time(5001), open: [])
        #expect(search.backlog == Self.time(4001))
    }

    @Test("An incomplete search continues where it ended, and reads newer steps than the previous search again")
    func incomplete() {
        var search = Self.searchComplete(at: 100)
        (search.recent, search.backlog) = (Self.time(50), Self.time(10))
        search.begin(at: Self.time(101), open: [])
        #expect(search.recent == Self.time(50) && search.backlog == Self.time(10) && !search.isComplete)
        search.recent = Self.time(101)
        search.begin(at: Self.time(102), open: [])
        #expect(search.recent == Self.time(100))
        (search.recent, search.backlog) = (nil, nil)
        #expect(search.isComplete)
    }

    @Test("Placements are searched again after their longest delay, and the whole period every six hours")
    func intervals() {
        var search = MailSearch(since: Self.time(0), period: .seconds(1000), lateness: Self.lateness)
        var reviews: [Int64: Instant] = [:]
        for second in Int64(5000)...(5000 + 6 * 3600) {
            search.begin(at: Self.time(second), open: [])
            reviews[second] = search.backlog
            (search.recent, search.backlog) = (nil, nil)
        }
        #expect(reviews.count == 1 + 6 * 3600 / 20)
        #expect(reviews[5020] == Self.time(4960) && reviews[5040] == Self.time(4980))
        #expect(reviews[5000 + 6 * 3600] == Self.time(5000 + 6 * 3600 - 1000))
    }

    @Test("After the clock of the database was set back, a search reads the whole period")
    func clockSetBack() {
        var search = Self.searchComplete(at: 5000)
        search.begin(at: Self.time(4000), open: [])
        #expect(search.backlog == Self.time(3000) && search.recent == Self.time(3999))
    }

    /// Steps at a constant rate. Some are committed late, and their transactions are open from their time on.
    private struct Workload {
        static let begin = MailSearchTests.time(1000)
        static let end = MailSearchTests.time(1040)

        let stepsPerSecond: Int
        let times: [Instant]
        let commits: [Instant]
        let late: [Int]
        /// When a search has found each step.
        var found: [Instant?]

        init(stepsPerSecond: Int, lateEvery interval: Int, openFor duration: Duration) {
            let count = 40 * stepsPerSecond
            let times = (0..<count).map { Self.begin.advanced(by: .microseconds($0 * 1_000_000 / stepsPerSecond)) }
            var commits = times
            let late = Array(stride(from: 0, to: count, by: interval))
            for step in late { commits[step] = times[step].advanced(by: duration) }
            (self.stepsPerSecond, self.times, self.commits, self.late) = (stepsPerSecond, times, commits, late)
            found = Array(repeating: nil, count: count)
        }

        /// The transactions that are open at this moment.
        func transactions(at now: Instant) -> Set<String> {
            Set(late.filter { times[$0] <= now && now < commits[$0] }.map { "\($0)" })
        }

        /// Reads a page of the steps that are visible now. Returns the time of the last one if the page is full.
        mutating func read(from start: Instant, at now: Instant, limit: Int) -> Instant? {
            let elapsed = max(0, Int(start.microseconds - Self.begin.microseconds))
            var step = (elapsed * stepsPerSecond + 999_999) / 1_000_000
            var count = 0
            while step < times.count, times[step] <= now {
                if commits[step] <= now {
                    found[step] = found[step] ?? now
                    count += 1
                    if count == limit { return times[step] }
                }
                step += 1
            }
            return nil
        }

        /// The number of steps that were not found within this time after their commit.
        func countDelayed(longerThan limit: Duration) -> Int {
            times.indices.count { step in
                let deadline = commits[step].advanced(by: limit)
                return deadline < Self.end && (found[step] ?? Self.end) > deadline
            }
        }
    }

    @Test("A range of several pages is continued while transactions end, and what they committed is read next")
    func continuedRange() {
        var search = Self.searchComplete(at: 100)
        search.begin(at: Self.time(101), open: ["7", "8"])
        #expect(search.recent == Self.time(99))
        let searches: [(milliseconds: Int64, open: Set<String>)] = [(100, ["8"]), (200, []), (300, ["9"]), (400, [])]
        for (milliseconds, open) in searches {
            // The page ended at this position, within the tolerance.
            let position = Self.time(100).advanced(by: .milliseconds(milliseconds))
            search.recent = position
            search.begin(at: Self.time(101).advanced(by: .milliseconds(milliseconds)), open: open)
            #expect(search.recent == position)
        }
        search.recent = nil
        #expect(search.backlog == nil && search.isComplete)
        search.begin(at: Self.time(103), open: [])
        #expect(search.recent == Self.time(99), "the first transactions began after the search at 100")
        search.recent = nil
        search.begin(at: Self.time(104), open: [])
        #expect(search.recent == Self.time(102))
    }

    @Test("A range that never ends is followed by the next one after a second of steps")
    func endlessRange() {
        var search = Self.searchComplete(at: 100)
        search.begin(at: Self.time(101), open: ["7"])
        search.recent = Self.time(101)
        search.begin(at: Self.time(102), open: [])
        #expect(search.recent == Self.time(101))
        search.recent = Self.time(102)
        search.begin(at: Self.time(103), open: [])
        #expect(search.recent == Self.time(99))
    }

    @Test(
        "At several pages per second and with long transactions, each step is found within three seconds of its commit",
        arguments: [(3000, 3000, 0), (5000, 500, 3), (100, 5, 15)] as [(Int, Int, Int)])
    func highRate(stepsPerSecond: Int, interval: Int, openSeconds: Int) {
        var workload = Workload(stepsPerSecond: stepsPerSecond, lateEvery: interval, openFor: .seconds(openSeconds))
        var search = MailSearch(since: Self.time(0), period: .seconds(1000), lateness: Self.lateness)
        var now = Workload.begin
        while now < Workload.end {
            search.begin(at: now, open: workload.transactions(at: now))
            search.recent = search.recent.flatMap { workload.read(from: $0, at: now, limit: 1000) }
            // Polls once a second, and at once if more steps follow.
            now = now.advanced(by: search.recent == nil ? .seconds(1) : .milliseconds(50))
        }
        #expect(workload.countDelayed(longerThan: .seconds(3)) == 0)
    }

    @Test("Each search stores the mails of the next page, and a step that was committed meanwhile is found afterwards")
    func pagesWithinTolerance() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            func mails(_ state: String) async throws -> String {
                try await database.psql("select count(*) from order_mails where state = '\(state)'")
            }
            let store = try await OrderMailStore.connect(database.serverURL, logger: .silent)
            let since = Instant(microseconds: 0)
            var search = MailSearch(since: since, period: .seconds(86_400), lateness: .seconds(3600))
            try await search.storeNewMails(over: store, pageSize: 100)
            #expect(search.isComplete)

            let late = try await PostgresConnection.connect(database.url, logger: .silent)
            let insertStep = """
                insert into order_steps (order_id, step, state, at)
                values (gen_random_uuid(), 1, 'on_the_way', clock_timestamp() - interval '500 milliseconds')
                """
            try await late.run(script: "begin; \(insertStep)")
            try await database.psql(
                """
                insert into order_steps (order_id, step, state, at)
                select gen_random_uuid(), 1, 'accepted', now() - n * interval '1 millisecond'
                from generate_series(1, 250) as n
                """)
            try await search.storeNewMails(over: store, pageSize: 100)
            #expect(try await mails("accepted") == "100")
            try await late.run(script: "commit")
            // A page begins with the last step of the previous one.
            try await search.storeNewMails(over: store, pageSize: 100)
            #expect(try await mails("accepted") == "199")
            try await search.storeNewMails(over: store, pageSize: 100)
            #expect(try await mails("accepted") == "250")
            #expect(try await mails("on_the_way") == "0")
            repeat { try await search.storeNewMails(over: store, pageSize: 100) } while !search.isComplete
            #expect(try await mails("on_the_way") == "1")
            await late.close()
            await store.close()
        }
    }

    @Test("A step in a transaction that was open for longer than a checkout takes is mailed after its commit")
    func lateCommit() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.insertOrders(1...3)
            func mails(_ state: String) async throws -> String {
                try await database.psql("select count(*) from order_mails where state = '\(state)'")
            }
            let store = try await OrderMailStore.connect(database.serverURL, logger: .silent)
            let since = Instant(microseconds: 0)
            var search = MailSearch(since: since, period: .seconds(86_400), lateness: .milliseconds(100))
            func run() async throws {
                repeat { try await search.storeNewMails(over: store, pageSize: 100) } while !search.isComplete
            }
            try await run()
            #expect(try await mails("placed") == "3")

            // A transaction that stays open, and the late step.
            let other = try await PostgresConnection.connect(database.url, logger: .silent)
            try await other.run(script: "begin; select from orders where number = '00000003' for update")
            try await run()
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('00000001', 'accepted')")
            for _ in 0..<12 {
                try await run()
                try await Task.sleep(for: .milliseconds(250))
            }
            #expect(try await mails("accepted") == "0")
            // Meanwhile, the search finds other steps.
            try await database.psqlAsStaff("select advance_order('00000002', 'accepted')")
            try await run()
            #expect(try await mails("accepted") == "1")
            try await staff.run(script: "commit")
            try await run()
            #expect(try await mails("accepted") == "2")
            await staff.close()
            await other.close()
            await store.close()
        }
    }
}
