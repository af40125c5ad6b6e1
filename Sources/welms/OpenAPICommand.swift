// `welms openapi`: prints the same bytes as `GET /openapi.json`, for client generators. Needs no database.
import ArgumentParser
import Foundation
import Web

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the HTTP API as an OpenAPI 3.1 document.")

    func run() throws {
        let document = Data(try OpenAPIDocument.read())
        do {
            try FileHandle.standardOutput.write(contentsOf: document)
        } catch {
            throw CommandFailure("the document can't be written to standard output: \(error.localizedDescription)")
        }
    }
}
