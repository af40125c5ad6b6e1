// The problem codes of the API. A test compares them with openapi.json.

/// The code of a problem. A code of a newer server is kept and equals none of these constants.
public struct ProblemCode: RawRepresentable, Hashable, Sendable {
    /// The code in JSON, such as `price_changed`.
    public let rawValue: String

    /// Creates a code from any text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The basket is already ordered; `orderId` is its order.
    public static let basketAlreadyOrdered = ProblemCode(rawValue: "basket_already_ordered")
    /// The basket has the maximum of 50 lines and sets.
    public static let basketFull = ProblemCode(rawValue: "basket_full")
    /// No basket has this id.
    public static let basketNotFound = ProblemCode(rawValue: "basket_not_found")
    /// For staff: another database session has locked the row.
    public static let beingChanged = ProblemCode(rawValue: "being_changed")
    /// The body is larger than 64 KiB.
    public static let bodyTooLarge = ProblemCode(rawValue: "body_too_large")
    /// The database is unavailable; the request may have taken effect.
    public static let databaseUnavailable = ProblemCode(rawValue: "database_unavailable")
    /// The request's headers are too large.
    public static let headersTooLarge = ProblemCode(rawValue: "headers_too_large")
    /// The idempotency key does not consist of 1 to 255 printable characters.
    public static let idempotencyKeyInvalid = ProblemCode(rawValue: "idempotency_key_invalid")
    /// The checkout has no idempotency key.
    public static let idempotencyKeyMissing = ProblemCode(rawValue: "idempotency_key_missing")
    /// The basket was ordered with this key and other fields.
    public static let idempotencyKeyReused = ProblemCode(rawValue: "idempotency_key_reused")
    /// For staff: the member's role does not permit this.
    public static let insufficientRole = ProblemCode(rawValue: "insufficient_role")
    /// The server failed unexpectedly.
    public static let internalError = ProblemCode(rawValue: "internal_error")
    /// A query parameter is invalid.
    public static let invalidParameter = ProblemCode(rawValue: "invalid_parameter")
    /// The token does not belong to this order.
    public static let invalidToken = ProblemCode(rawValue: "invalid_token")
    /// The basket has no line of this item.
    public static let itemNotInBasket = ProblemCode(rawValue: "item_not_in_basket")
    /// The item is sold out.
    public static let itemSoldOut = ProblemCode(rawValue: "item_sold_out")
    /// The body can't be parsed.
    public static let malformedBody = ProblemCode(rawValue: "malformed_body")
    /// The bytes are not an HTTP request.
    public static let malformedRequest = ProblemCode(rawValue: "malformed_request")
    /// The menu has no item with this id.
    public static let menuItemNotFound = ProblemCode(rawValue: "menu_item_not_found")
    /// The path does not support this method.
    public static let methodNotAllowed = ProblemCode(rawValue: "method_not_allowed")
    /// The path does not exist.
    public static let notFound = ProblemCode(rawValue: "not_found")
    /// For staff: no option has this id.
    public static let optionNotFound = ProblemCode(rawValue: "option_not_found")
    /// The order's state does not allow a cancellation.
    public static let orderNotCancellable = ProblemCode(rawValue: "order_not_cancellable")
    /// No order has this id.
    public static let orderNotFound = ProblemCode(rawValue: "order_not_found")
    /// For staff: the order's state does not allow this step.
    public static let orderStepRefused = ProblemCode(rawValue: "order_step_refused")
    /// The server is overloaded and did not process the request.
    public static let overloaded = ProblemCode(rawValue: "overloaded")
    /// For staff: the file is not a JPEG, PNG or WebP.
    public static let photographKindUnknown = ProblemCode(rawValue: "photograph_kind_unknown")
    /// For staff: the photograph exceeded the time or memory limit of the processing.
    public static let photographTooCostly = ProblemCode(rawValue: "photograph_too_costly")
    /// For staff: the photograph is too small.
    public static let photographTooFewPixels = ProblemCode(rawValue: "photograph_too_few_pixels")
    /// For staff: the file is larger than 10 MB.
    public static let photographTooLarge = ProblemCode(rawValue: "photograph_too_large")
    /// For staff: the photograph has too many pixels.
    public static let photographTooManyPixels = ProblemCode(rawValue: "photograph_too_many_pixels")
    /// For staff: the file is damaged or incomplete.
    public static let photographUnreadable = ProblemCode(rawValue: "photograph_unreadable")
    /// For staff: the program that processes photographs is not installed.
    public static let photographsNotOffered = ProblemCode(rawValue: "photographs_not_offered")
    /// The resource has changed since the version in `If-Match`.
    public static let preconditionFailed = ProblemCode(rawValue: "precondition_failed")
    /// The total differs from the one that the guest was shown; see `changes` and `quote`.
    public static let priceChanged = ProblemCode(rawValue: "price_changed")
    /// A line's quantity must be 1 to 99.
    public static let quantityOutOfRange = ProblemCode(rawValue: "quantity_out_of_range")
    /// This client sent too many requests or has too many event streams. The request was not processed; see
    /// `retryAfter`.
    public static let rateLimited = ProblemCode(rawValue: "rate_limited")
    /// The request did not arrive in time.
    public static let requestTimeout = ProblemCode(rawValue: "request_timeout")
    /// The basket already has a set of this sales group.
    public static let saleAlreadyInBasket = ProblemCode(rawValue: "sale_already_in_basket")
    /// The sales group is information only.
    public static let saleHasNoItems = ProblemCode(rawValue: "sale_has_no_items")
    /// The sales group does not exist, or the basket has no set of it.
    public static let saleNotFound = ProblemCode(rawValue: "sale_not_found")
    /// The item has several lines, which `lineIds` lists.
    public static let severalLines = ProblemCode(rawValue: "several_lines")
    /// For staff: the change of the shop is invalid.
    public static let shopChangeRefused = ProblemCode(rawValue: "shop_change_refused")
    /// For staff: no staff token is configured.
    public static let staffTokenMissing = ProblemCode(rawValue: "staff_token_missing")
    /// The step to take back is not the order's last one.
    public static let stepOvertaken = ProblemCode(rawValue: "step_overtaken")
    /// A step can be taken back only for ten seconds.
    public static let stepTooOld = ProblemCode(rawValue: "step_too_old")
    /// The request needs the order's access token.
    public static let tokenRequired = ProblemCode(rawValue: "token_required")
    /// The dishes of a basket have more than 100 options.
    public static let tooManyOptions = ProblemCode(rawValue: "too_many_options")
    /// The server does not support the body's transfer coding.
    public static let unknownTransferCoding = ProblemCode(rawValue: "unknown_transfer_coding")
    /// The body is not declared as JSON, or it is compressed.
    public static let unsupportedMediaType = ProblemCode(rawValue: "unsupported_media_type")
    /// Fields are missing or invalid; see `errors`.
    public static let validationFailed = ProblemCode(rawValue: "validation_failed")

    /// All codes that this version knows.
    public static let all: [ProblemCode] = [
        .basketAlreadyOrdered, .basketFull, .basketNotFound, .beingChanged, .bodyTooLarge, .databaseUnavailable,
        .headersTooLarge,
        .idempotencyKeyInvalid, .idempotencyKeyMissing, .idempotencyKeyReused, .insufficientRole, .internalError,
        .invalidParameter,
        .invalidToken,
        .itemNotInBasket, .itemSoldOut, .malformedBody, .malformedRequest, .menuItemNotFound, .methodNotAllowed,
        .notFound,
        .optionNotFound, .orderNotCancellable, .orderNotFound, .orderStepRefused, .overloaded, .photographKindUnknown,
        .photographTooCostly, .photographTooFewPixels, .photographTooLarge, .photographTooManyPixels,
        .photographUnreadable,
        .photographsNotOffered, .preconditionFailed, .priceChanged, .quantityOutOfRange, .rateLimited, .requestTimeout,
        .saleAlreadyInBasket, .saleHasNoItems, .saleNotFound, .severalLines, .shopChangeRefused,
        .staffTokenMissing, .stepOvertaken, .stepTooOld, .tokenRequired, .tooManyOptions, .unknownTransferCoding,
        .unsupportedMediaType,
        .validationFailed,
    ]
}
