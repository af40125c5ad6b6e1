// What a call can come to besides its answer, as one type that every function throws. Read next: Problem.swift.
import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix

/// Why there is no answer.
public enum StorefrontError: Error, Hashable, Sendable {
    /// The server refused, and says why.
    case problem(Problem)
    /// No answer came, or only a part of one.
    case unreachable(Unreachable)
    /// The answer is none of the contract's: a proxy's page, or a body without what has to be in it.
    case undecodable(status: Int, reason: String)
    /// The text is no address of a server.
    case invalidAddress(String)
    /// The task was cancelled, or the client was shut down; what was sent may have been done.
    case cancelled
}

/// That the server could not be asked.
public struct Unreachable: Hashable, Sendable {
    /// For the log.
    public let reason: String
    /// False where it is certain that the server never got the request.
    public let mayHaveBeenDone: Bool
}

extension StorefrontError {
    /// Whether the server may have done what it was asked for all the same. A basket shows it when it is read; a checkout is settled
    /// by sending it again with the same key.
    public var mayHaveBeenDone: Bool {
        switch self {
        // "overloaded" promises that nothing was done; every other failure of the server's leaves it open.
        case .problem(let problem): problem.body.status >= 500 && problem.code != .overloaded
        case .unreachable(let unreachable): unreachable.mayHaveBeenDone
        case .undecodable(let status, _): status < 400 || status >= 500
        case .invalidAddress: false
        case .cancelled: true
        }
    }

    /// Whether the same request may go well a little later.
    public var isPassing: Bool {
        switch self {
        case .problem(let problem): problem.body.status >= 500 || [408, 429].contains(problem.body.status)
        case .unreachable: true
        case .undecodable(let status, _): status >= 500 || [408, 429].contains(status)
        case .invalidAddress, .cancelled: false
        }
    }

    /// How long the server wants to be left alone.
    public var retryAfter: Duration? { if case .problem(let problem) = self { problem.retryAfter } else { nil } }

    /// The problem, where the server refused.
    public var problem: Problem? { if case .problem(let problem) = self { problem } else { nil } }

    init(transport error: any Error) {
        if error is CancellationError || [.cancelled, .alreadyShutdown].contains(error as? HTTPClientError) {
            self = .cancelled
        } else if error is NIOTooManyBytesError {
            self = .undecodable(status: 200, reason: "the answer is too large")
        } else {
            self = .unreachable(Unreachable(reason: "\(error)", mayHaveBeenDone: !Self.meansNothingWasSent(error)))
        }
    }

    /// Whether it never came to a connection. Of all else it can't be said how far the request got.
    private static func meansNothingWasSent(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        // Comes with the attempt to connect only.
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as ChannelError: if case .connectTimeout = error { true } else { false }
        case let error as HTTPClientError:
            [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        default: false
        }
    }
}
