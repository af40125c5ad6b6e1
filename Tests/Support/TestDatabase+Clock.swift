// Changes the shop's clock and the start of its business day, so that a test need not wait for them.

extension TestDatabase {
    /// Sets the shop's time zone to one in which the local time is about noon now.
    package func setClockToNoon() async throws {
        try await psqlAsStaff(
            """
            update shop set time_zone = (
                select 'Etc/GMT' || case when hours > 0 then '+' || hours when hours < 0 then hours::text else '' end
                from (select extract(hour from now() at time zone 'UTC')::integer - 12 as hours) as west)
            """)
    }

    /// Sets the start of the business day. At noon, `20:00` makes the business day that of the previous calendar day.
    package func setBusinessDayStart(to time: String) async throws {
        try await psqlAsStaff("update shop set business_day_start = '\(time)'")
    }
}
