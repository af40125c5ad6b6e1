// The OpenAPI description of the HTTP contract: openapi.json, written by hand and served unchanged. A test compares
// it with the route table.
import Foundation
import HTTPServing
import HTTPTypes

/// OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1).
package enum OpenAPIDocument {
    /// Returns the bytes of the document.
    package static func read() throws(ShippedFile.Missing) -> [UInt8] {
        try ShippedFile.bytes(of: Bundle.module.bundlePath + "/openapi.json")
    }
}

/// `GET /openapi.json`.
struct OpenAPIRoutes: Routes {
    private let answer: EncodedResponse
    /// Identifies the response bodies that the document describes. A change of the document changes it.
    let responseFormatID: String

    /// Loads the document.
    init() throws(ShippedFile.Missing) {
        let document = try OpenAPIDocument.read()
        answer = EncodedResponse(document, contentType: "application/json", cacheControl: "no-cache")
        responseFormatID = String(EntityTag(hashing: document).opaque.prefix(8))
    }

    func add(to routes: inout RouteTable) {
        routes.get("/openapi.json", "This OpenAPI description") { request, _ in answer.response(to: request) }
    }
}
