// Places the accepted orders of a batch in one call of place_orders (sql/006_place_orders.sql), one durable
// transaction.
import FoundationEssentials
import Ordering
import Postgres

extension ShopDatabase {
    /// Returns the placed orders. An order that is missing conflicted with a change since its facts were read, and was
    /// undone completely.
    /// - Parameters:
    ///   - numbers: Drawn in advance. Each is used for one order of this call. `place_orders` draws the missing ones.
    ///     On Citus they are drawn before, because workers have no sequence.
    ///   - revision: The menu revision of the prices. If the current one differs, nothing is placed. Nil: not checked.
    ///   - isValid: Whether the precondition still holds; evaluated on a connection's thread. False fails with a
    ///     conflict.
    package func placeOrders(
        _ drafts: [OrderDraft], numbers: [DrawnOrderNumber] = [], ifMenuRevisionIs revision: Int64? = nil,
        ifStill isValid: (@Sendable () -> Bool)? = nil
    ) async throws(DatabaseFault) -> [OrderID: Placement] {
        guard let any = drafts.first else { return [:] }
        var numbers = numbers
        if isDistributed, numbers.count < drafts.count {
            numbers += try await drawOrderNumbers(drafts.count - numbers.count)
        }
        return try await placeOrders(
            drafts, numbers: numbers, ifMenuRevisionIs: revision, ifStill: isValid, on: any.id)
    }

    /// The same, executed on the shard of order `any`. Without `drafts` it tests whether orders can be placed.
    func placeOrders(
        _ drafts: [OrderDraft], numbers: [DrawnOrderNumber] = [], ifMenuRevisionIs revision: Int64? = nil,
        ifStill isValid: (@Sendable () -> Bool)? = nil, on any: OrderID
    ) async throws(DatabaseFault) -> [OrderID: Placement] {
        // Sorted by id, so that two batches lock rows in the same order.
        var unused = numbers[...]
        let batch = drafts.sorted { $0.id < $1.id }.map { NewOrder($0, unused.popFirst()) }
        // All orders were priced with one menu at one moment.
        let parameters = Parameters(
            any.uuid, drafts.first?.placedAt?.timestamp, revision, drafts.first?.quote.currency.code.text ?? "", batch)
        let placed = try await query(adjusted(Self.placeOrdersStatement), parameters, .writes, ifStill: isValid) {
            row throws(PostgresError) in
            Placement(
                id: OrderID(try row.next(UUID.self)), number: try row.next(),
                placedAt: Instant(try row.next(Timestamp.self)), dayNumber: try row.next(Int32?.self).map(Int.init))
        }
        return Dictionary(placed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    static let placeOrdersStatement = Statement(
        "place_orders", "select id, number, placed_at, day_number from place_orders($1, $2, $3, $4, $5)")
}

/// The numbers that an order gets when it is placed.
package struct Placement: Sendable, Hashable {
    package let id: OrderID
    /// The order number, eight digits.
    package let number: String
    /// The moment of the decision.
    package let placedAt: Instant
    /// The day number; nil if the server assigns it later.
    package let dayNumber: Int?
}
