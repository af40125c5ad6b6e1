// The pictures that ship with the program: seed/pictures, which the seeded menu, categories and sales name as /pictures/<file>.svg.
// All lie ready from the start; no path from outside ever reaches the file system. Made by ShippedFiles.
import HTTPTypes

package struct Pictures: Routes {
    private let answers: [String: EncodedAnswer]

    /// The shipped pictures by their files' names: 36 of 2 KB.
    package init(_ files: [String: [UInt8]]) {
        // Staff's rows name them without a version, so they are asked for again after a day, behind the guest's back for a week; the ETag makes that a 304.
        answers = files.mapValues {
            EncodedAnswer($0, contentType: "image/svg+xml", cacheControl: "public, max-age=86400, stale-while-revalidate=604800")
        }
    }

    package func add(to routes: inout RouteTable) {
        routes.get("/pictures/{file}", "A picture of the shipped menu") { request, context in
            guard let answer = answers[context.path("file")] else { throw Problem.notFound }
            return answer.response(to: request)
        }
    }
}
