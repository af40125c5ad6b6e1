// Computes which placements and steps have to be read to find new mails. The type has no clock.
import Database
import Ordering

/// A step becomes visible when its transaction commits, which may be hours after its time. But its transaction had
/// locked the order before that time. So a search reads from the begin of the oldest transaction that has ended since
/// the previous search, and finds every step that has become visible.
///
/// If a range has more steps than a page, the next searches continue it. Meanwhile, a commit before the position of the
/// search extends only the next range, so the position advances with each page.
struct MailSearch {
    /// How often the whole period is read again: for placements by a server that was suspended before the commit, for
    /// prepared transactions, and for commits on Citus that a worker completes late.
    static let fullInterval = Duration.seconds(6 * 3600)
    /// How much older than the lock of its order a step may be, because the clock was adjusted.
    static let tolerance = Duration.seconds(1)

    /// The time from which recent steps have to be read; nil: none are left.
    var recent: Instant?
    /// The time from which older steps have to be read; nil: none are left. They delay no recent step.
    var backlog: Instant?

    private let since: Instant
    private let period: Duration
    /// The longest time from the moment of a placement to its commit.
    private let lateness: Duration
    /// The transactions that were open at the previous search, and when each locked its first order at the earliest.
    private var open: [String: Instant] = [:]
    private var previous: Instant?
    /// The time up to which the range of recent steps is continued. Then the next range begins, so that late commits
    /// are found even if steps are placed as fast as they are read.
    private var rangeEnd: Instant
    /// The begin of the next range, if late commits require it; nil: none do.
    private var nextRange: Instant?
    private var lastReview: Instant
    private var lastFullSearch: Instant

    init(since: Instant, period: Duration, lateness: Duration) {
        (self.since, self.period, self.lateness) = (since, period, lateness)
        (lastReview, lastFullSearch, rangeEnd) = (since, since, since)
    }

    var isComplete: Bool { recent == nil && backlog == nil }

    /// Sets both times for a search now.
    /// - Parameter transactions: The open transactions that have locked orders.
    mutating func begin(at now: Instant, open transactions: Set<String>) {
        let oldest = max(since, now.advanced(by: .zero - period))
        func before(_ time: Instant, by margin: Duration) -> Instant {
            max(oldest, time.advanced(by: .zero - margin))
        }
        defer { self.previous = now }
        // The first search, and the first one after the database's clock was set back, know nothing about the past.
        guard let previous, previous <= now else {
            open = Dictionary(uniqueKeysWithValues: transactions.map { ($0, oldest) })
            (recent, backlog) = (before(now, by: Self.tolerance), oldest)
            (rangeEnd, nextRange) = (now.advanced(by: Self.tolerance), nil)
            (lastReview, lastFullSearch) = (now, now)
            return
        }
        let ended = open.filter { !transactions.contains($0.key) }
        let earliest = ended.values.min() ?? previous
        open = Dictionary(uniqueKeysWithValues: transactions.map { ($0, open[$0] ?? previous) })

        let shortest = previous.advanced(by: .zero - lateness)
        let next = before(max(earliest, shortest), by: Self.tolerance)
        if let position = recent, position < rangeEnd {
            if next < position { nextRange = min(nextRange ?? next, next) }
        } else {
            recent = min(recent ?? next, nextRange ?? next, next)
            (rangeEnd, nextRange) = (now.advanced(by: Self.tolerance), nil)
        }

        var reads: [Instant] = []
        if earliest < shortest { reads.append(before(earliest, by: lateness)) }
        // A placement has the time of its decision, which is up to `lateness` before its transaction.
        if lastReview.advanced(by: lateness) <= now {
            reads.append(before(lastReview, by: lateness * 2))
            lastReview = now
        }
        if lastFullSearch.advanced(by: Self.fullInterval) <= now {
            reads.append(oldest)
            lastFullSearch = now
        }
        if let backlog { reads.append(backlog) }
        backlog = reads.min()
    }

    /// Stores the missing mails of a page of recent steps and a page of older ones. An error leaves it unchanged.
    mutating func storeNewMails(over mails: OrderMailStore, pageSize: Int) async throws(DatabaseFault) {
        var search = self
        let transactions = try await mails.loadOpenTransactions()
        search.begin(at: transactions.moment, open: transactions.ids)
        if let start = search.recent {
            search.recent = try await mails.storeNewMails(from: start, limit: pageSize)
        }
        if let start = search.backlog {
            search.backlog = try await mails.storeNewMails(from: start, limit: pageSize)
        }
        self = search
    }
}
