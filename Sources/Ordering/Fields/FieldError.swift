// One rejected field of a checkout: its path, its code and its parameters.

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
}
