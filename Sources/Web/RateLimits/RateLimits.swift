// The rate limits of the API. Routes without a limit stay unchanged.
import HTTPServing
import HTTPTypes

/// The rate limits per client.
package struct RateLimits: Sendable {
    /// For new baskets; nil: unlimited.
    package var baskets: RateLimit?
    /// For checkouts, including rejected ones but not replays of a placed order; nil: unlimited.
    package var checkouts: RateLimit?
    /// For unknown coupon codes; nil: unlimited.
    package var coupons: RateLimit? = .couponGuesses
    /// For wrong staff tokens; nil: unlimited.
    package var staffTokens: RateLimit? = .wrongStaffTokens

    /// No limits except those of coupons and staff tokens.
    package init() {}

    func apply(to table: inout RouteTable, trustedProxies: TrustedProxies) {
        if let baskets {
            table.limit(.post, "/v1/baskets", to: baskets, named: "baskets", trustedProxies: trustedProxies)
        }
        if let checkouts {
            table.limit(.post, "/v1/checkout", to: checkouts, named: "checkouts", trustedProxies: trustedProxies)
        }
    }
}

extension RateLimit {
    /// A guest who mistypes a coupon triggers five or six validations, one per pause in typing. One address can try
    /// 43,200 codes a day.
    static let couponGuesses = RateLimit(unchecked: 30)
    /// A person who mistypes a token needs three or four attempts. A token of 20 random letters withstands ten a
    /// minute by far.
    static let wrongStaffTokens = RateLimit(unchecked: 10)

    /// The default for checkouts of a shop that sends mails. A guest who resubmits a rejected form sends about four.
    package static let mailedCheckouts = RateLimit(unchecked: 10)
}
