// `welms photograph`: sets or removes the photograph of a menu item, as the staff's page does.
import ArgumentParser
import Database
import Foundation
import struct Ordering.ProcessedPhotograph
import struct Ordering.MenuItemID
import Photographs

struct PhotographCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photograph",
        abstract: "Set the photograph of a menu item (JPEG, PNG or WebP), or remove it, so that its drawing is shown.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The id of the menu item.") var item: Int64
    @Argument(help: "The file with the photograph.") var file: String?
    @Flag(help: "Remove the photograph of the item.") var remove = false

    func validate() throws {
        if (file == nil) != remove { throw ValidationError("Name a file, or use --remove.") }
    }

    func run() async throws {
        let settings = try Settings(database)
        let photograph = try await processedPhotograph()
        let item = MenuItemID(rawValue: item)
        try await withDatabase(settings) { url, logger in
            guard try await ShopDatabase.setPhotograph(of: item, to: photograph, at: url, logger: logger) else {
                throw CommandFailure("there is no item \(item.rawValue) on the menu: use the id of a menu item")
            }
            let widths = photograph.map { Set($0.files.map(\.width)).sorted().map(String.init).joined(separator: ", ") }
            print(
                "item \(item.rawValue) is shown with "
                    + (widths.map { "its photograph, \($0) pixels wide" } ?? "its drawing"))
        }
    }

    private func processedPhotograph() async throws -> ProcessedPhotograph? {
        guard let file else { return nil }
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            defer { try? handle.close() }
            // Reads one byte more than the limit: an endless file is rejected as too large.
            bytes = try [UInt8](handle.read(upToCount: PhotoProcessor.byteLimit + 1) ?? Data())
        } catch {
            throw CommandFailure("\(file) can't be read: \(error.localizedDescription)")
        }
        do { return try await PhotoProcessor().process(bytes) } catch { throw CommandFailure("\(file): \(error)") }
    }
}
