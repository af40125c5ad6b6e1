// The JSON document that LoadMenu.swift reads, and its conversion to a menu. Values that the constraints forbid are
// faults.
import Ordering
import Postgres

/// The whole menu, and the shop's details.
struct StoredMenu: Decodable {
    struct Category: Decodable { let id: Int64, title: String, image_url: String, position: Int }
    struct Item: Decodable {
        let id: Int64, category_id: Int64, kind: String, title: String, description: String, image_url: String,
            price: Int64
        let sale_percent: Int?, tags: [String], is_available: Bool, sold_out_until: Int64?, is_retired: Bool,
            position: Int
        let sales_group_id: Int64?, groups: [Int64], photograph: String?, photograph_widths: [Int]?
    }
    struct Group: Decodable { let id: Int64, title: String, minimum: Int, maximum: Int?, included: Int }
    struct Option: Decodable {
        let id: Int64, group_id: Int64, title: String, price: Int64, maximum: Int, is_default: Bool, is_available: Bool
        let sold_out_until: Int64?, position: Int, groups: [Int64]
    }
    struct Entry: Decodable { let menu_item_id: Int64, quantity: Int }
    struct Sale: Decodable {
        let id: Int64, kind: String, title: String, headline: String, description: String, preview_image_url: String
        let background_image_url: String, is_retired: Bool, position: Int, items: [Entry]
    }
    struct Coupon: Decodable {
        let id: Int64, key: String, title: String, description: String, minimum_subtotal: Int64?, starts_at: Int64?,
            ends_at: Int64?
    }
    struct Translation: Decodable {
        let subject: String, id: Int64, language: String, title: String?, headline: String?, description: String?
    }

    let revision: Int64, now: Int64, currency: String, default_country: String, time_zone: String, terms: StoredTerms
    let languages: [String], name: String, address: String?, phone: String?, imprint: String?, privacy: String?,
        tax_number: String?
    let categories: [Category], items: [WithFood<Item>], groups: [Group], options: [WithFood<Option>], sales: [Sale],
        coupons: [Coupon]
    let translations: [Translation]

    func loadedMenu() throws(PostgresError) -> LoadedMenu {
        guard let currency = Currency(currency) else { throw .undecodable("the shop's currency is \(currency)") }
        var menuItems: [any MenuItem] = []
        for item in items { menuItems.append(try item.menuItem()) }
        let menu = Menu(
            revision: revision, currency: currency, defaultCountry: default_country, timeZone: time_zone,
            terms: try terms.terms(),
            profile: ShopProfile(
                name: name, address: address, phone: phone, imprint: imprint, privacy: privacy, taxNumber: tax_number),
            languages: try shopLanguages(),
            categories: categories.map {
                Ordering.Category(
                    id: CategoryID(rawValue: $0.id), title: $0.title, imageURL: $0.image_url, position: $0.position)
            },
            items: menuItems, sales: sales.map(\.salesGroup), coupons: coupons.map(\.publicCoupon),
            optionGroups: try optionGroups(),
            itemOptionGroups: Dictionary(
                items.lazy.map(\.row).filter { !$0.groups.isEmpty }
                    .map { (MenuItemID(rawValue: $0.id), $0.groups.map(OptionGroupID.init(rawValue:))) },
                uniquingKeysWith: { first, _ in first }),
            serving: try terms.serving(),
            translations: Translations(try translations.map { row throws(PostgresError) in try row.translation() }),
            at: Instant(microseconds: now))
        return LoadedMenu(menu: menu, clock: DatabaseClock(databaseTime: menu.moment))
    }

    private func shopLanguages() throws(PostgresError) -> ShopLanguages {
        let tags = languages.compactMap { LanguageTag($0) }
        guard let own = tags.first, tags.count == languages.count else {
            throw .undecodable("the shop's languages are \(languages)")
        }
        return ShopLanguages(own: own, others: Array(tags.dropFirst()))
    }

    private func optionGroups() throws(PostgresError) -> [OptionGroup] {
        let optionsOfGroups = Dictionary(grouping: options) { $0.row.group_id }
        return try groups.map { row throws(PostgresError) in
            let options = try (optionsOfGroups[row.id] ?? []).map { option throws(PostgresError) in try option.option()
            }
            let group = OptionGroup(
                id: OptionGroupID(rawValue: row.id), title: row.title, minimum: row.minimum, maximum: row.maximum,
                included: row.included, options: options)
            guard let group else { throw .undecodable("option group \(row.id) is out of range") }
            return group
        }
    }
}

extension WithFood<StoredMenu.Item> {
    fileprivate func menuItem() throws(PostgresError) -> any MenuItem {
        guard let price = Money(minorUnits: row.price) else {
            throw .undecodable("menu item \(row.id) costs \(row.price)")
        }
        guard let food = food.facts else {
            throw .undecodable("menu item \(row.id): its food information contradicts itself")
        }
        let facts = MenuItemDetails(
            id: MenuItemID(rawValue: row.id), category: CategoryID(rawValue: row.category_id), title: row.title,
            description: row.description, imageURL: row.image_url, price: price, tags: row.tags,
            isAvailable: row.is_available, soldOutUntil: row.sold_out_until.map(Instant.init(microseconds:)),
            isRetired: row.is_retired, position: row.position, food: food,
            photograph: row.photograph.map { Photograph(digest: $0, widths: row.photograph_widths ?? []) })
        switch (MenuItemKind(rawValue: row.kind), row.sale_percent.flatMap(Percent.init)) {
        case (.regular, nil): return RegularItem(facts)
        case (.discount, let percent?): return DiscountItem(facts, salePercent: percent)
        case (.special, let percent?):
            return SpecialItem(facts, salePercent: percent, salesGroupID: row.sales_group_id.map(SalesGroupID.init))
        default: throw .undecodable("menu item \(row.id): kind \(row.kind) and its sale percent don't agree")
        }
    }
}

extension WithFood<StoredMenu.Option> {
    fileprivate func option() throws(PostgresError) -> Ordering.Option {
        guard let price = OptionPrice(minorUnits: row.price), let food = food.facts,
            let option = Ordering.Option(
                id: OptionID(rawValue: row.id), title: row.title, price: price, maximum: row.maximum,
                isDefault: row.is_default, isAvailable: row.is_available,
                soldOutUntil: row.sold_out_until.map(Instant.init(microseconds:)), position: row.position,
                groups: row.groups.map(OptionGroupID.init(rawValue:)), food: food)
        else { throw .undecodable("option \(row.id) is out of range") }
        return option
    }
}

extension StoredMenu.Sale {
    fileprivate var salesGroup: SalesGroup {
        let entries = items.compactMap {
            SetEntry(menuItemID: MenuItemID(rawValue: $0.menu_item_id), quantity: $0.quantity)
        }
        return SalesGroup(
            id: SalesGroupID(rawValue: id), title: title, headline: headline, description: description,
            previewImageURL: preview_image_url, backgroundImageURL: background_image_url, position: position,
            isRetired: is_retired, content: kind == "set" ? .set(entries) : .information)
    }
}

extension StoredMenu.Coupon {
    fileprivate var publicCoupon: PublicCoupon {
        PublicCoupon(
            id: CouponID(rawValue: id), key: key, title: title, description: description,
            startsAt: starts_at.map(Instant.init(microseconds:)), endsAt: ends_at.map(Instant.init(microseconds:)),
            minimumSubtotal: minimum_subtotal.flatMap(Money.init(minorUnits:)))
    }
}

extension StoredMenu.Translation {
    fileprivate func translation() throws(PostgresError) -> Ordering.Translation {
        guard let subject = TranslationSubject(rawValue: subject), let language = LanguageTag(language) else {
            throw .undecodable("a translation of \(self.subject) \(id) into \(self.language)")
        }
        return Translation(
            subject, id, language, TranslatedText(title: title, headline: headline, description: description))
    }
}
