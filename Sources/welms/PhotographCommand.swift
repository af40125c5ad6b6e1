// Gives a dish its photograph from a file, or takes it away, as the staff's page does it. Read next: Sources/Photographs/PhotoStudio.swift.
import ArgumentParser
import Database
import Foundation
import struct Ordering.DevelopedPhotograph
import struct Ordering.MenuItemID
import Photographs

struct PhotographCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photograph", abstract: "Show an item of the menu with a photograph (JPEG, PNG or WebP), or with its drawing again.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The item's number.") var item: Int64
    @Argument(help: "The photograph's file.") var file: String?
    @Flag(help: "Take the item's photograph away.") var remove = false

    func validate() throws {
        if (file == nil) != remove { throw ValidationError("Name a file, or say --remove.") }
    }

    func run() async throws {
        let settings = try Settings(database)
        let photograph = try await developed()
        let item = MenuItemID(rawValue: item)
        try await withDatabase(settings) { url, logger in
            guard try await ShopDatabase.setPhotograph(of: item, to: photograph, at: url, logger: logger) else {
                throw CommandFailure("there is no item \(item.rawValue) on the menu")
            }
            let widths = photograph.map { Set($0.files.map(\.width)).sorted().map(String.init).joined(separator: ", ") }
            print("item \(item.rawValue) is shown with " + (widths.map { "its photograph, \($0) pixels wide" } ?? "its drawing"))
        }
    }

    private func developed() async throws -> DevelopedPhotograph? {
        guard let file else { return nil }
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            defer { try? handle.close() }
            // One byte more than is taken: a file without an end is as good as one that is too large.
            bytes = try [UInt8](handle.read(upToCount: PhotoStudio.byteLimit + 1) ?? Data())
        } catch {
            throw CommandFailure("\(file) can't be read: \(error.localizedDescription)")
        }
        do { return try await PhotoStudio().develop(bytes) } catch { throw CommandFailure("\(file): \(error)") }
    }
}
