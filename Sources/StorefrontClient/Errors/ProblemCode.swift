// The contract's names for what can go wrong, open to those of a newer server. A test compares them with the OpenAPI document.

/// A problem's name. One that this version does not know is kept as it came and equals none of these.
public struct ProblemCode: RawRepresentable, Hashable, Sendable {
    /// As on the wire, e.g. `price_changed`.
    public let rawValue: String

    /// Any name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The basket became an order, which `orderId` names.
    public static let basketAlreadyOrdered = ProblemCode(rawValue: "basket_already_ordered")
    /// A basket holds 50 lines and sets.
    public static let basketFull = ProblemCode(rawValue: "basket_full")
    /// No basket has this id.
    public static let basketNotFound = ProblemCode(rawValue: "basket_not_found")
    /// For staff: somebody is changing it in the database and has not finished.
    public static let beingChanged = ProblemCode(rawValue: "being_changed")
    /// The body is larger than 64 KiB.
    public static let bodyTooLarge = ProblemCode(rawValue: "body_too_large")
    /// The database is away; what it was asked for may have been done.
    public static let databaseUnavailable = ProblemCode(rawValue: "database_unavailable")
    /// The request's headers are too large.
    public static let headersTooLarge = ProblemCode(rawValue: "headers_too_large")
    /// The key is not of 1 to 255 printable characters.
    public static let idempotencyKeyInvalid = ProblemCode(rawValue: "idempotency_key_invalid")
    /// A checkout came without a key.
    public static let idempotencyKeyMissing = ProblemCode(rawValue: "idempotency_key_missing")
    /// This key placed this basket's order with other fields.
    public static let idempotencyKeyReused = ProblemCode(rawValue: "idempotency_key_reused")
    /// For staff: the member's role may not do this.
    public static let insufficientRole = ProblemCode(rawValue: "insufficient_role")
    /// Something broke in the server.
    public static let internalError = ProblemCode(rawValue: "internal_error")
    /// A parameter of the query can't be understood.
    public static let invalidParameter = ProblemCode(rawValue: "invalid_parameter")
    /// The token is not this order's.
    public static let invalidToken = ProblemCode(rawValue: "invalid_token")
    /// The basket holds no line of this item.
    public static let itemNotInBasket = ProblemCode(rawValue: "item_not_in_basket")
    /// It is sold out at the moment.
    public static let itemSoldOut = ProblemCode(rawValue: "item_sold_out")
    /// The body can't be read.
    public static let malformedBody = ProblemCode(rawValue: "malformed_body")
    /// The bytes are no HTTP request.
    public static let malformedRequest = ProblemCode(rawValue: "malformed_request")
    /// The menu has no item with this id.
    public static let menuItemNotFound = ProblemCode(rawValue: "menu_item_not_found")
    /// The path exists with other methods.
    public static let methodNotAllowed = ProblemCode(rawValue: "method_not_allowed")
    /// There is nothing at this path.
    public static let notFound = ProblemCode(rawValue: "not_found")
    /// For staff: there is no option with this id.
    public static let optionNotFound = ProblemCode(rawValue: "option_not_found")
    /// The order has gone too far to be cancelled.
    public static let orderNotCancellable = ProblemCode(rawValue: "order_not_cancellable")
    /// No order has this id.
    public static let orderNotFound = ProblemCode(rawValue: "order_not_found")
    /// For staff: the order can't take this step.
    public static let orderStepRefused = ProblemCode(rawValue: "order_step_refused")
    /// The server is busy and did nothing.
    public static let overloaded = ProblemCode(rawValue: "overloaded")
    /// For staff: the file is no JPEG, PNG or WebP.
    public static let photographKindUnknown = ProblemCode(rawValue: "photograph_kind_unknown")
    /// For staff: it took more time or memory than anything may.
    public static let photographTooCostly = ProblemCode(rawValue: "photograph_too_costly")
    /// For staff: the photograph is too small.
    public static let photographTooFewPixels = ProblemCode(rawValue: "photograph_too_few_pixels")
    /// For staff: the file has more than ten megabytes.
    public static let photographTooLarge = ProblemCode(rawValue: "photograph_too_large")
    /// For staff: the photograph has more pixels than any may.
    public static let photographTooManyPixels = ProblemCode(rawValue: "photograph_too_many_pixels")
    /// For staff: the file is broken or not whole.
    public static let photographUnreadable = ProblemCode(rawValue: "photograph_unreadable")
    /// For staff: the server lacks the program that works on photographs.
    public static let photographsNotOffered = ProblemCode(rawValue: "photographs_not_offered")
    /// It has changed since the version that was named.
    public static let preconditionFailed = ProblemCode(rawValue: "precondition_failed")
    /// The total is not the one the guest saw; `changes` says why, `quote` what it costs now.
    public static let priceChanged = ProblemCode(rawValue: "price_changed")
    /// A line holds 1 to 99 of an item.
    public static let quantityOutOfRange = ProblemCode(rawValue: "quantity_out_of_range")
    /// This client did it too often or has too many event streams, and nothing was done; `retryAfter` says when to come
    /// back.
    public static let rateLimited = ProblemCode(rawValue: "rate_limited")
    /// The request took too long to arrive.
    public static let requestTimeout = ProblemCode(rawValue: "request_timeout")
    /// The set of this sale is in the basket already.
    public static let saleAlreadyInBasket = ProblemCode(rawValue: "sale_already_in_basket")
    /// The sale is information only.
    public static let saleHasNoItems = ProblemCode(rawValue: "sale_has_no_items")
    /// There is no such sale, or it is not in the basket.
    public static let saleNotFound = ProblemCode(rawValue: "sale_not_found")
    /// The item has several lines; `lineIds` says which.
    public static let severalLines = ProblemCode(rawValue: "several_lines")
    /// For staff: what the shop's hours were to become is none.
    public static let shopChangeRefused = ProblemCode(rawValue: "shop_change_refused")
    /// For staff: nobody has a staff token.
    public static let staffTokenMissing = ProblemCode(rawValue: "staff_token_missing")
    /// What was to be taken back is not the order's last step.
    public static let stepOvertaken = ProblemCode(rawValue: "step_overtaken")
    /// A step can be taken back for ten seconds.
    public static let stepTooOld = ProblemCode(rawValue: "step_too_old")
    /// This needs the order's access token.
    public static let tokenRequired = ProblemCode(rawValue: "token_required")
    /// The dishes of a basket hold 100 options.
    public static let tooManyOptions = ProblemCode(rawValue: "too_many_options")
    /// The body's transfer coding is not known to the server.
    public static let unknownTransferCoding = ProblemCode(rawValue: "unknown_transfer_coding")
    /// The body is not declared as JSON, or it is compressed.
    public static let unsupportedMediaType = ProblemCode(rawValue: "unsupported_media_type")
    /// Something is missing or wrong; `errors` says what, field by field.
    public static let validationFailed = ProblemCode(rawValue: "validation_failed")

    /// All that this version knows.
    public static let all: [ProblemCode] = [
        .basketAlreadyOrdered, .basketFull, .basketNotFound, .beingChanged, .bodyTooLarge, .databaseUnavailable, .headersTooLarge,
        .idempotencyKeyInvalid, .idempotencyKeyMissing, .idempotencyKeyReused, .insufficientRole, .internalError, .invalidParameter,
        .invalidToken,
        .itemNotInBasket, .itemSoldOut, .malformedBody, .malformedRequest, .menuItemNotFound, .methodNotAllowed, .notFound,
        .optionNotFound, .orderNotCancellable, .orderNotFound, .orderStepRefused, .overloaded, .photographKindUnknown,
        .photographTooCostly, .photographTooFewPixels, .photographTooLarge, .photographTooManyPixels, .photographUnreadable,
        .photographsNotOffered, .preconditionFailed, .priceChanged, .quantityOutOfRange, .rateLimited, .requestTimeout,
        .saleAlreadyInBasket, .saleHasNoItems, .saleNotFound, .severalLines, .shopChangeRefused,
        .staffTokenMissing, .stepOvertaken, .stepTooOld, .tokenRequired, .tooManyOptions, .unknownTransferCoding, .unsupportedMediaType,
        .validationFailed,
    ]
}
