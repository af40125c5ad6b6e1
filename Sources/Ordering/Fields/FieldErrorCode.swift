// The codes of what can be wrong with a checkout. Clients switch on them, so they never change.
// Made by the parsers beside this file and by Coupons/ and Checkout/. Read next: FieldError.swift.

/// What is wrong, as the contract's code.
package enum FieldErrorCode: String, Sendable, CaseIterable {
    case required
    case tooLong = "too_long"
    case invalidName = "invalid_name"
    case invalidPhone = "invalid_phone"
    case invalidEmail = "invalid_email"
    case invalidAddress = "invalid_address"
    case invalidComment = "invalid_comment"
    case invalidBirthday = "invalid_birthday"
    case tipOutOfRange = "tip_out_of_range"
    case ageConfirmationRequired = "age_confirmation_required"
    case invalidTotal = "invalid_total"
    case invalidCurrency = "invalid_currency"
    case basketEmpty = "basket_empty"
    case itemSoldOut = "item_sold_out"
    case stockShort = "stock_short"
    case itemNotInSale = "item_not_in_sale"
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
