// Orders that a test writes with SQL: many orders, or orders of another time.

extension TestDatabase {
    /// Inserts an order per number, with one dish of 8.05. The texts are SQL, in which `n` is the number.
    /// - Parameter dayNumber: Null lets the running server assign the number.
    package func insertOrders(
        _ numbers: ClosedRange<Int>, state: String = "placed", placedAt: String = "now()", wantedAt: String = "null",
        dayNumber: String = "n", item: Int = 2001, quantity: Int = 1
    ) async throws {
        try await psql(
            """
            insert into orders (id, number, state, idempotency_key, fingerprint, name, phone, email, address,
                lines, subtotal, discount, total, currency, placed_at, day_number, wanted_at, slot_items, eta_minutes)
            select gen_random_uuid(), lpad(n::text, 8, '0'), '\(state)', 'key ' || n, '', 'Ann',
                '+1' || (3000000000 + n), 'ann.' || n || '@example.com', 'Somewhere',
                array[row(1, \(item), null, 805, 805, 0, null, \(quantity), 'regular', 'The Big Tasty', null,
                    null)::order_line],
                805 * \(quantity), 0, 805 * \(quantity), 'USD', \(placedAt), \(dayNumber),
                \(wantedAt), case when \(wantedAt) is not null then 1 end, case when \(wantedAt) is null then 15 end
            from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) as n
            """)
    }
}
