// The integer ids that staff assign in SQL, each of a type of its own.

/// An integer id that staff assigned. Separate types keep ids of different entities apart.
package protocol StaffAssignedID: RawRepresentable<Int64>, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The id with this number; any Int64 is valid.
    init(rawValue: Int64)
}

extension StaffAssignedID {
    /// Parses canonical decimal digits: no sign, no leading zero. Anything else gives nil.
    package init?(_ text: some StringProtocol) {
        guard let number = Int64(canonicalDigits: text) else { return nil }
        self.init(rawValue: number)
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var description: String { String(rawValue) }
}

/// The id of a menu item; it starts with its category's three digits: 1001, 2003.
package struct MenuItemID: StaffAssignedID {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of an option group: 91.
package struct OptionGroupID: StaffAssignedID {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of an option: 9101.
package struct OptionID: StaffAssignedID {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of a category: 100, 200.
package struct CategoryID: StaffAssignedID {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of a sales group: 200 is "Happy Saturday".
package struct SalesGroupID: StaffAssignedID {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of a coupon. Guests type its key instead.
package struct CouponID: StaffAssignedID {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

extension Int64 {
    /// Parses 1 to 18 decimal digits without sign and leading zero, so that each number has exactly one spelling.
    package init?(canonicalDigits text: some StringProtocol) {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 18, first != UInt8(ascii: "0") || bytes.count == 1 else {
            return nil
        }
        var number: Int64 = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        self = number
    }
}
