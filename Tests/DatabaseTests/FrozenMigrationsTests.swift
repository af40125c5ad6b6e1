// The frozen migrations of sql/ keep the checksums of Tests/Data/Migrations/frozen.sha256. A released database has
// applied them, so a later change is a new migration.
import Digests
import Foundation
import Support
import Testing

@testable import Database

@Suite struct FrozenMigrationsTests {
    static let list = "Tests/Data/Migrations/frozen.sha256"

    /// A line of the list, in the format of sha256sum.
    struct FrozenFile: Hashable {
        let checksum: String
        let name: String
    }

    @Test("No frozen migration was changed, removed or renamed, and every other migration has a greater number")
    func shipped() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/sql")
        let files = try names.filter { $0.hasSuffix(".sql") }.map { name in
            (name, Self.checksum(of: try Repository.text(of: "sql/\(name)")))
        }
        let faults = Self.faults(
            in: Dictionary(uniqueKeysWithValues: files), frozen: try Self.frozen(in: Repository.text(of: Self.list)))
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test("The list names every migration from 000 to the last frozen number once, in order")
    func list() throws {
        let frozen = try Self.frozen(in: Repository.text(of: Self.list))
        #expect(frozen.map { Migration.number(of: $0.name) } == Array(0...Migration.lastFrozenNumber))
        #expect(frozen.allSatisfy { $0.checksum.count == 64 && Migration.isFrozen($0.name) })
        #expect(!Migration.isFrozen("023_next.sql") && !Migration.isFrozen("rules.sql"))
    }

    private static let before = ["000_rules.sql": "a", "001_menu.sql": "b"]
    private static let frozen = [
        FrozenFile(checksum: "a", name: "000_rules.sql"), FrozenFile(checksum: "b", name: "001_menu.sql"),
    ]

    @Test("A new migration with a greater number is accepted")
    func newMigration() {
        let files = Self.before.merging(["002_coupons.sql": "c"]) { $1 }
        #expect(Self.faults(in: files, frozen: Self.frozen) == [])
    }

    @Test("A changed frozen migration is reported, and the message asks for a new migration")
    func changed() {
        let files = Self.before.merging(["001_menu.sql": "c"]) { $1 }
        #expect(
            Self.faults(in: files, frozen: Self.frozen) == [
                "sql/001_menu.sql is frozen and was changed: restore it, and write a new migration with a number "
                    + "greater than 001 for the change"
            ])
    }

    @Test("A removed frozen migration is reported, and the message asks for a new migration")
    func removed() {
        let files = Self.before.filter { $0.key != "001_menu.sql" }
        #expect(
            Self.faults(in: files, frozen: Self.frozen) == [
                "sql/001_menu.sql is frozen and was removed: restore it, and write a new migration with a number "
                    + "greater than 001 for the change"
            ])
    }

    @Test("A renamed frozen migration is reported with its new name, also with a greater number")
    func renamed() {
        for name in ["001_dishes.sql", "002_menu.sql"] {
            let files = ["000_rules.sql": "a", name: "b"]
            #expect(
                Self.faults(in: files, frozen: Self.frozen) == [
                    "sql/001_menu.sql is frozen and was renamed to \(name): restore it, and write a new migration with "
                        + "a number greater than 001 for the change"
                ])
        }
    }

    @Test(
        "A new migration whose number is missing or not greater than the frozen ones is reported",
        arguments: ["000_more.sql", "001_dishes.sql", "more.sql"])
    func number(name: String) {
        let files = Self.before.merging([name: "c"]) { $1 }
        #expect(
            Self.faults(in: files, frozen: Self.frozen) == [
                "sql/\(name) is new and has no number greater than 001: rename it, because databases have applied the "
                    + "frozen migrations"
            ])
    }

    @Test("The list is read in the format of sha256sum")
    func format() {
        #expect(
            Self.frozen(in: "a  sql/000_rules.sql\nb  sql/001_menu.sql\n") == Self.frozen)
        #expect(Self.checksum(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// The differences between the files, by name with their checksums, and the frozen migrations.
    private static func faults(in files: [String: String], frozen: [FrozenFile]) -> [String] {
        let last = frozen.compactMap { Migration.number(of: $0.name) }.max() ?? -1
        let number = String("\(1000 + last)".suffix(3))
        let remedy = "restore it, and write a new migration with a number greater than \(number) for the change"
        let frozenNames = Set(frozen.map(\.name))
        let others = files.filter { !frozenNames.contains($0.key) }
        var newNames = Set(others.keys)
        var faults: [String] = []
        for file in frozen where files[file.name] != file.checksum {
            let newName = others.filter { $0.value == file.checksum }.keys.min()
            if files[file.name] != nil {
                faults.append("sql/\(file.name) is frozen and was changed: \(remedy)")
            } else if let newName {
                newNames.remove(newName)
                faults.append("sql/\(file.name) is frozen and was renamed to \(newName): \(remedy)")
            } else {
                faults.append("sql/\(file.name) is frozen and was removed: \(remedy)")
            }
        }
        for name in newNames.sorted() where (Migration.number(of: name) ?? -1) <= last {
            faults.append(
                "sql/\(name) is new and has no number greater than \(number): rename it, because databases have "
                    + "applied the frozen migrations")
        }
        return faults
    }

    private static func frozen(in list: String) -> [FrozenFile] {
        list.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            let path = parts.last.map { $0.drop { $0 == " " || $0 == "*" } } ?? ""
            return FrozenFile(
                checksum: parts.first.map(String.init) ?? "", name: String(path.split(separator: "/").last ?? ""))
        }
    }

    private static func checksum(of text: String) -> String { SHA256Digest(of: Array(text.utf8)).hexadecimal() }
}
