// Converts the menu to its JSON bodies.
import Ordering
import Wire

extension MenuItemBody {
    /// The item as guests see it. A retired item appears only inside a set and cannot be ordered. A sale that is not
    /// offered is not linked.
    /// - Parameter showsGroups: Whether the body includes the option groups.
    init(_ item: any MenuItem, in menu: Menu, showsGroups: Bool = false) {
        let sale = item.salesGroupID.flatMap(menu.sale)
        let availability = menu.availability(of: item.id)
        let (options, food) = (menu.optionTree(of: item.id), item.details.food)
        self.init(
            id: item.id.rawValue, kind: item.kind.rawValue, category: item.category.rawValue, title: item.title,
            description: item.description, imageURL: item.imageURL, price: item.price.minorUnits,
            salePercent: item.salePercent?.value,
            currentPrice: item.currentPrice.minorUnits, currency: menu.currency.code.text, tags: item.tags,
            isAvailable: availability.isAvailable,
            salesGroupId: sale.flatMap { menu.isOffered($0) ? $0.id.rawValue : nil },
            currencyExponent: menu.currency.exponent, unavailable: UnavailableBody(availability),
            hasOptions: options.hasOptions, needsChoice: options.needsChoice(at: menu.moment),
            left: menu.stock[.item(item.id)]?.remaining,
            contains: food.contains.rawValues, mayContain: food.mayContain.rawValues,
            allergensAreKnown: food.allergensAreKnown,
            diets: food.diets.rawValues, minimumAge: food.minimumAge, nutrition: NutritionBody(food.nutrition),
            optionGroups: showsGroups ? OptionGroupBody.all(options, in: menu) : nil,
            photograph: item.photograph.map(PhotographBody.init),
            languages: TextLanguagesBody(.menuItems, item.id.rawValue, in: menu, description: item.description))
    }
}

extension PhotographBody {
    /// Lists the URL of each size; PhotographRoutes serves them.
    init(_ photograph: Photograph) {
        self.init(
            sizes: photograph.widths.map {
                PhotographSizeBody(
                    width: $0, height: Photograph.height(at: $0), url: "/photographs/\(photograph.digest)/\($0)")
            })
    }
}

extension UnavailableBody {
    /// The reason for unavailability; nil if it is available.
    init?(_ availability: Availability) {
        guard let unavailable = availability.unavailable else { return nil }
        self.init(
            reason: unavailable.reason.rawValue, until: unavailable.until?.rfc3339, available: unavailable.available)
    }
}

extension CategoryBody {
    init(_ category: Ordering.Category, in menu: Menu) {
        self.init(
            id: category.id.rawValue, title: category.title, imageURL: category.imageURL,
            languages: TextLanguagesBody(.categories, category.id.rawValue, in: menu))
    }
}

extension SalesGroupBody {
    /// The sale as guests see it, with its items and their current total.
    init(_ sale: SalesGroup, in menu: Menu) {
        let kind =
            switch sale.content {
            case .information: "information"
            case .set: "set"
            }
        self.init(
            id: sale.id.rawValue, kind: kind, title: sale.title, headline: sale.headline, description: sale.description,
            previewImageURL: sale.previewImageURL, backgroundImageURL: sale.backgroundImageURL,
            items: menu.setItems(of: sale).map {
                SalesGroupItemBody(menuItem: MenuItemBody($0.item, in: menu), quantity: $0.quantity)
            },
            total: menu.setTotal(of: sale).minorUnits, currency: menu.currency.code.text,
            currencyExponent: menu.currency.exponent,
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
            languages: coupon.id.flatMap {
                TextLanguagesBody(.coupons, $0.rawValue, in: menu, description: coupon.description)
            })
    }
}

extension OpeningStatusBody {
    init(_ status: OpeningStatus, in menu: Menu) {
        func spread(_ amounts: ClosedRange<Money>) -> RangeBody {
            RangeBody(lowest: amounts.lowerBound.minorUnits, highest: amounts.upperBound.minorUnits)
        }
        self.init(
            fulfilment: status.fulfilment.rawValue, isOpen: status.isOpen, until: status.closesAt?.rfc3339,
            opensAt: status.opensAt?.rfc3339,
            pausedUntil: status.pausedUntil?.rfc3339, pauseReason: status.pauseReason, isOffered: status.isOffered,
            minutes: status.conditions.map {
                RangeBody(lowest: Int64($0.minutes.lowerBound), highest: Int64($0.minutes.upperBound))
            },
            minimumSubtotal: (status.conditions?.minimum).map(spread), fee: (status.conditions?.fee).map(spread),
            currency: menu.currency.code.text,
            currencyExponent: menu.currency.exponent, needsPostcode: status.needsPostcode)
    }
}

extension HomeBody {
    /// The sections of the home screen, from top to bottom.
    init(_ menu: Menu) {
        let reducedItems = menu.items.filter { !$0.isRetired && $0.salePercent != nil }
        self.init(
            sections: [
                .categories(menu.categories.map { CategoryBody($0, in: menu) }),
                .salesGroups(menu.offeredSales.map { SalesGroupBody($0, in: menu) }),
                .specials(reducedItems.map { MenuItemBody($0, in: menu) }),
                .coupons(menu.coupons.map { CouponBody($0, in: menu) }),
            ],
            opening: menu.openingStatuses.map { OpeningStatusBody($0, in: menu) })
    }
}

extension ShopBody {
    /// The shop's own data.
    init(_ menu: Menu) {
        let about = menu.profile
        self.init(
            name: about.name, address: about.address, phone: about.phone, imprint: about.imprint,
            privacy: about.privacy,
            currency: menu.currency.code.text, currencyExponent: menu.currency.exponent, timeZone: menu.timeZone,
            languages: menu.languages.all.map(\.text), textLanguages: ShopTextLanguagesBody(menu))
    }
}
