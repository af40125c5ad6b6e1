// Mistakes of staff with hours, slots, areas, fees and taxes. The intended constraint rejects each, with a hint.
// Tests sql/016_hours.sql, sql/017_delivery_and_taxes.sql and the columns of the shop that belong to them.
import Logging
import Postgres
import Support
import Testing

@Suite struct HourConstraintTests {
    // The beginnings of INSERT statements, which the values of each mistake follow.
    private static let open = "insert into opening_hours (weekday, opens, closes, fulfilment)"
    private static let other = "insert into opening_exceptions (date, opens, closes, fulfilment)"
    private static let served = "insert into serving_hours (category_id, menu_item_id, weekday, opens, closes)"
    private static let hours: [ConstraintViolation] = [
        ("\(open) values (0, '18:00', '22:00', null)", "opening_weekday_is_iso"),
        ("\(open) values (8, '18:00', '22:00', null)", "opening_weekday_is_iso"),
        ("\(open) values (1.5, '18:00', '22:00', null)", "opening_weekday_is_iso"),
        ("\(open) values ('NaN', '18:00', '22:00', null)", "opening_weekday_is_iso"),
        ("\(open) values (null, '18:00', '22:00', null)", "opening_hours_are_complete"),
        ("\(open) values (1, null, '22:00', null)", "opening_hours_are_complete"),
        ("\(open) values (1, '18:00', '18:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '18:00', '02:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '18:00', '42:01', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '24:00', '25:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '8:00', '9:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '18:00', '22:60', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '18:00:00', '22:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '6pm', '10pm', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '18:00', '48:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, E'18:00\\n', '22:00', null)", "opening_hours_are_a_shift"),
        ("\(open) values (1, '18:00', '22:00', null), (1, '18:00', '22:00', null)", "opening_hours_are_unique"),
        ("\(open) values (1, '18:00', '22:00', 'drone')", "opening_fulfilment_is_known"),
        ("\(other) values ('1999-12-31', null, null, null)", "opening_exception_date_is_near"),
        ("\(other) values ('2200-01-01', null, null, null)", "opening_exception_date_is_near"),
        ("\(other) values ('infinity', null, null, null)", "opening_exception_date_is_near"),
        ("\(other) values (null, '18:00', '22:00', null)", "opening_exceptions_are_complete"),
        ("\(other) values ('2026-12-24', '18:00', null, null)", "opening_exception_is_a_shift"),
        ("\(other) values ('2026-12-24', null, '22:00', null)", "opening_exception_is_a_shift"),
        ("\(other) values ('2026-12-24', '18:00', '42:01', null)", "opening_exception_is_a_shift"),
        ("\(other) values ('2026-12-24', null, null, 'Delivery')", "opening_exception_fulfilment_is_known"),
        (
            "insert into opening_exceptions (date, note) values ('2026-12-24', '<b>Eve</b>')",
            "opening_exception_note_is_plain_text"
        ),
        ("\(served) values (200, 2001, 1, '08:00', '11:00')", "serving_hours_have_one_subject"),
        ("\(served) values (null, null, 1, '08:00', '11:00')", "serving_hours_have_one_subject"),
        ("\(served) values (201, null, 1, '08:00', '11:00')", "served_category_exists"),
        ("\(served) values (null, 9, 1, '08:00', '11:00')", "served_item_exists"),
        ("\(served) values (200, null, 9, '08:00', '11:00')", "serving_weekday_is_iso"),
        ("\(served) values (200, null, 1, '11:00', '08:00')", "serving_hours_are_a_shift"),
    ]
    private static let overlaps: [ConstraintViolation] = [
        ("\(open) values (1, '11:00', '15:00', null), (1, '14:59', '22:00', null)", "opening_hours_do_not_overlap"),
        (
            "\(open) values (1, '14:59', '22:00', 'pickup'); \(open) values (1, '11:00', '15:00', null)",
            "opening_hours_do_not_overlap"
        ),
        (
            "\(open) values (1, '11:00', '22:00', 'delivery'), (1, '12:00', '13:00', 'delivery')",
            "opening_hours_do_not_overlap"
        ),
        ("\(open) values (3, '18:00', '26:00', null), (4, '01:59', '04:00', null)", "opening_hours_do_not_overlap"),
        (
            "\(open) values (7, '18:00', '26:00', null), (1, '01:59', '04:00', 'delivery')",
            "opening_hours_do_not_overlap"
        ),
        (
            """
            \(open) values (5, '18:00', '24:00', null), (6, '01:00', '04:00', null); \
            update opening_hours set closes = '25:01' where weekday = 5
            """,
            "opening_hours_do_not_overlap"
        ),
        (
            "\(other) values ('2026-12-24', '11:00', '15:00', null), ('2026-12-24', '14:00', '16:00', null)",
            "opening_exceptions_do_not_overlap"
        ),
        (
            """
            \(other) values ('2026-12-24', '11:00', '15:00', null);
            \(other) values ('2026-12-24', '14:00', '16:00', 'pickup')
            """,
            "opening_exceptions_do_not_overlap"
        ),
        (
            "\(other) values ('2026-12-31', '20:00', '30:00', null), ('2027-01-01', '05:59', '09:00', null)",
            "opening_exceptions_do_not_overlap"
        ),
        (
            "\(other) values ('2026-12-24', null, null, null), ('2026-12-24', '14:00', '16:00', null)",
            "opening_exception_is_open_or_closed"
        ),
        (
            """
            \(other) values ('2026-12-24', '14:00', '16:00', 'pickup');
            \(other) values ('2026-12-24', null, null, null)
            """,
            "opening_exception_is_open_or_closed"
        ),
        (
            "\(other) values ('2026-12-24', null, null, 'pickup'), ('2026-12-24', '14:00', '16:00', null)",
            "opening_exception_is_open_or_closed"
        ),
        (
            "\(served) values (200, null, 1, '08:00', '11:00'), (200, null, 1, '10:00', '12:00')",
            "serving_hours_do_not_overlap"
        ),
        (
            "\(served) values (null, 2001, 7, '22:00', '30:00'), (null, 2001, 1, '05:00', '12:00')",
            "serving_hours_do_not_overlap"
        ),
    ]
    private static let terms: [ConstraintViolation] = [
        ("update shop set tax_number = 'DE <b>'", "shop_tax_number_is_plain_text"),
        ("update shop set tax_number = repeat('1', 41)", "shop_tax_number_is_plain_text"),
        ("update shop set accept_within_minutes = 0", "shop_accept_within_in_range"),
        ("update shop set accept_within_minutes = 1441", "shop_accept_within_in_range"),
        ("update shop set accept_within_minutes = 7.5", "shop_accept_within_in_range"),
        ("update shop set accept_within_minutes = 'NaN'", "shop_accept_within_in_range"),
        ("update shop set accept_within_minutes = 5, accepts_automatically = true", "shop_has_one_acceptance_mode"),
        ("update shop set accepts_automatically = null", "shop_are_complete"),
        ("update shop set personal_data_days = 0", "shop_personal_data_days_in_range"),
        ("update shop set personal_data_days = 36501", "shop_personal_data_days_in_range"),
        ("update shop set personal_data_days = 1.5", "shop_personal_data_days_in_range"),
        ("update shop set personal_data_days = 'NaN'", "shop_personal_data_days_in_range"),
        ("insert into fulfilments (fulfilment) values ('drone')", "fulfilment_is_known"),
        ("delete from fulfilments where fulfilment = 'pickup'", "fulfilments_are_not_deleted"),
        ("truncate fulfilments", "fulfilments_are_not_deleted"),
        ("update fulfilments set lead_minutes = -1", "fulfilment_lead_in_range"),
        ("update fulfilments set lead_minutes = 181", "fulfilment_lead_in_range"),
        ("update fulfilments set lead_minutes = 7.5", "fulfilment_lead_in_range"),
        ("update fulfilments set lead_minutes = null", "fulfilments_are_complete"),
        ("update fulfilments set slot_minutes = 4", "fulfilment_slot_in_range"),
        ("update fulfilments set slot_minutes = 721", "fulfilment_slot_in_range"),
        ("update fulfilments set slot_minutes = 'NaN'", "fulfilment_slot_in_range"),
        ("update fulfilments set horizon_days = 61", "fulfilment_horizon_in_range"),
        ("update fulfilments set orders_per_slot = 0", "fulfilment_orders_per_slot_in_range"),
        ("update fulfilments set items_per_slot = 0.5", "fulfilment_items_per_slot_in_range"),
        ("update fulfilments set small_order_below = 9.50", "fulfilment_small_order_in_range"),
        ("update fulfilments set small_order_fee = -1", "fulfilment_small_order_in_range"),
        ("update fulfilments set service_charge_percent = 100.5", "fulfilment_service_charge_in_range"),
        ("update fulfilments set service_charge_percent = 8.87655", "fulfilment_service_charge_in_range"),
        ("update fulfilments set service_charge_amount = 1.5", "fulfilment_service_amount_in_range"),
    ]
    private static let area = "insert into delivery_areas (id, title, postcodes)"
    private static let areas: [ConstraintViolation] = [
        ("\(area) values (0, 'A', '{10115}')", "delivery_area_id_is_positive"),
        ("\(area) values (null, 'A', '{10115}')", "delivery_areas_are_complete"),
        ("\(area) values (1, ' A', '{10115}')", "delivery_area_title_is_plain_text"),
        ("\(area) values (1, 'A', '{}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', '{-}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', '{1234567890123}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', '{10*5}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', '{10115,NULL}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', '{{10115},{10117}}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', '{é0115}')", "delivery_area_postcodes_are_valid"),
        ("\(area) values (1, 'A', array_fill('10115'::text, array[1001]))", "delivery_area_postcodes_are_valid"),
        (
            "insert into delivery_areas (id, title, postcodes, minimum_subtotal) values (1, 'A', '{10*}', 15.50)",
            "delivery_area_minimum_in_range"
        ),
        (
            "insert into delivery_areas (id, title, postcodes, extra_minutes) values (1, 'A', '{10*}', 181)",
            "delivery_area_extra_minutes_in_range"
        ),
        ("insert into delivery_fees (area_id, fee) values (1, 190)", "delivery_fee_has_an_area"),
        (
            "\(area) values (1, 'A', '{10*}'); insert into delivery_fees (area_id, fee) values (1, 1.90)",
            "delivery_fee_in_range"
        ),
        (
            "\(area) values (1, 'A', '{10*}'); insert into delivery_fees (area_id, fee) values (1, -1)",
            "delivery_fee_in_range"
        ),
        (
            """
            \(area) values (1, 'A', '{10*}');
            insert into delivery_fees (area_id, from_subtotal, fee) values (1, 20.5, 1)
            """,
            "delivery_fee_from_in_range"
        ),
        (
            "\(area) values (1, 'A', '{10*}'); insert into delivery_fees (area_id, fee) values (1, 190), (1, 290)",
            "delivery_fees_pkey"
        ),
    ]
    private static let rate = "insert into tax_rates (id, title, percent)"
    private static let taxes: [ConstraintViolation] = [
        ("\(rate) values (0, 'VAT', 19)", "tax_rate_id_is_positive"),
        ("\(rate) values (1, '', 19)", "tax_rate_title_is_plain_text"),
        ("\(rate) values (1, 'VAT', 101)", "tax_rate_percent_in_range"),
        ("\(rate) values (1, 'VAT', -1)", "tax_rate_percent_in_range"),
        ("\(rate) values (1, 'VAT', 8.87512)", "tax_rate_percent_in_range"),
        ("\(rate) values (1, 'VAT', 'NaN')", "tax_rate_percent_in_range"),
        (
            "\(rate) values (1, 'VAT', 7); update shop set service_tax_rate_id = 1; delete from tax_rates",
            "tax_rate_is_used"
        ),
        ("\(rate) values (1, 'VAT', null)", "tax_rates_are_complete"),
        ("insert into category_taxes (category_id, tax_rate_id) values (200, 1)", "category_tax_rate_exists"),
        (
            "\(rate) values (1, 'VAT', 7); insert into category_taxes (category_id, tax_rate_id) values (201, 1)",
            "taxed_category_exists"
        ),
        (
            """
            \(rate) values (1, 'VAT', 7);
            insert into category_taxes (category_id, fulfilment, tax_rate_id) values (200, 'eaten', 1)
            """,
            "category_tax_fulfilment_is_known"
        ),
        (
            """
            \(rate) values (1, 'VAT', 7);
            insert into category_taxes (category_id, tax_rate_id) values (200, 1), (200, 1)
            """,
            "category_tax_is_unique"
        ),
        ("update shop set delivery_tax_rate_id = 1", "delivery_tax_rate_exists"),
        ("update shop set small_order_tax_rate_id = 1", "small_order_tax_rate_exists"),
        ("update shop set service_tax_rate_id = 1", "service_tax_rate_exists"),
        (
            """
            \(rate) values (1, 'VAT', 7);
            insert into category_taxes (category_id, tax_rate_id) values (200, 1); delete from tax_rates
            """,
            "tax_rate_is_used"
        ),
    ]

    @Test(
        "Invalid hours, terms, areas, fees and taxes are rejected by their constraint, and the menu stays unchanged",
        arguments: [hours, overlaps, terms, areas, taxes])
    func mistakes(of kind: [ConstraintViolation]) async throws {
        try await TestDatabase.with(.seeded) { database in try await database.expectViolations(kind) }
    }

    @Test("Adjoining shifts are accepted, also over midnight and from Sunday to Monday, and per fulfilment")
    func adjoiningShifts() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psqlAsStaff(
                """
                \(Self.open) values (1, '02:00', '15:00', 'delivery'), (1, '10:00', '22:00', 'pickup'),
                    (1, '15:00', '24:00', 'delivery'),
                    (2, '00:00', '24:00', null), (7, '02:00', '26:00', null);
                \(Self.open) values (1, '02:00', '10:00', 'pickup');
                \(Self.other) values ('2026-12-24', '11:00', '15:00', null), ('2026-12-24', '15:00', '30:00', null),
                    ('2026-12-25', '06:00', '07:00', null),
                    ('2026-12-26', null, null, 'pickup'), ('2026-12-26', '14:00', '16:00', 'delivery'),
                    ('2026-12-27', null, null, null);
                \(Self.served) values (200, null, 1, '08:00', '11:00'), (null, 2001, 1, '10:00', '12:00'),
                    (200, null, 1, '11:00', '32:00'),
                    (200, null, 2, '08:00', '09:00'), (300, null, 1, '08:00', '12:00');
                """)
            #expect(try await database.psql("select count(*) from opening_hours") == "6")
        }
    }

    @Test("When two concurrent transactions write overlapping shifts, the second waits and fails")
    func concurrentOverlap() async throws {
        try await TestDatabase.with(.seeded) { database in
            for (first, second) in [
                (
                    "\(Self.open) values (7, '18:00', '26:00', null)",
                    "\(Self.open) values (1, '01:00', '04:00', 'pickup')"
                ),
                (
                    "\(Self.other) values ('2026-12-24', null, null, null)",
                    "\(Self.other) values ('2026-12-24', '14:00', '16:00', null)"
                ),
                (
                    "\(Self.served) values (200, null, 1, '08:00', '11:00')",
                    "\(Self.served) values (200, null, 1, '10:00', '12:00')"
                ),
            ] {
                let holder = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await holder.run(script: "begin; \(first)")
                let waiting = Task { try await database.psqlAsStaff(second) }
                try await eventually("the second transaction waits") {
                    try await database.psql(
                        """
                        select count(*) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock'
                        """) == "1"
                }
                try await holder.run(script: "commit")
                await holder.close()
                let refusal = await #expect(throws: PsqlFailed.self) { try await waiting.value }
                #expect(refusal?.output.contains("HINT:  ") == true, "\(second)")
            }
        }
    }

    @Test("Every change of hours, areas, fees or taxes increments the menu revision, and an empty change does not")
    func revisions() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            func revision() async throws -> String { try await database.psql("select revision from menu_revision") }
            let changes = [
                "\(Self.open) values (1, '18:00', '26:00', null)", "update opening_hours set closes = '25:00'",
                "\(Self.other) values ('2026-12-24', null, null, null)",
                "update opening_exceptions set fulfilment = 'pickup'",
                "\(Self.served) values (200, null, 1, '08:00', '11:00')", "delete from serving_hours",
                "update fulfilments set slot_minutes = 15 where fulfilment = 'pickup'",
                "\(Self.area) values (1, 'A', '{10*}')",
                "insert into delivery_fees (area_id, fee) values (1, 190)", "update delivery_fees set fee = 290",
                "delete from delivery_areas",
                "\(Self.rate) values (1, 'VAT', 19)",
                "insert into category_taxes (category_id, tax_rate_id) values (400, 1)",
                "update tax_rates set percent = 8.875", "truncate category_taxes",
                "update shop set delivery_tax_rate_id = 1",
                "update shop set pause_until = now() + interval '1 hour'",
                "update shop set busy_minutes = 10, busy_until = now()",
                "update shop set accept_within_minutes = 5",
                "update shop set accept_within_minutes = null, accepts_automatically = true",
                "delete from opening_exceptions", "truncate opening_hours",
            ]
            for change in changes {
                let before = try await revision()
                try await database.psqlAsStaff(
                    change.hasPrefix("truncate") ? change.replacing("truncate", with: "delete from") : change)
                #expect(try await revision() != before, "\(change)")
            }
            let before = try await revision()
            try await database.psqlAsStaff("delete from opening_hours; update tax_rates set percent = 19 where id = 9")
            #expect(try await revision() == before)
        }
    }

    @Test("zone_changes lists the same clock changes as PostgreSQL, to the second")
    func zoneChanges() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            for (zone, since, changes) in [
                ("Europe/Berlin", "2026-01-01", 2), ("America/New_York", "2026-01-01", 2),
                ("Australia/Lord_Howe", "2026-01-01", 2),
                ("America/Sao_Paulo", "2018-01-01", 2), ("Africa/Casablanca", "2025-01-01", 2),
                ("Asia/Kathmandu", "2026-01-01", 0),
                ("Pacific/Apia", "2011-01-01", 3), ("UTC", "2026-01-01", 0),
            ] {
                let listed = "zone_changes('\(zone)', '\(since)Z', timestamptz '\(since)Z' + interval '1 year')"
                #expect(try await database.psql("select count(*) - 1 from \(listed)") == "\(changes)", "\(zone)")
                // Each minute of the year has the offset of the last change before it.
                let mismatches = """
                    select count(*) from (
                        select at, seconds,
                               lead(at, 1, timestamptz '\(since)Z' + interval '1 year') over (order by at) as ends
                               from \(listed)
                    ) as stretch
                    cross join lateral generate_series(at, ends - interval '1 second', interval '1 minute') as minute
                    where extract(epoch from (minute at time zone '\(zone)') - (minute at time zone 'UTC')) <> seconds
                    """
                #expect(try await database.psql(mismatches) == "0", "\(zone)")
                let wrongChanges = """
                    select at
                    from (select at, seconds, lag(seconds) over (order by at) as before from \(listed)) as change
                    where extract(epoch from ((at - interval '1 second') at time zone '\(zone)')
                        - ((at - interval '1 second') at time zone 'UTC')) <> before
                    """
                #expect(try await database.psql(wrongChanges) == "", "\(zone)")
            }
        }
    }
}
