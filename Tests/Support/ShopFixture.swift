// A running shop without its web server, for as long as a closure runs, and guests who order in it.
import Database
import Ordering
import ServiceLifecycle
import Shop

/// A guest. Guests with different numbers share neither phone nor email.
package struct Guest: Sendable {
    /// The name as typed.
    package var name = "Ann Lee"
    /// The phone number as typed.
    package var phone: String
    /// The email address as typed.
    package var email: String

    /// Creates the guest with this number, below 10,000.
    package init(_ number: Int) {
        let digits = String(10_000 + number % 10_000).dropFirst()
        (phone, email) = ("+1 212 555 \(digits)", "Guest.\(number)@example.com")
    }
}

/// A shop on a database that belongs to one test.
package struct ShopFixture: Sendable {
    /// The running shop, whose use cases a test calls.
    package let shop: RunningShop
    /// The storage, with its own connections.
    package let storage: ShopDatabase
    /// The database, for psql.
    package let database: TestDatabase

    /// Opens a shop, runs `body`, and closes the shop. Several shops may share one database, like several servers.
    package static func with<T>(
        on database: TestDatabase, connections: Int = 2, shards: Shards = .single, mail: MailConfiguration? = nil,
        statementTimeout: Duration = .seconds(60), onMail: @escaping @Sendable (ComponentHealth) -> Void = { _ in },
        onAcceptance: @escaping @Sendable (ComponentHealth) -> Void = { _ in },
        onLockedRows: @escaping @Sendable (ComponentHealth) -> Void = { _ in }, _ body: (ShopFixture) async throws -> T
    ) async throws -> T {
        var configuration = DatabaseConfiguration(url: database.serverURL)
        // On two busy cores a wait for a connection can be long, so it must not fail a test.
        (configuration.connections, configuration.connectionTimeout) = (connections, .seconds(60))
        configuration.statementTimeout = statementTimeout
        let listeners = RunningShop.HealthCallbacks(
            onDatabase: { _ in }, onMenu: { _ in }, onOrdering: { _ in }, onMail: onMail, onAcceptance: onAcceptance,
            onLockedRows: onLockedRows)
        let shop = try await RunningShop.open(
            configuration, shards: shards, mail: mail, healthCallbacks: listeners, logger: .silent)
        configuration.isDistributed = try await ShopDatabase.loadStartupFacts(configuration, logger: .silent)
            .isDistributed
        let storage = try ShopDatabase(configuration, logger: .silent)
        let services = ServiceGroup(services: [storage] + shop.services, logger: .silent)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            let result: Result<T, any Error>
            do {
                result = .success(try await body(ShopFixture(shop: shop, storage: storage, database: database)))
            } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    /// Opens one shop on a seeded database.
    package static func with<T>(_ body: (ShopFixture) async throws -> T) async throws -> T {
        try await TestDatabase.with(.seeded) { database async throws in try await with(on: database, body) }
    }

    /// Opens two shops, like two servers, on one seeded database.
    package static func withTwoServers<T>(_ body: (ShopFixture, ShopFixture) async throws -> T) async throws -> T {
        try await TestDatabase.with(.seeded) { database async throws in
            try await with(on: database) { first async throws in
                try await with(on: database) { second async throws in try await body(first, second) }
            }
        }
    }

    /// Returns a basket id that is not in use.
    package func makeBasketID() -> BasketID {
        let time = Instant(microseconds: 1_790_000_000_000_000)
        return .make(now: time, random: (.random(in: .min ... .max), .random(in: .min ... .max)))
    }

    /// Creates a basket with these items and quantities, by default one Big Tasty.
    package func makeBasket(_ items: [Int64: Int64] = [2001: 1], sales: [Int64] = []) async throws -> PricedBasket {
        let id = makeBasketID()
        var basket = try await shop.baskets.create(id).get()
        for (item, quantity) in items.sorted(by: { $0.key < $1.key }) {
            basket = try await shop.baskets.change(id, .addItem(MenuItemID(rawValue: item), quantity: quantity)).get()
        }
        for sale in sales { basket = try await shop.baskets.change(id, .addSale(SalesGroupID(rawValue: sale))).get() }
        return basket
    }

    /// Prepares a checkout of the basket by the guest, with the basket's current total.
    /// - Parameter edit: Changes the form further.
    package func makeDraft(
        _ basket: PricedBasket, by guest: Guest, coupon: String? = nil, birthday: String? = nil,
        wantedAt: Instant? = nil,
        postcode: String? = nil, key: String = "key", language: String? = nil,
        edit: (inout CheckoutForm) -> Void = { _ in }
    ) async throws -> CheckoutDraft {
        var form = CheckoutForm(
            name: guest.name, phone: guest.phone, email: guest.email, address: "1 Main Street, Springfield",
            coupon: coupon,
            birthday: birthday, wantedAt: wantedAt?.rfc3339, postcode: postcode)
        edit(&form)
        let evaluation = try await shop.checkouts.validate(form, basketID: basket.basket.id)
        form.expectedTotal = (evaluation?.quote?.total ?? basket.total).minorUnits
        let parsed = try CheckoutIdempotencyKey.parse(key).get()
        return CheckoutDraft(
            basketID: basket.basket.id, key: parsed, fingerprint: Array("\(form)".utf8), form: form,
            validation: form.validated(defaultCountry: "US"),
            openOrders: shop.kitchen.openOrders, language: language.flatMap { LanguageTag($0) })
    }

    /// Fills a basket and orders it.
    package func placeOrder(by guest: Guest, coupon: String? = nil, birthday: String? = nil) async throws
        -> CheckoutAnswer
    {
        try await shop.checkouts.submit(makeDraft(makeBasket(), by: guest, coupon: coupon, birthday: birthday))
    }
}

extension CheckoutAnswer {
    /// The order that was placed or replayed.
    package var order: Order? {
        switch self {
        case .placed(let order), .replayed(let order): order
        case .rejected: nil
        }
    }

    /// Whether this attempt placed the order.
    package var isPlaced: Bool { if case .placed = self { true } else { false } }

    /// Why no order was placed.
    package var rejection: CheckoutRejection? { if case .rejected(let rejection) = self { rejection } else { nil } }

    /// The codes of all field errors.
    package var errorCodes: [FieldErrorCode] {
        if case .validationFailed(let errors)? = rejection { errors.all.map(\.code) } else { [] }
    }
}

/// Runs the work for all inputs concurrently; returns the results in the order of the inputs.
package func runConcurrently<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ work: @escaping @Sendable (Input) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        for (index, input) in inputs.enumerated() { group.addTask { (index, try await work(input)) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension ShopFixture {
    /// Takes a step of an order as staff do, and retries while another transaction holds a lock that the step needs.
    /// On a busy machine a commit takes longer than the 100 ms for which a staff statement waits.
    /// An open transaction makes this function fail after 20 s.
    package func takeStep(_ step: StaffStep, of order: Order) async throws -> StaffStepResult {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do throws(ShopFault) {
                return try await shop.staff.perform(step, number: order.number, by: .settingsToken)
            } catch {
                guard case .rowLocked = error, ContinuousClock.now < end else { throw error }
            }
        }
    }
}
