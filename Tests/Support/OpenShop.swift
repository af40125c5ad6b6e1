// A shop without its web server, open for as long as a closure runs, and guests who order in it.
// Used by the tests of Database and of Shop.
import Database
import Ordering
import ServiceLifecycle
import Shop

/// A guest: guests of different numbers share neither phone nor email.
package struct Guest: Sendable {
    /// As typed.
    package var name = "Ann Lee"
    /// As typed.
    package var phone: String
    /// As typed.
    package var email: String

    /// The guest of this number, below 10,000.
    package init(_ number: Int) {
        let digits = String(10_000 + number % 10_000).dropFirst()
        (phone, email) = ("+1 212 555 \(digits)", "Guest.\(number)@example.com")
    }
}

/// A shop on a database of a test's own.
package struct OpenShop: Sendable {
    /// The use cases.
    package let shop: RunningShop
    /// Storage, with connections of its own.
    package let storage: ShopDatabase
    /// The database, for psql.
    package let database: TestDatabase

    /// Opens a shop, runs `body`, and closes it: one server; several of them may stand on one database.
    package static func with<T>(
        on database: TestDatabase, connections: Int = 2, shards: Shards = .one, mail: MailConfiguration? = nil,
        statementTimeout: Duration = .seconds(60), onMail: @escaping @Sendable (Health) -> Void = { _ in },
        onAcceptance: @escaping @Sendable (Health) -> Void = { _ in },
        onLockedRows: @escaping @Sendable (Health) -> Void = { _ in }, _ body: (OpenShop) async throws -> T
    ) async throws -> T {
        var place = DatabaseConfiguration(url: database.serverURL)
        // Two busy cores are no fault of the shop's.
        (place.connections, place.waitForConnection) = (connections, .seconds(60))
        place.statementTimeout = statementTimeout
        let listeners = RunningShop.Listeners(
            onDatabase: { _ in }, onMenu: { _ in }, onOrdering: { _ in }, onMail: onMail, onAcceptance: onAcceptance,
            onLockedRows: onLockedRows)
        let shop = try await RunningShop.open(place, shards: shards, mail: mail, listeners: listeners, logger: .silent)
        place.isDistributed = try await ShopDatabase.firstLook(place, logger: .silent).isDistributed
        let storage = try ShopDatabase(place, logger: .silent)
        let services = ServiceGroup(services: [storage] + shop.services, logger: .silent)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            let result: Result<T, any Error>
            do { result = .success(try await body(OpenShop(shop: shop, storage: storage, database: database))) } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    /// One shop on a seeded database.
    package static func with<T>(_ body: (OpenShop) async throws -> T) async throws -> T {
        try await TestDatabase.with(.seeded) { database async throws in try await with(on: database, body) }
    }

    /// Two servers on one seeded database.
    package static func two<T>(_ body: (OpenShop, OpenShop) async throws -> T) async throws -> T {
        try await TestDatabase.with(.seeded) { database async throws in
            try await with(on: database) { one async throws in
                try await with(on: database) { other async throws in try await body(one, other) }
            }
        }
    }

    /// An id that nothing has.
    package func newID() -> BasketID {
        let time = Instant(microseconds: 1_790_000_000_000_000)
        return .make(now: time, random: (.random(in: .min ... .max), .random(in: .min ... .max)))
    }

    /// A basket with these items, one of each unless given otherwise.
    package func basket(_ items: [Int64: Int64] = [2001: 1], sales: [Int64] = []) async throws -> PricedBasket {
        let id = newID()
        var basket = try await shop.baskets.create(id).get()
        for (item, quantity) in items.sorted(by: { $0.key < $1.key }) {
            basket = try await shop.baskets.change(id, .addItem(MenuItemID(rawValue: item), quantity: quantity)).get()
        }
        for sale in sales { basket = try await shop.baskets.change(id, .addSale(SalesGroupID(rawValue: sale))).get() }
        return basket
    }

    /// A checkout of the basket by the guest, who was shown the total that it has now.
    /// - Parameter edit: what the guest writes besides.
    package func draft(
        _ basket: PricedBasket, by guest: Guest, coupon: String? = nil, birthday: String? = nil, wantedAt: Instant? = nil,
        postcode: String? = nil, key: String = "key", language: String? = nil, edit: (inout CheckoutForm) -> Void = { _ in }
    ) async throws -> CheckoutDraft {
        var form = CheckoutForm(
            name: guest.name, phone: guest.phone, email: guest.email, address: "1 Main Street, Springfield", coupon: coupon,
            birthday: birthday, wantedAt: wantedAt?.rfc3339, postcode: postcode)
        edit(&form)
        let judged = try await shop.checkouts.judge(form, basketID: basket.basket.id)
        form.expectedTotal = (judged?.quote?.total ?? basket.total).minorUnits
        let parsed = try IdempotencyKey.parse(key).get()
        return CheckoutDraft(
            basketID: basket.basket.id, key: parsed, fingerprint: Array("\(form)".utf8), form: form,
            validation: form.validated(defaultCountry: "US"),
            openOrders: shop.kitchen.openOrders, language: language.flatMap { LanguageTag($0) })
    }

    /// Fills a basket and orders it.
    package func order(by guest: Guest, coupon: String? = nil, birthday: String? = nil) async throws -> CheckoutAnswer {
        try await shop.checkouts.submit(draft(basket(), by: guest, coupon: coupon, birthday: birthday))
    }
}

extension CheckoutAnswer {
    /// The order, placed now or before.
    package var order: Order? {
        switch self {
        case .placed(let order), .replayed(let order): order
        case .rejected: nil
        }
    }

    /// Whether it was placed now.
    package var isPlaced: Bool { if case .placed = self { true } else { false } }

    /// Why there is none.
    package var rejection: CheckoutRejection? { if case .rejected(let rejection) = self { rejection } else { nil } }

    /// The codes of everything that is wrong.
    package var codes: [FieldErrorCode] { if case .validationFailed(let errors)? = rejection { errors.all.map(\.code) } else { [] } }
}

/// Runs all of them at the same time; answers in the order of the inputs.
package func together<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ work: @escaping @Sendable (Input) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        for (index, input) in inputs.enumerated() { group.addTask { (index, try await work(input)) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension OpenShop {
    /// Takes a step of an order as staff do, and again while somebody holds what it needs: on a busy machine a commit
    /// takes longer than the 100 ms for which a statement of staff waits. Behind an open transaction it is never taken.
    package func take(_ step: StaffStep, _ order: Order) async throws -> OrderAdvance {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do throws(ShopFault) {
                return try await shop.staff.take(step, number: order.number, by: .ofTheSettings)
            } catch {
                guard case .beingChanged = error, ContinuousClock.now < end else { throw error }
            }
        }
    }
}
