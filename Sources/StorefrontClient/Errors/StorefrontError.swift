// The error type of every function of the client.
import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix

/// The reason why a call failed.
public enum StorefrontError: Error, Hashable, Sendable {
    /// The server rejected the request.
    case problem(APIProblem)
    /// No response arrived, or only a part of it.
    case transportFailure(TransportFailure)
    /// The response does not match the API, such as a proxy's login page, or a body without its required members.
    case unexpectedResponse(status: Int, reason: String)
    /// The text is not the URL of a server.
    case invalidAddress(String)
    /// The task was cancelled, or the client was shut down. A request that was sent may have taken effect.
    case cancelled
}

/// A failure of the network or a timeout.
public struct TransportFailure: Hashable, Sendable {
    /// The reason, for logs.
    public let reason: String
    /// False if the server certainly did not receive the request.
    public let mayHaveTakenEffect: Bool
}

extension StorefrontError {
    /// Whether the request may have taken effect in spite of the error. Read the basket to find out; send a checkout
    /// again with the same key.
    public var mayHaveTakenEffect: Bool {
        switch self {
        // `overloaded` guarantees that nothing was done. After any other server error the outcome is unknown.
        case .problem(let problem): problem.body.status >= 500 && problem.code != .overloaded
        case .transportFailure(let unreachable): unreachable.mayHaveTakenEffect
        case .unexpectedResponse(let status, _): status < 400 || status >= 500
        case .invalidAddress: false
        case .cancelled: true
        }
    }

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .problem(let problem): problem.body.status >= 500 || [408, 429].contains(problem.body.status)
        case .transportFailure: true
        case .unexpectedResponse(let status, _): status >= 500 || [408, 429].contains(status)
        case .invalidAddress, .cancelled: false
        }
    }

    /// The pause that the server requested before the next attempt.
    public var retryAfter: Duration? { if case .problem(let problem) = self { problem.retryAfter } else { nil } }

    /// The problem, if the server rejected the request.
    public var problem: APIProblem? { if case .problem(let problem) = self { problem } else { nil } }

    init(transport error: any Error) {
        if error is CancellationError || [.cancelled, .alreadyShutdown].contains(error as? HTTPClientError) {
            self = .cancelled
        } else if error is NIOTooManyBytesError {
            self = .unexpectedResponse(status: 200, reason: "the response is too large")
        } else {
            self = .transportFailure(
                TransportFailure(reason: "\(error)", mayHaveTakenEffect: !Self.provesNothingWasSent(error)))
        }
    }

    /// Whether no connection was established. After any other error, the request may have arrived.
    private static func provesNothingWasSent(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        // Only an attempt to connect fails with this error.
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as ChannelError: if case .connectTimeout = error { true } else { false }
        case let error as HTTPClientError:
            [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        default: false
        }
    }
}
