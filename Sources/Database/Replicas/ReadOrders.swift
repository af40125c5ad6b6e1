// Reads an order on a replica where that can be told from reading it on the primary by nobody, and on the primary otherwise.
// Called by Web. Read next: ReadReplicas.swift, RecentMoves.swift.
import Ordering
import Postgres

extension Shop {
    /// The order as it is now; nil where there is none.
    ///
    /// A replica that doesn't know the order may be behind, so the primary has the last word on that; and on an order that moved
    /// a moment ago. While the primary is away, a replica's state of the order is better than none.
    package func loadOrder(_ id: OrderID) async throws(PostgresError) -> Order? {
        let onReplica: @Sendable (ShopDatabase) async throws(PostgresError) -> Order? = { replica throws(PostgresError) in
            try await replica.loadOrder(id)
        }
        let isSettled = moves.isSettled(id)
        if isSettled, let order = await replicas.read(onReplica) ?? nil { return order }
        do throws(PostgresError) {
            return try await database.loadOrder(id)
        } catch {
            if !isSettled, error.isAbsence, let order = await replicas.read(onReplica) ?? nil { return order }
            throw error
        }
    }

    /// Cancels an order that is still `placed` and gives its coupon back; answers the state that it has now, nil where there is none.
    package func cancelOrder(_ id: OrderID) async throws(PostgresError) -> OrderState? {
        // Noted whatever comes of it: a cancellation without an answer may have happened.
        defer { moves.note(id) }
        return try await database.cancelOrder(id)
    }

    /// Moves the order of this number on for staff.
    package func advanceOrder(number: String, to state: OrderState, reason: String?) async throws(PostgresError) -> OrderAdvance {
        let advance = try await waitingForRow { () throws(PostgresError) in
            try await office.advanceOrder(number: number, to: state, reason: reason)
        }
        guard let advance else { return .isHeld }
        if case .moved(let order) = advance { moves.note(order.id) }
        return advance
    }

    /// Today's figures so far, as the office or a replica has them.
    package func loadToday() async throws(PostgresError) -> DayFigures {
        let figures = await replicas.read(within: .seconds(5)) { replica throws(PostgresError) in try await replica.loadToday() }
        if let figures { return figures }
        return try await office.loadToday()
    }
}

extension PostgresError {
    /// Whether the database could not be reached at all, or went away.
    var isAbsence: Bool {
        switch self {
        case .unavailable, .connectionLost, .timedOut: true
        case .server(let error): error.sqlState.hasPrefix("57P")
        case .overloaded, .cancelled, .invalidParameter, .undecodable: false
        }
    }
}
