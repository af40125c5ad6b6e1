// A response, and its decoding into a body or an error.
import FoundationEssentials
import NIOHTTP1
import Wire

struct IncomingResponse: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    func decoded<Body: Decodable>(as _: Body.Type = Body.self) throws(StorefrontError) -> Body {
        try Self.decode(body, status: status)
    }

    /// Decodes a body. Fields of a newer server are ignored.
    static func decode<Body: Decodable>(
        _ bytes: [UInt8], status: Int = 200, as _: Body.Type = Body.self
    ) throws(StorefrontError) -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: Data(bytes))
        } catch {
            throw .unexpectedResponse(status: status, reason: "not a \(Body.self): \(error)")
        }
    }
}

extension StorefrontError {
    init(errorResponse: IncomingResponse) {
        do throws(StorefrontError) {
            let retryAfter = errorResponse.headers.first(name: "Retry-After").flatMap { Int64($0) }.map {
                Duration.seconds(min(max($0, 0), 1 << 20))
            }
            self = .problem(APIProblem(try errorResponse.decoded(), retryAfter: retryAfter))
        } catch {
            self = error
        }
    }
}
