// Rows of hours, exceptions, areas, fees and taxes with extreme values that the tables accept. The menu can be read,
// and every form is placed or rejected with a reason. ExtremeColumnValuesTests covers single columns.
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite struct ExtremeSettingsTests {
    private static let slots = "update fulfilments set slot_minutes = 5, horizon_days = 60"
    private static let everyDay = "insert into opening_hours (weekday, opens, closes) select day,"

    /// Settings with which orders are placed, as soon as possible and for every offered slot.
    private static let openSettings = [
        "\(slots); \(everyDay) '23:59', '47:59' from generate_series(1, 7) as day",
        "\(slots); \(everyDay) '00:00', '24:00' from generate_series(1, 7) as day",
        """
        \(slots), lead_minutes = 180, orders_per_slot = 1, items_per_slot = 1;
        update shop set busy_minutes = 180, busy_until = 'infinity'
        """,
        """
        update fulfilments set slot_minutes = 720, horizon_days = 60, lead_minutes = 0,
            orders_per_slot = 100000, items_per_slot = 1000000
        """,
        """
        \(slots); \(everyDay) '00:00', '24:00' from generate_series(1, 7) as day;
        update shop set time_zone = 'Asia/Kathmandu'
        """,
        """
        \(slots); \(everyDay) '12:34', '36:34' from generate_series(1, 7) as day;
        update shop set time_zone = 'Pacific/Apia', business_day_start = '23:59'
        """,
        """
        \(slots); \(everyDay) '00:01', '24:01' from generate_series(1, 7) as day;
        update shop set time_zone = 'Australia/Lord_Howe'
        """,
        "\(slots); update shop set time_zone = 'Pacific/Kiritimati'",
        "\(slots); update shop set time_zone = 'Etc/GMT+12'",
        "insert into opening_exceptions (date) values ('2000-01-01'), ('2199-12-31')",
        """
        insert into opening_exceptions (date, opens, closes)
            select '2000-01-01'::date + n, '00:00', '24:00' from generate_series(0, 2000) as n
        """,
        """
        update shop set pause_until = '-infinity', busy_until = '-infinity', busy_minutes = 180,
            pause_reason = repeat('🍕', 200)
        """,
        "update shop set pause_until = '4713-01-01 BC', busy_until = '294276-12-31', busy_minutes = 180",
        """
        update shop set pause_until = '2000-01-01', address = repeat('ß', 300), phone = repeat('1', 40),
            imprint = repeat('🍕', 2000), privacy = repeat('🍕', 8000), tax_number = repeat('1', 40)
        """,
        """
        \(slots);
        insert into serving_hours (menu_item_id, weekday, opens, closes) values
            (3001, 1, '00:00', '00:01'), (2001, 1, '00:00', '24:00'), (2001, 2, '00:00', '24:00'),
            (2001, 3, '00:00', '24:00'), (2001, 4, '00:00', '24:00'), (2001, 5, '00:00', '24:00'),
            (2001, 6, '00:00', '24:00'), (2001, 7, '00:00', '24:00')
        """,
        "\(slots); insert into item_stock (menu_item_id, per_day) values (2001, 1000000)",
        """
        insert into delivery_areas (id, title, priority, postcodes, extra_minutes)
            values (9223372036854775807, 'All', -2147483648, '{*}', 180), (1, 'Other', 2147483647, '{10115}', 0);
        insert into delivery_fees values
            (9223372036854775807, 0, 100000000), (9223372036854775807, 100000000, 0), (1, 0, 0)
        """,
        """
        insert into delivery_areas (id, title, postcodes)
            select n, repeat('🍕', 100),
                array(select to_char(m, 'FM00000') from generate_series(n * 1000 + 1, n * 1000 + 1000) as m)
            from generate_series(1, 98) as n;
        insert into delivery_fees
            select id, from_subtotal, 100000000 - from_subtotal
            from delivery_areas cross join generate_series(0, 20) as from_subtotal
        """,
        """
        update fulfilments
            set small_order_below = 100000000, small_order_fee = 100000000, service_charge_amount = 100000000;
        insert into delivery_areas (id, title, postcodes) values (1, 'All', '{*}');
        insert into delivery_fees values (1, 0, 100000000);
        """,
    ]

    /// Settings that may reject every order: closed, paused, or without a delivery area.
    private static let closedSettings = [
        "\(slots); \(everyDay) '00:00', '00:01' from generate_series(1, 7) as day",
        "\(slots); \(everyDay) '23:59', '24:00' from generate_series(1, 1) as day",
        """
        \(slots); \(everyDay) '00:00', '24:00' from generate_series(1, 7) as day;
        update opening_hours set fulfilment = 'pickup'
        """,
        "\(slots); insert into opening_exceptions (date) select current_date - 2 + n from generate_series(0, 500) as n",
        "\(slots); update shop set pause_until = 'infinity'",
        "\(slots); update shop set pause_until = '294276-12-31', busy_until = 'infinity'",
        "\(slots); update shop set pause_until = now() + interval '60 days'",
        "\(slots); update fulfilments set is_offered = false",
        "update fulfilments set slot_minutes = 720, horizon_days = 0, items_per_slot = 1",
        "insert into delivery_areas (id, title, postcodes, is_active) values (1, 'All', '{*}', false)",
        "insert into delivery_areas (id, title, postcodes, minimum_subtotal) values (1, 'All', '{*}', 100000000)",
        // The serving hours of one minute a week contain no slot.
        "\(slots); insert into serving_hours (category_id, weekday, opens, closes) values (200, 1, '00:01', '00:02')",
    ]

    /// Tax rates of items and fees, included in the prices or added to them.
    private static let taxSettings = ["0", "100", "0.0001", "99.9999", "50", "8.875"].flatMap { percent in
        ["true", "false"].flatMap { areIncluded in
            ["null", "1", "2"].map { rate in
                """
                insert into tax_rates (id, title, percent) values
                    (1, 'VAT', \(percent)), (2, 'Other', 100), (9223372036854775807, 'None', 0);
                insert into category_taxes (category_id, fulfilment, tax_rate_id) values
                    (200, null, 1), (200, 'pickup', 9223372036854775807);
                update shop set prices_include_tax = \(areIncluded), delivery_tax_rate_id = \(rate),
                    small_order_tax_rate_id = \(rate), service_tax_rate_id = 2;
                update fulfilments set small_order_below = 100000000, small_order_fee = 1,
                    service_charge_percent = \(percent);
                insert into delivery_areas (id, title, postcodes) values (1, 'All', '{*}');
                insert into delivery_fees values (1, 0, 100000000);
                """
            }
        }
    }

    @Test(
        "With any accepted hours, pauses, areas and fees, orders for now and for offered slots are placed",
        arguments: openSettings)
    func served(_ rows: String) async throws { try await serve(rows, isServed: true) }

    @Test("Settings that reject every order give each guest a reason and cause no fault", arguments: closedSettings)
    func rejected(_ rows: String) async throws { try await serve(rows, isServed: false) }

    @Test("With any accepted tax rates, included in the prices or added, the totals add up and the order is placed")
    func taxes() async throws {
        try await ShopFixture.with { open async throws in
            for (round, rows) in Self.taxSettings.enumerated() {
                try await open.database.psqlAsStaff(rows)
                try await expectAnswers(open, rows, isServed: true, round: round)
                try await open.database.psqlAsStaff(
                    """
                    update shop
                    set delivery_tax_rate_id = null, small_order_tax_rate_id = null, service_tax_rate_id = null;
                    delete from category_taxes; delete from tax_rates; delete from delivery_areas;
                    """)
            }
        }
    }

    private func serve(_ rows: String, isServed: Bool) async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(rows)
            try await expectAnswers(open, rows, isServed: isServed)
        }
    }

    /// A form, and whether it must be placed if the settings accept orders.
    private typealias Form = (
        name: String, isPlaced: Bool, coupon: String?, edit: @Sendable (inout CheckoutForm) -> Void
    )

    private func expectAnswers(_ open: ShopFixture, _ rows: String, isServed: Bool, round: Int = 0) async throws {
        let menu = try await open.shop.menu.menu(atLeast: open.storage.loadMenuRevision().revision).menu
        #expect(menu.openingStatuses.count == 2)
        var forms: [Form] = [
            ("as soon as possible", true, nil, { $0.postcode = "10115" }),
            ("a coupon", true, "FRST", { $0.postcode = "10 115" }),
            ("pickup", true, nil, { $0.fulfilment = "pickup" }), ("no postcode", false, nil, { _ in }),
            ("a tip", false, nil, { ($0.postcode, $0.tip) = ("10115", 1_000_000_000_000_000) }),
        ]
        for wanted in [
            "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-14:00", "2026-02-29T25:00:00Z",
            menu.moment.rfc3339,
        ] {
            forms.append((wanted, false, nil, { ($0.postcode, $0.wantedAt) = ("10115", wanted) }))
        }
        let today = menu.terms.zone.date(of: menu.moment).daysSince1970
        for kind in Fulfilment.allCases {
            let horizon = Int64(menu.terms[kind].horizonDays)
            var offered: [OfferedSlot] = []
            for day in Set([0, 1, horizon - 1, horizon, horizon + 1]).sorted() where day >= 0 {
                let slots = try #require(
                    try await open.shop.times.offered(kind, on: LocalDate(daysSince1970: today + day))
                ).slots
                #expect(day <= horizon || slots.isEmpty, "\(rows): slots beyond the horizon")
                offered += slots
            }
            for slot in Set([offered.dropFirst(offered.count / 2).first, offered.last].compactMap(\.self)) {
                let wanted = slot.startsAt.rfc3339
                forms.append(
                    (
                        "\(kind) at \(wanted)", true, nil,
                        { ($0.postcode, $0.fulfilment, $0.wantedAt) = ("10115", kind.rawValue, wanted) }
                    ))
            }
        }
        var drafts: [CheckoutDraft] = []
        for (number, form) in forms.enumerated() {
            drafts.append(
                try await open.makeDraft(
                    open.makeBasket(), by: Guest(round * 100 + number), coupon: form.coupon, edit: form.edit))
        }
        let all = drafts
        let answers = try await runConcurrently(Array(all.indices)) { index -> Result<CheckoutAnswer, ShopFault> in
            do throws(ShopFault) { return .success(try await open.shop.checkouts.submit(all[index])) } catch {
                return .failure(error)
            }
        }
        for (form, answer) in zip(forms, answers) {
            switch answer {
            case .failure(let fault): Issue.record("\(rows): \(form.name): \(fault)")
            case .success(let answer):
                #expect(answer.isPlaced || !answer.errorCodes.isEmpty, "\(rows): \(form.name): \(answer)")
                #expect(answer.isPlaced || !form.isPlaced || !isServed, "\(rows): \(form.name): \(answer)")
                guard let order = answer.order else { continue }
                #expect(try await open.storage.loadOrder(order.id)?.totals == order.totals, "\(rows): \(form.name)")
            }
        }
    }
}
