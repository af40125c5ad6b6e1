// The codes of the errors of a checkout, and their messages. Clients switch on the codes, so they never change.

/// The reason why a field was rejected, as in the API.
package enum FieldErrorCode: String, Sendable, CaseIterable {
    case required
    case tooLong = "too_long"
    case invalidName = "invalid_name"
    case invalidPhone = "invalid_phone"
    case invalidEmail = "invalid_email"
    case invalidAddress = "invalid_address"
    case invalidComment = "invalid_comment"
    case invalidBirthday = "invalid_birthday"
    case invalidFulfilment = "invalid_fulfilment"
    case fulfilmentNotOffered = "fulfilment_not_offered"
    case invalidTime = "invalid_time"
    case shopClosed = "shop_closed"
    case shopPaused = "shop_paused"
    case tooSoon = "too_soon"
    case tooFar = "too_far"
    case notASlot = "not_a_slot"
    case slotFull = "slot_full"
    case invalidPostcode = "invalid_postcode"
    case postcodeRequired = "postcode_required"
    case outOfDeliveryArea = "out_of_delivery_area"
    case tipOutOfRange = "tip_out_of_range"
    case paymentMethodNotOffered = "payment_method_not_offered"
    case ageConfirmationRequired = "age_confirmation_required"
    case invalidTotal = "invalid_total"
    case invalidCurrency = "invalid_currency"
    case basketEmpty = "basket_empty"
    case orderMinimumNotReached = "order_minimum_not_reached"
    case itemSoldOut = "item_sold_out"
    case itemNotServedThen = "item_not_served_then"
    case stockShort = "stock_short"
    case itemNotInSale = "item_not_in_sale"
    case saleNotOffered = "sale_not_offered"
    case saleChanged = "sale_changed"
    case optionUnknown = "option_unknown"
    case optionGroupMinimum = "option_group_minimum"
    case optionGroupMaximum = "option_group_maximum"
    case optionQuantityOutOfRange = "option_quantity_out_of_range"
    case optionSoldOut = "option_sold_out"
    case invalidNote = "invalid_note"
    case couponUnknown = "coupon_unknown"
    case couponNotStarted = "coupon_not_started"
    case couponExpired = "coupon_expired"
    case couponNotToday = "coupon_not_today"
    case couponExhausted = "coupon_exhausted"
    case couponNeedsBirthday = "coupon_needs_birthday"
    case couponMinimumNotReached = "coupon_minimum_not_reached"
    case couponNeedsItem = "coupon_needs_item"
    case couponFirstOrderOnly = "coupon_first_order_only"
    case couponAlreadyUsed = "coupon_already_used"
    case couponTriedTooOften = "coupon_tried_too_often"
}

extension FieldError {
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
