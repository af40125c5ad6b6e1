// The home screen as an array of tagged sections: the server decides what is shown, and in which order.

/// The sections of the home screen, from the top.
public struct HomeBody: Hashable, Sendable, Decodable, JSONObject {
    /// The sections.
    public let sections: [HomeSection]
    /// The opening status of delivery and of pickup.
    public let opening: [OpeningStatusBody]

    package init(sections: [HomeSection], opening: [OpeningStatusBody]) {
        (self.sections, self.opening) = (sections, opening)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("sections", sections)
        writer.field("opening", opening)
    }
}

/// One section: `{"kind": …, "items": […]}`.
public enum HomeSection: Hashable, Sendable, Decodable, JSONObject {
    /// The menu's categories.
    case categories([CategoryBody])
    /// The sales groups.
    case salesGroups([SalesGroupBody])
    /// Items at a reduced price.
    case specials([MenuItemBody])
    /// The coupons that staff list publicly.
    case coupons([CouponBody])
    /// A kind that this version does not know. It has no items to show.
    case unknown(kind: String)

    private enum CodingKeys: String, CodingKey {
        case kind, items
    }

    /// The tag.
    public var kind: String {
        switch self {
        case .categories: "categories"
        case .salesGroups: "sales"
        case .specials: "specials"
        case .coupons: "coupons"
        case .unknown(let kind): kind
        }
    }

    /// Reads a section by its tag.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try container.decode(String.self, forKey: .kind)
        switch kind {
        case "categories": self = .categories(try container.decode([CategoryBody].self, forKey: .items))
        case "sales": self = .salesGroups(try container.decode([SalesGroupBody].self, forKey: .items))
        case "specials": self = .specials(try container.decode([MenuItemBody].self, forKey: .items))
        case "coupons": self = .coupons(try container.decode([CouponBody].self, forKey: .items))
        default: self = .unknown(kind: kind)
        }
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("kind", kind)
        switch self {
        case .categories(let items): writer.field("items", items)
        case .salesGroups(let items): writer.field("items", items)
        case .specials(let items): writer.field("items", items)
        case .coupons(let items): writer.field("items", items)
        case .unknown: writer.field("items", [String]())
        }
    }
}
