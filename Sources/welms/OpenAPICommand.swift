// Prints the description of the HTTP contract, the same bytes as `GET /openapi.json`, for generators of clients. Needs no database.
import ArgumentParser
import Foundation
import Web

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "openapi", abstract: "Print the HTTP contract as an OpenAPI 3.1 document.")

    func run() throws {
        FileHandle.standardOutput.write(Data(try OpenAPIDocument.read()))
    }
}
