// One rejected field of a checkout: its path, its code, its parameters and a sentence for the guest.

/// A parameter of an error, such as the limit that was exceeded.
package enum FieldParameter: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case texts([String])
}

/// A rejected field: an outcome that the guest can correct, not a fault.
///
/// Parameters by code. Times are RFC 3339; amounts are minor units; optional parameters end with "?".
///
/// - `too_long`: `limit` (characters); `invalid_address`: `minimum` (characters)
/// - `tip_out_of_range`: `maximum` (amount); `age_confirmation_required`: `age` (years)
/// - `coupon_minimum_not_reached`, `order_minimum_not_reached`: `missingAmount`
/// - `shop_closed`: `opensAt`?; `shop_paused`: `until`; `too_soon`: `earliest`; `too_far`: `latest`?
/// - `slot_full`: `alternatives` (a list), or `limit` (dishes) if no slot takes so many
/// - `item_not_served_then`: `from`?, `until`?; `item_sold_out`: `until`?
/// - `stock_short`: `available` (units), and `optionId` for an option
/// - `coupon_not_started`: `startsAt`; `coupon_expired`: `endsAt`
/// - `coupon_exhausted`, `coupon_already_used`: `limit` (uses); `coupon_tried_too_often`: `seconds`
/// - `option_group_minimum`: `chosen` (units), `minimum`; `option_group_maximum`: `chosen`, `maximum`
/// - `option_quantity_out_of_range`: `chosen`, `maximum`, `optionId`
/// - `option_sold_out`, `option_unknown`: `optionId`
package struct FieldError: Error, Hashable, Sendable {
    /// The field.
    package let path: FieldPath
    /// The machine-readable reason.
    package let code: FieldErrorCode
    /// The data that a client needs to write its own message.
    package let params: [String: FieldParameter]

    package init(_ path: FieldPath, _ code: FieldErrorCode, _ params: [String: FieldParameter] = [:]) {
        (self.path, self.code, self.params) = (path, code, params)
    }

    /// An error of a field of the form.
    package init(_ field: FormField, _ code: FieldErrorCode, _ params: [String: FieldParameter] = [:]) {
        self.init(.form(field), code, params)
    }

    /// A copy at another dish, if the error refers to the dish of a request; otherwise the error itself.
    package func moved(to location: DishLocation) -> FieldError {
        guard case .dish(.request, let path) = path else { return self }
        return FieldError(.dish(location, path), code, params)
    }

    /// The message for the guest: what is wrong and how to correct it.
    package var message: String {
        switch code {
        case .required: requiredHint
        case .tooLong: "This is too long. Please use at most \(number("limit")) characters."
        case .invalidName: "Please use only letters, spaces and ’ , . - in the name."
        case .invalidPhone:
            "This phone number is incomplete. Please enter it with its area code, or with + and the country code for "
                + "a number from abroad. An extension goes into the comment."
        case .invalidEmail: "This is not an email address. Please enter it like ann@example.com."
        case .invalidAddress:
            "This address is too short or contains characters that are not allowed. Please enter street, number and "
                + "city in one line of at least \(number("minimum")) characters, without < and >."
        case .invalidComment: "The comment contains characters that can’t be printed. Please use plain text."
        case .invalidBirthday: "This is not a valid date. Please enter month and day, like 02-29."
        case .invalidFulfilment: "Please choose delivery or pickup."
        case .fulfilmentNotOffered: "We don’t offer this at the moment. Please choose the other way to get your order."
        case .invalidTime: "This is not a valid time. Please choose one of the times that are offered."
        case .shopClosed: "We are closed then. Please choose one of the times that are offered."
        case .shopPaused:
            "We are not taking orders for this time, because we are very busy. Please choose a later time."
        case .tooSoon: "We can’t make it by then. Please choose a later time, or as soon as possible."
        case .tooFar: "We don’t take orders that far ahead yet. Please choose an earlier day."
        case .notASlot: "This time is not offered. Please choose one of the times that are offered."
        case .slotFull where params["limit"] != nil:
            "We can make at most \(number("limit")) dishes for one time. Please order fewer, or as soon as possible."
        case .slotFull: "This time is taken. Please choose another one."
        case .invalidPostcode: "This is not a postcode. Please enter its letters and digits only."
        case .postcodeRequired: "Please enter your postcode, so that we know where to deliver."
        case .outOfDeliveryArea: "We don’t deliver there. Please choose pickup, or another address."
        case .orderMinimumNotReached:
            "The minimum order for this address is not reached. Please add something, or choose pickup."
        case .tipOutOfRange: "We can’t take this tip. Please enter a smaller amount, or leave the field empty."
        case .paymentMethodNotOffered: "We don’t offer this payment method. Please choose another one."
        case .ageConfirmationRequired:
            "Something in the basket is only for guests aged \(number("age")) or older. Please confirm your age, "
                + "or remove it from the basket."
        case .invalidTotal: "The total you were shown can’t be right. Please load the basket again."
        case .invalidCurrency: "A currency is three capital letters, like USD. Please load the basket again."
        case .basketEmpty: "The basket is empty. Please choose something from the menu first."
        case .itemSoldOut: "This is sold out. Please remove it from the basket or choose something else."
        case .itemNotServedThen:
            "This is not served at that time. Please choose another time, or remove it from the basket."
        case .stockShort where params["available"] == .integer(0):
            "None of this is left. Please remove it from the basket or choose something else."
        case .stockShort: "Only \(number("available")) of this are left. Please order fewer, or choose something else."
        case .itemNotInSale: "This is not part of the set, or not as often. Please choose once for each dish in it."
        case .saleNotOffered: "We don’t offer this set any more. Please remove it from the basket."
        case .saleChanged: "This set has changed since you chose it. Please update it, or remove it from the basket."
        case .optionUnknown: "This can’t be chosen with this dish. Please leave it out."
        case .optionGroupMinimum: "Something has to be chosen here. Please choose at least \(number("minimum"))."
        case .optionGroupMaximum: "This is too many. Please choose at most \(number("maximum"))."
        case .optionQuantityOutOfRange:
            "This can’t be ordered so often. Please choose 1 to \(number("maximum")), or leave it out."
        case .optionSoldOut: "This is sold out. Please choose something else instead."
        case .invalidNote: "The note contains characters that can’t be printed. Please use plain text."
        case .couponUnknown: "We don’t know this coupon. Please check its spelling or leave it out."
        case .couponNotStarted: "This coupon is not valid yet. Please use it once it has started."
        case .couponExpired: "This coupon has expired. Please leave it out."
        case .couponNotToday: "This coupon is not valid today. Please use it on its day or leave it out."
        case .couponExhausted: "This coupon has been used up. Please leave it out."
        case .couponNeedsBirthday:
            "This coupon is a birthday present. Please add your birthday as month and day, like 02-29."
        case .couponMinimumNotReached:
            "The minimum order for this coupon is not reached. Please add something or leave the coupon out."
        case .couponNeedsItem:
            "This coupon applies to nothing in the basket. Please add a dish that it applies to, "
                + "or leave the coupon out."
        case .couponFirstOrderOnly: "This coupon is for a first order only. Please leave it out."
        case .couponAlreadyUsed: "You have used this coupon already. Please leave it out."
        case .couponTriedTooOften:
            "Too many unknown coupons were tried. Please wait \(number("seconds")) seconds, or leave the coupon out."
        }
    }

    private var requiredHint: String {
        switch path {
        case .form(.name): "Please tell us your name."
        case .form(.phone): "Please tell us a phone number where we can reach you."
        case .form(.email): "Please tell us your email address."
        case .form(.address): "Please tell us where to deliver."
        default: "Please fill in this field."
        }
    }

    private func number(_ key: String) -> String {
        if case .integer(let value)? = params[key] { "\(value)" } else { "a few" }
    }
}
