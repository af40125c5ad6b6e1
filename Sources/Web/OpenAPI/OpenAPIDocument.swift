// The description of the HTTP contract for other programs: openapi.json beside this file, written by hand and sent as it is.
// A route is added to it where it is added to the table; a test compares the two. Sent by OpenAPIRoutes, printed by `welms openapi`.
import Foundation
import HTTPTypes

/// OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1).
package enum OpenAPIDocument {
    /// The bytes of the document.
    package static func read() throws(ShippedFile.Missing) -> [UInt8] {
        try ShippedFile.bytes(of: Bundle.module.bundlePath + "/openapi.json")
    }
}

/// `GET /openapi.json`.
struct OpenAPIRoutes: Routes {
    private let answer: EncodedAnswer
    /// Names the shape of all answers: a program whose answers have other members has another one.
    let shape: String

    /// Reads the document.
    init() throws(ShippedFile.Missing) {
        let document = try OpenAPIDocument.read()
        answer = EncodedAnswer(document, contentType: "application/json", cacheControl: "no-cache")
        shape = String(EntityTag(hashing: document).opaque.prefix(8))
    }

    func add(to routes: inout RouteTable) {
        routes.get("/openapi.json", "This description") { request, _ in answer.response(to: request) }
    }
}
