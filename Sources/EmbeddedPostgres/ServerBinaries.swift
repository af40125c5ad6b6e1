// Finds the directory of the machine's PostgreSQL server programs.
import Glibc
import Subprocess

/// A directory with `initdb` and `postgres`, and their version.
struct ServerBinaries: Sendable, Hashable {
    let directory: String
    /// The major version, which must match the data directory's.
    let version: Int
    /// The full version, such as `15.18`.
    var release = ""
    /// The directory from which the server loads its libraries.
    var libraries = ""

    /// Finds the programs of version `needed`, or the newest ones: in `directory`, or by default in
    /// `/usr/lib/postgresql/*/bin` (Debian), in the directory that `pg_config` names, and on the PATH.
    static func find(
        needed: Int?, in directory: String? = nil, for dataDirectory: String
    ) async throws(EmbeddedPostgresError) -> ServerBinaries {
        let found = if let directory { await all(in: [directory]) } else { await all(in: await usualDirectories()) }
        if let directory, found.isEmpty { throw .noServerPrograms(in: directory) }
        var chosen = try choose(from: found, needed: needed, for: dataDirectory)
        // The libraries are beside the programs, unless pg_config names another directory.
        let configured = await output(of: "\(chosen.directory)/pg_config", "--pkglibdir")?.split(separator: "\n").first
            .map(String.init)
        chosen.libraries = configured ?? "\(chosen.directory)/../lib"
        return chosen
    }

    static func choose(
        from found: [ServerBinaries], needed: Int?, for dataDirectory: String
    ) throws(EmbeddedPostgresError) -> ServerBinaries {
        guard let newest = found.max(by: { $0.version < $1.version }) else { throw .serverNotInstalled }
        guard let needed else { return newest }
        guard let fitting = found.first(where: { $0.version == needed }) else {
            throw .versionNotInstalled(
                directory: dataDirectory, needed: needed, installed: Set(found.map(\.version)).sorted())
        }
        return fitting
    }

    /// Returns the directories that contain both programs, in the given order.
    static func all(in directories: [String]) async -> [ServerBinaries] {
        var found: [ServerBinaries] = []
        for directory in directories where !found.contains(where: { $0.directory == directory }) {
            guard access("\(directory)/initdb", X_OK) == 0, access("\(directory)/postgres", X_OK) == 0,
                let text = await output(of: "\(directory)/postgres", "--version"), let version = majorVersion(in: text)
            else { continue }
            found.append(ServerBinaries(directory: directory, version: version, release: release(in: text)))
        }
        return found
    }

    /// `15` of "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
    static func majorVersion(in text: String) -> Int? {
        text.split(separator: " ").dropFirst(2).first.flatMap { word in Int(word.prefix { $0.isNumber }) }
    }

    /// `15.18` of the same text.
    static func release(in text: String) -> String {
        text.split { $0 == " " || $0 == "\n" }.dropFirst(2).first.map(String.init) ?? ""
    }

    private static func usualDirectories() async -> [String] {
        var directories = entries(of: "/usr/lib/postgresql").map { "/usr/lib/postgresql/\($0)/bin" }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let onPath = path.split(separator: ":").map(String.init)
        if let configured = onPath.first(where: { access("\($0)/pg_config", X_OK) == 0 }),
            let text = await output(of: "\(configured)/pg_config", "--bindir")
        {
            directories += text.split(separator: "\n").map(String.init)
        }
        return directories + onPath
    }

    private static func entries(of directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Returns the output of a program, or nil if the program fails.
    private static func output(of program: String, _ argument: String) async -> String? {
        let result = try? await run(.path(.init(program)), arguments: [argument], output: .string(limit: 4096))
        guard let result, result.terminationStatus.isSuccess else { return nil }
        return result.standardOutput
    }
}
