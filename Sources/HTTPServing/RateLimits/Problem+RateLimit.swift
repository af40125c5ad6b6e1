// The problem responses for too many requests.
import HTTPTypes

extension Problem {
    /// For a limit that is not per minute, so that no RateLimit header describes it.
    static func rateLimited(after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited", Self.rateLimitedDetail(seconds), headers: [.retryAfter: "\(seconds)"])
    }

    private static func rateLimitedDetail(_ seconds: Int) -> String {
        "You tried this too often, so nothing was changed. Please try again in \(seconds) seconds."
    }

    /// - Parameters:
    ///   - policy: The header RateLimit-Policy.
    ///   - state: The header RateLimit.
    package static func rateLimited(policy: String, state: String, after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited", Self.rateLimitedDetail(seconds),
            headers: [.retryAfter: "\(seconds)", .rateLimitPolicy: policy, .rateLimit: state])
    }
}
