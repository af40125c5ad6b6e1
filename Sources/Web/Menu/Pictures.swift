// Serves the pictures in seed/pictures, which the seeded menu references as /pictures/<file>.svg. All are in memory;
// no path from a request reaches the file system.
import HTTPServing
import HTTPTypes

package struct Pictures: Routes {
    private let answers: [String: EncodedResponse]

    /// Encodes the shipped pictures by file name: 36 files of 2 KB.
    package init(_ files: [String: [UInt8]]) {
        // The menu references pictures without a version, so clients revalidate them: after a day, and for a week in
        // the background. For an unchanged picture the ETag makes the response a 304.
        answers = files.mapValues {
            EncodedResponse(
                $0, contentType: "image/svg+xml", cacheControl: "public, max-age=86400, stale-while-revalidate=604800")
        }
    }

    package func add(to routes: inout RouteTable) {
        routes.get("/pictures/{file}", "A picture of the shipped menu") { request, context in
            guard let answer = answers[context.path("file")] else { throw Problem.notFound }
            return answer.response(to: request)
        }
    }
}
