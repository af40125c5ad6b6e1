// The paths of the pages' files, which contain the version of the files.
import Foundation
import Testing

extension TestServer {
    /// The path of a page's file, in the version that this server's pages refer to.
    package func asset(_ name: String) async throws -> String {
        let page = try await get("/").text
        let prefix = try #require(
            page.components(separatedBy: "\"").first { $0.hasPrefix("/assets/") }?.split(separator: "/").prefix(2))
        return "/" + prefix.joined(separator: "/") + "/" + name
    }
}
