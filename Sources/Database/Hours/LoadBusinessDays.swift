// Loads the shop's business days around now, with PostgreSQL's time zone data, so that all servers agree.
import Ordering
import Postgres

extension ShopDatabase {
    /// The business days, valid for a few days before and after the returned time.
    package func loadBusinessDays() async throws(DatabaseFault) -> (days: BusinessDays, now: Instant) {
        let rows = try await query(Self.businessDaysStatement, .reads) { row throws(PostgresError) in
            ZoneRow(
                change: ShopZone.Change(
                    from: Instant(try row.next(Timestamp.self)), offset: Int(try row.next(Int32.self))),
                startsAt: Int(try row.next(Int32.self)), now: Instant(try row.next(Timestamp.self)))
        }
        guard let first = rows.first, let zone = ShopZone(rows.map(\.change)),
            let days = BusinessDays(in: zone, startsAt: first.startsAt)
        else {
            throw .undecodable("the shop's time zone can't be read")
        }
        return (days, first.now)
    }

    /// Clocks change at quarter hours of UTC. The first row is the offset at the beginning.
    private static let businessDaysStatement = Statement(
        "business_days",
        """
        select at, seconds, (extract(epoch from business_day_start) / 60)::integer, now()
        from (select at, seconds, business_day_start, lag(seconds) over (order by at) as before
              from (select at,
                  extract(epoch from (at at time zone time_zone) - (at at time zone 'UTC'))::integer as seconds,
                  business_day_start
                    from shop, generate_series(date_trunc('day', now()) - interval '96 h', now() + interval '96 h',
                                                 interval '15 min') as at) as clocks
             ) as changes
        where seconds is distinct from before order by at
        """)
}

private struct ZoneRow: Sendable {
    let change: ShopZone.Change
    let startsAt: Int
    let now: Instant
}
