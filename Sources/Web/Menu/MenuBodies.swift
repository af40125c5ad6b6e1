// From the menu of Ordering to the bodies of Wire. Called by MenuAnswers, once per change of the menu.
// Read next: MenuAnswers.swift.
import Ordering
import Wire

extension MenuItemBody {
    /// The item as guests see it. One that is retired can only be met in a set, and can't be ordered; a sale that is not offered is not linked to.
    /// - Parameter showsGroups: Where it is shown alone, with all that can be chosen with it.
    init(_ item: any MenuItem, in menu: Menu, showsGroups: Bool = false) {
        let sale = item.salesGroupID.flatMap(menu.sale)
        let availability = menu.availability(of: item.id)
        let (options, food) = (menu.options(of: item.id), item.facts.food)
        self.init(
            id: item.id.rawValue, kind: item.kind.rawValue, category: item.category.rawValue, title: item.title,
            description: item.description, imageURL: item.imageURL, price: item.price.minorUnits, salePercent: item.salePercent?.value,
            currentPrice: item.currentPrice.minorUnits, currency: menu.currency.code.text, tags: item.tags,
            isAvailable: availability.isAvailable,
            salesGroupId: sale.flatMap { menu.isOffered($0) ? $0.id.rawValue : nil },
            currencyExponent: menu.currency.exponent, unavailable: UnavailableBody(availability),
            hasOptions: options.hasOptions, needsChoice: options.needsChoice(at: menu.moment), left: menu.stock[.item(item.id)]?.left,
            contains: food.contains.written, mayContain: food.mayContain.written, allergensAreKnown: food.allergensAreKnown,
            diets: food.diets.written, minimumAge: food.minimumAge, nutrition: NutritionBody(food.nutrition),
            optionGroups: showsGroups ? OptionGroupBody.all(options, in: menu) : nil, photograph: item.photograph.map(PhotographBody.init),
            languages: TextLanguagesBody(.menuItems, item.id.rawValue, in: menu, description: item.description))
    }
}

extension PhotographBody {
    /// Where its sizes lie: see PhotographRoutes.
    init(_ photograph: Photograph) {
        self.init(
            sizes: photograph.widths.map {
                PhotographSizeBody(width: $0, height: Photograph.height(at: $0), url: "/photographs/\(photograph.digest)/\($0)")
            })
    }
}

extension UnavailableBody {
    /// Why it can't be had; nil where it can.
    init?(_ availability: Availability) {
        guard let unavailable = availability.unavailable else { return nil }
        self.init(reason: unavailable.reason.rawValue, until: unavailable.until?.rfc3339, available: unavailable.available)
    }
}

extension CategoryBody {
    init(_ category: Ordering.Category, in menu: Menu) {
        self.init(
            id: category.id.rawValue, title: category.title, imageURL: category.imageURL,
            languages: TextLanguagesBody(.categories, category.id.rawValue, in: menu))
    }
}

extension SaleBody {
    /// The sale as guests see it, with its items and what they cost together now.
    init(_ sale: SalesGroup, in menu: Menu) {
        let kind =
            switch sale.content {
            case .information: "information"
            case .set: "set"
            }
        self.init(
            id: sale.id.rawValue, kind: kind, title: sale.title, headline: sale.headline, description: sale.description,
            previewImageURL: sale.previewImageURL, backgroundImageURL: sale.backgroundImageURL,
            items: menu.setItems(of: sale).map { SaleItemBody(menuItem: MenuItemBody($0.item, in: menu), quantity: $0.quantity) },
            total: menu.setTotal(of: sale).minorUnits, currency: menu.currency.code.text, currencyExponent: menu.currency.exponent,
            languages: TextLanguagesBody(
                .salesGroups, sale.id.rawValue, in: menu, headline: sale.headline, description: sale.description))
    }
}

extension CouponBody {
    init(_ coupon: PublicCoupon, in menu: Menu) {
        self.init(
            key: coupon.key, title: coupon.title, description: coupon.description, startsAt: coupon.startsAt?.rfc3339,
            endsAt: coupon.endsAt?.rfc3339, minimumSubtotal: coupon.minimumSubtotal?.minorUnits,
            currency: menu.currency.code.text, currencyExponent: menu.currency.exponent,
            languages: coupon.id.flatMap { TextLanguagesBody(.coupons, $0.rawValue, in: menu, description: coupon.description) })
    }
}

extension DoorBody {
    init(_ door: ShopDoor, in menu: Menu) {
        func spread(_ amounts: ClosedRange<Money>) -> SpreadBody {
            SpreadBody(lowest: amounts.lowerBound.minorUnits, highest: amounts.upperBound.minorUnits)
        }
        self.init(
            fulfilment: door.fulfilment.rawValue, isOpen: door.isOpen, until: door.until?.rfc3339, opensAt: door.opensAt?.rfc3339,
            pausedUntil: door.pausedUntil?.rfc3339, pauseReason: door.pauseReason, isOffered: door.isOffered,
            minutes: door.takes.map { SpreadBody(lowest: Int64($0.minutes.lowerBound), highest: Int64($0.minutes.upperBound)) },
            minimumSubtotal: (door.takes?.minimum).map(spread), fee: (door.takes?.fee).map(spread), currency: menu.currency.code.text,
            currencyExponent: menu.currency.exponent, needsPostcode: door.needsPostcode)
    }
}

extension HomeBody {
    /// The home screen from the top.
    init(_ menu: Menu) {
        let reduced = menu.items.filter { !$0.isRetired && $0.salePercent != nil }
        self.init(
            sections: [
                .categories(menu.categories.map { CategoryBody($0, in: menu) }),
                .sales(menu.offeredSales.map { SaleBody($0, in: menu) }),
                .specials(reduced.map { MenuItemBody($0, in: menu) }),
                .coupons(menu.coupons.map { CouponBody($0, in: menu) }),
            ],
            opening: menu.doors.map { DoorBody($0, in: menu) })
    }
}

extension ShopBody {
    /// Who answers for this menu.
    init(_ menu: Menu) {
        let about = menu.about
        self.init(
            name: about.name, address: about.address, phone: about.phone, imprint: about.imprint, privacy: about.privacy,
            currency: menu.currency.code.text, currencyExponent: menu.currency.exponent, timeZone: menu.timeZone,
            languages: menu.languages.all.map(\.text), textLanguages: ShopTextLanguagesBody(menu))
    }
}
