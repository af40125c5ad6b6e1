// The pictures that ship with the program: seed/pictures, which the seeded menu, categories and sales name as /pictures/<file>.svg.
// All are read at the start and lie ready; no path from outside ever reaches the file system.

import Database
import HTTPTypes

/// The route of the pictures.
package struct Pictures: Routes {
    private let answers: [String: EncodedAnswer]

    /// Reads the shipped pictures: 36 files of 2 KB.
    package init() throws(Resources.Missing) {
        let files = try Resources.files(in: "seed/pictures", ending: ".svg")
        // Staff's rows name them without a version, so they are asked for again after a day, behind the guest's back for a week; the ETag makes that a 304.
        let answers = files.map {
            (
                $0.name,
                EncodedAnswer($0.bytes, contentType: "image/svg+xml", cacheControl: "public, max-age=86400, stale-while-revalidate=604800")
            )
        }
        self.answers = Dictionary(answers, uniquingKeysWith: { first, _ in first })
    }

    package func add(to routes: inout RouteTable) {
        routes.get("/pictures/{file}", "A picture of the shipped menu") { request, context in
            guard let answer = answers[context.path("file")] else { throw Problem.notFound }
            return answer.response(to: request)
        }
    }
}
