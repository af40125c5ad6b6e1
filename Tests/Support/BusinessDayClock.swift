// Moves the shop's clock and the beginning of its business day, so that a test need not wait for one. Used by the tests
// of Database and Shop.

extension TestDatabase {
    /// Sets the shop's clock to a zone in which it is about noon now.
    package func setClocksToNoon() async throws {
        try await staff(
            """
            update shop set time_zone = (
                select 'Etc/GMT' || case when hours > 0 then '+' || hours when hours < 0 then hours::text else '' end
                from (select extract(hour from now() at time zone 'UTC')::integer - 12 as hours) as west)
            """)
    }

    /// Writes when the business day begins. At noon, `20:00` makes it that of the calendar day before.
    package func beginBusinessDay(at time: String) async throws {
        try await staff("update shop set business_day_start = '\(time)'")
    }
}
