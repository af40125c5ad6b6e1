// The backup and restore commands of the documentation: orders, tokens and keys stay valid on the restored shop.
import Database
import EmbeddedPostgres
import Foundation
import Logging
import Subprocess
import Support
import Testing
import Wire

@Suite("Backups")
struct BackupTests {
    @Test("On a restored shop a checkout is replayed byte for byte, an order token is valid, and a new order is placed")
    func restore() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "welms-\(UUID().uuidString).dump").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (form, first) = try await TestShop.run { shop in
            try await shop.database.psqlAsStaff(
                """
                insert into item_stock (menu_item_id, remaining) values (2001, 5);
                insert into item_stock (menu_item_id, per_day) values (2002, 9)
                """)
            let form = CheckoutBody.filled(for: try await shop.server.startBasket(items: [(2001, 2)], sales: [200]))
            let first = try await shop.server.checkout(form, key: "k").expecting(201)
            try await run("pg_dump", url: shop.database.url, file: file)
            return (form, first)
        }
        try await TestDatabase.with(.seeded) { database in
            try await run("pg_restore", url: database.url, file: file)
            try await TestShop.run(on: database) { shop in
                let replayed = try await shop.server.checkout(form, key: "k")
                #expect(
                    replayed.status == 201 && replayed.body == first.body
                        && replayed.header("Idempotency-Replayed") == "true")
                let order = try first.decoded(OrderBody.self)
                let token = [("Authorization", "Bearer \(order.accessToken ?? "")")]
                let read = try await shop.server.get("/v1/orders/\(order.id)", headers: token).expecting(200)
                #expect(try read.decoded(OrderBody.self).customer == order.customer)
                let next = try await shop.server.order(guest: 2)
                #expect(next.number != order.number)
                // The stock movements from before and after the restore equal the change of the stock count.
                #expect(
                    try await shop.database.psql(
                        "select remaining, (select sold from stock_days) from item_stock where menu_item_id = 2001")
                        == "2|3")
                let movements = "select sum(change) from stock_movements where subject = 'menu_items' and id = 2001"
                #expect(try await shop.database.psql(movements) == "2")
            }
        }
    }

    @Test("A dump of a shop whose composite types got another attribute is restored: orders are read and placed")
    func restoreOfAlteredTypes() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "welms-\(UUID().uuidString).dump").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (form, orders) = try await TestShop.run { shop in
            let before = try await Self.order(in: shop, guest: 1)
            try await shop.database.psql(
                """
                alter type basket_line add attribute extra text;
                alter type order_line add attribute extra text;
                alter type order_option add attribute extra text;
                alter type order_total add attribute extra text
                """)
            let after = try await Self.order(in: shop, guest: 2)
            let open = try await Self.fillBasket(in: shop)
            try await run("pg_dump", url: shop.database.url, file: file)
            return (Self.makeForm(for: open, guest: 3), [before, after])
        }
        try await TestDatabase.with(.seeded) { database in
            try await run("pg_restore", url: database.url, file: file)
            let added = """
                select relname from pg_class join pg_attribute on attrelid = pg_class.oid
                where attname = 'extra' and relkind = 'c' order by 1
                """
            #expect(try await database.psql(added) == "basket_line\norder_line\norder_option\norder_total")
            try await TestShop.run(on: database) { shop in
                for order in orders {
                    let read = try await shop.server.storefront.order(order.id, accessToken: order.accessToken ?? "")
                    #expect(read.lines == order.lines && read.totals == order.totals)
                }
                let basket = try await shop.server.basket(form.basketId ?? "")
                let placed = try await shop.server.checkout(form, key: "k").expecting(201).decoded(OrderBody.self)
                let options = placed.lines.map(\.options)
                #expect(options.count == 2 && options == basket.lines.map(\.options))
                #expect(options == orders[0].lines.map(\.options))
            }
        }
    }

    /// Orders with a tip, so that the CHECK of the restored order also validates the kind of a total.
    private static func order(in shop: TestShop, guest: Int) async throws -> OrderBody {
        let form = makeForm(for: try await fillBasket(in: shop), guest: guest)
        return try await shop.server.checkout(form, key: "k").expecting(201).decoded()
    }

    /// Fills a basket with two lines of one dish that differ in their options and notes.
    private static func fillBasket(in shop: TestShop) async throws -> BasketBody {
        let (storefront, basket) = (shop.server.storefront, try await shop.server.startBasket())
        _ = try await storefront.addItem(2001, options: [SelectedOptionBody(1102)], to: basket.id)
        return try await storefront.addItem(
            2001, options: [SelectedOptionBody(1103), SelectedOptionBody(1202)], note: "well done", to: basket.id)
    }

    private static func makeForm(for basket: BasketBody, guest: Int) -> CheckoutBody {
        var form = CheckoutBody.filled(for: basket, guest: guest, total: basket.total + 100)
        form.tip = 100
        return form
    }

    @Test("pg_dump of an owner without access to a large object of staff succeeds and leaves the object out")
    func largeObjects() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "welms-\(UUID().uuidString).dump").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await ClusterGuard.withDataDirectory { directory in
            let cluster = try await EmbeddedPostgres.start(dataDirectory: directory, logger: .silent)
            do {
                try await Migrator(url: cluster.url, migrations: Migration.shipped(), logger: .silent).migrate()
                // On an operator's own cluster the owner is not a member of the other roles.
                try await Psql.run("revoke welms_staff from welms_owner", url: cluster.superuserURL)
                try await Psql.run("select lo_from_bytea(0, 'x')", url: cluster.url(for: .staff))
                try await run("pg_dump", url: cluster.url, file: file)
                let listing = try await Subprocess.run(
                    .name("pg_restore"), arguments: ["--list", file], output: .string(limit: 1 << 20),
                    error: .discarded)
                let list = listing.standardOutput
                #expect(list.contains("TABLE DATA public orders") && !list.contains("BLOB"), "\(list)")
                await cluster.stop()
            } catch {
                await cluster.stop()
                throw error
            }
        }
    }

    /// Runs the command for this program from the documentation, with this database and file.
    private func run(_ program: String, url: String, file: String) async throws {
        let article = try Repository.text(of: "Sources/welms/welms.docc/Operating.md")
        let lines = article.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("\(program) ") && $0.contains(Self.shopURL)
        }
        #expect(lines.count == 1, "\(lines)")
        let line = try #require(lines.first)
        #expect(line.contains("welms.dump"), "\(line)")
        let command = line.replacing(Self.shopURL, with: "\"$SHOP\"").replacing("welms.dump", with: "\"$DUMP\"")
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-c", command], environment: .inherit.updating(["SHOP": url, "DUMP": file]),
            output: .discarded, error: .string(limit: 1 << 16))
        #expect(result.terminationStatus.isSuccess, "\(command): \(result.standardError)")
    }

    /// The documentation's notation of the database URL.
    private static let shopURL = "\"$(.build/release/welms url)\""
}
