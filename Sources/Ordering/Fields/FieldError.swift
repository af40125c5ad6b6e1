// One thing that is wrong with a checkout: where, which code, with which data, and a sentence for the guest. Made by the parsers beside this
// file, by Coupons/ and Checkout/; Web writes it into problem+json. Read next: FieldErrors.swift, PersonName.swift.

/// A value that goes with an error, such as the limit that was passed.
package enum FieldParameter: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case texts([String])
}

/// An outcome for the guest, not a fault: it stands beside the field it belongs to.
///
/// Parameters: `limit` (characters) for `too_long`; `minimum` (characters) for `invalid_address`; `missingAmount`
/// (minor units) for `coupon_minimum_not_reached`; `maximum` (minor units) for `tip_out_of_range`; `age` (years) for
/// `age_confirmation_required`; moments of RFC 3339: `opensAt`, if it is known, for `shop_closed`, `until` for `shop_paused`, `earliest` for
/// `too_soon`, `latest`, if there is one, for `too_far`, `alternatives` (a list), or `limit` (dishes) where no slot takes so many, for `slot_full`, `from` and `until`, if they are known, for
/// `item_not_served_then`; `missingAmount` (minor units) for `order_minimum_not_reached`; `until` (RFC 3339), if it is known, for `item_sold_out`; `available` (how many),
/// and `optionId` where it is an option, for `stock_short`; `startsAt` (RFC 3339) for `coupon_not_started`, `endsAt` for
/// `coupon_expired`; `limit` (uses) for `coupon_exhausted` and `coupon_already_used`; `chosen` (units) with `minimum` for
/// `option_group_minimum`, with `maximum` for `option_group_maximum`, with `maximum` and `optionId` for `option_quantity_out_of_range`; `optionId`
/// for `option_sold_out` and `option_unknown`.
package struct FieldError: Error, Hashable, Sendable {
    /// Where.
    package let path: FieldPath
    /// What, for programs.
    package let code: FieldErrorCode
    /// The data a client needs to say it in its own words.
    package let params: [String: FieldParameter]

    package init(_ path: FieldPath, _ code: FieldErrorCode, _ params: [String: FieldParameter] = [:]) {
        (self.path, self.code, self.params) = (path, code, params)
    }

    /// Of a field of the form.
    package init(_ field: FormField, _ code: FieldErrorCode, _ params: [String: FieldParameter] = [:]) {
        self.init(.form(field), code, params)
    }

    /// The same of another dish, where it is of the one that a request describes.
    package func moved(to place: DishPlace) -> FieldError {
        guard case .dish(.request, let path) = path else { return self }
        return FieldError(.dish(place, path), code, params)
    }

    /// For the guest: what is wrong and what would be right.
    package var message: String {
        switch code {
        case .required: "This is missing. \(requiredHint)"
        case .tooLong: "This is too long. Please use at most \(number("limit")) characters."
        case .invalidName: "A name is made of letters, with ' , . - and spaces between them. Please leave out anything else."
        case .invalidPhone:
            "This is not a whole phone number. Please write its digits with the area code, or + and the country's code for a number from "
                + "abroad; an extension can stand in the comment."
        case .invalidEmail: "This is not an email address. Please write it like ann@example.com."
        case .invalidAddress:
            "This address is too short or holds signs that don't belong there. Please write street, number and city in one line "
                + "of at least \(number("minimum")) characters, without < and >."
        case .invalidComment: "The comment holds characters that can't be printed. Please use plain text."
        case .invalidBirthday: "This is not a day of the year. Please write month and day, like 02-29."
        case .invalidFulfilment: "We deliver, or you come for it. Please choose delivery or pickup."
        case .fulfilmentNotOffered: "We don't offer this at the moment. Please choose the other way to get your order."
        case .invalidTime: "This is not a moment that we can read. Please choose one of the times that are offered."
        case .shopClosed: "We are closed then. Please choose one of the times that are offered."
        case .shopPaused: "We take no orders for this moment, for we have our hands full. Please choose a later time."
        case .tooSoon: "We can't make it by then. Please choose a later time, or as soon as possible."
        case .tooFar: "We don't take orders for so late a day yet. Please choose an earlier one."
        case .notASlot: "Orders can't be wanted for this very moment. Please choose one of the times that are offered."
        case .slotFull where params["limit"] != nil:
            "At most \(number("limit")) dishes can be wanted for one time. Please order fewer, or as soon as possible."
        case .slotFull: "This time is taken by others already. Please choose another one."
        case .invalidPostcode: "This is not a postcode. Please write its letters and digits only."
        case .postcodeRequired: "We need to know where it goes to. Please tell us your postcode."
        case .outOfDeliveryArea: "We don't deliver there. Please choose pickup, or another address."
        case .orderMinimumNotReached: "This is too little for us to bring it there. Please add something, or choose pickup."
        case .tipOutOfRange: "We can't take this tip. Please write an amount from nothing up to the limit, or leave it out."
        case .paymentMethodNotOffered: "We don't offer this method of payment. Please choose another one."
        case .ageConfirmationRequired:
            "Something in the basket is for those of \(number("age")) years and over. Please confirm that you are, or take it out of the basket."
        case .invalidTotal: "The total you were shown can't be right. Please load the basket again."
        case .invalidCurrency: "A currency is three capital letters, like USD. Please load the basket again."
        case .basketEmpty: "The basket is empty. Please choose something from the menu first."
        case .itemSoldOut: "This is sold out. Please take it out of the basket or choose something else."
        case .itemNotServedThen: "This is not served at that time. Please choose another time, or take it out of the basket."
        case .stockShort where params["available"] == .integer(0):
            "There is none of this left. Please take it out of the basket or choose something else."
        case .stockShort: "Only \(number("available")) of this are left. Please order fewer, or choose something else."
        case .itemNotInSale: "The set does not hold this, or not so often. Please choose once for each dish that is in it."
        case .saleNotOffered: "We don't offer this set any more. Please take it out of the basket."
        case .saleChanged: "This set has changed since you chose it. Please update it, or take it out of the basket."
        case .optionUnknown: "This can't be chosen with this dish. Please leave it out."
        case .optionGroupMinimum: "Something has to be chosen here. Please choose at least \(number("minimum"))."
        case .optionGroupMaximum: "This is too much of a choice. Please choose at most \(number("maximum"))."
        case .optionQuantityOutOfRange:
            "This can't be had so often, or not at all. Please choose 1 to \(number("maximum")), or leave it out."
        case .optionSoldOut: "This is sold out. Please choose something else in its place."
        case .invalidNote: "The note holds characters that can't be printed. Please use plain text."
        case .couponUnknown: "We don't know this coupon. Please check its spelling or leave it out."
        case .couponNotStarted: "This coupon is not valid yet. Please come back when it has started."
        case .couponExpired: "This coupon has expired. Please leave it out."
        case .couponNotToday: "This coupon is not valid today. Please come back on its day or leave it out."
        case .couponExhausted: "All redemptions of this coupon are taken. Please leave it out."
        case .couponNeedsBirthday: "This coupon is a birthday present. Please add your birthday as month and day, like 02-29."
        case .couponMinimumNotReached: "The basket is too small for this coupon. Please add something or leave the coupon out."
        case .couponNeedsItem: "The basket holds nothing this coupon is for. Please add it or leave the coupon out."
        case .couponFirstOrderOnly: "This coupon is for a first order only. Please leave it out."
        case .couponAlreadyUsed: "You have used this coupon already. Please leave it out."
        case .couponTriedTooOften:
            "Too many coupons were tried that we don't know. Please wait \(number("seconds")) seconds, or leave the coupon out."
        }
    }

    private var requiredHint: String {
        switch path {
        case .form(.name): "Please tell us your name."
        case .form(.phone): "Please tell us a phone number that we can reach you on."
        case .form(.email): "Please tell us your email address."
        case .form(.address): "Please tell us where to deliver."
        default: "Please fill it in."
        }
    }

    private func number(_ key: String) -> String {
        if case .integer(let value)? = params[key] { "\(value)" } else { "a few" }
    }
}
