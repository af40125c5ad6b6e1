// Serves photographs of dishes: WebP if the browser accepts it, otherwise JPEG, cacheable for a year.
import HTTPServing
import HTTPTypes
import Ordering
import Shop

/// `/photographs/{digest}/{width}`.
package struct PhotographRoutes: Routes {
    private let cache: PhotographCache<EncodedResponse>

    package init(_ shop: RunningShop) { cache = shop.photographCache(of: EncodedResponse.self) }

    package func add(to routes: inout RouteTable) {
        routes.get("/photographs/{digest}/{width}", "A photograph of a dish in one of its sizes") { request, context in
            let digest = context.path("digest")
            guard digest.utf8.count == 64,
                digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
                let width = context.pathNumber("width"), (1...10_000).contains(width)
            else { throw Problem.notFound }
            let format: PhotographFormat = request.acceptsWebP ? .webp : .jpeg
            let answer = try await cache.answer(PhotographFile(digest: digest, width: Int(width), format: format)) {
                EncodedResponse(
                    $0, contentType: "image/\(format)", cacheControl: "public, max-age=31536000, immutable",
                    headers: [.vary: "Accept"],
                    effort: nil)
            }
            guard let answer else { throw Problem.notFound }
            return answer.response(to: request)
        }
    }
}

extension Request {
    var acceptsWebP: Bool { accepts("image/webp") }
}
