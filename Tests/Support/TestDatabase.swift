// A database for one test, cloned from a template that is built once per process.
import EmbeddedPostgres
import FoundationEssentials
import Synchronization
import TestBasics

/// A fresh database in the run's cluster. Tests set it up with psql and libpq, not with the tested client.
package struct TestDatabase: Sendable {
    /// The database's name in the cluster.
    package let name: String
    /// The libpq URL for the role that owns the database.
    package let url: String
    /// The libpq URL for the role of servers, after the migration.
    package let serverURL: String
    /// The libpq URL for the role of staff.
    package let staffURL: String

    /// Creates the description of a database from its owner's URL.
    init(name: String, url: String) {
        func roleURL(_ role: ClusterRole) -> String {
            url.replacing("//\(ClusterRole.owner.rawValue)@", with: "//\(role.rawValue)@")
        }
        (self.name, self.url, serverURL, staffURL) = (name, url, roleURL(.server), roleURL(.staff))
    }

    /// The arguments for a server: it connects as its own role, and migrates as the owner.
    package var serveArguments: [String] { ["--database-url", serverURL, "--owner-url", url] }

    /// The initial content of a database, built once per process and then cloned.
    package struct Template: Sendable {
        let name: String
        let build: @Sendable (_ url: String) async throws -> Void

        /// - Parameters:
        ///   - name: A unique name in lower case; templates with the same name are the same template.
        ///   - build: Fills the database at the URL, and leaves no connection to it open.
        package init(_ name: String, build: @escaping @Sendable (_ url: String) async throws -> Void) {
            self.name = name
            self.build = build
        }

        /// An empty database.
        package static let empty = Template("empty") { _ in }
    }

    /// Runs `body` with a new database, and drops the database afterwards together with its open connections.
    package static func with<T>(_ template: Template = .empty, _ body: (TestDatabase) async throws -> T) async throws
        -> T
    {
        if let shared = SharedDatabase.existing {
            try await SharedDatabase.reset(shared)
            return try await body(shared)
        }
        let database = try await make(template)
        do {
            let result = try await body(database)
            try await database.drop()
            return result
        } catch {
            try await database.drop()
            throw error
        }
    }

    /// Creates an empty database. The caller drops it, or leaves it to the end of the run.
    package static func empty() async throws -> TestDatabase { try await make(.empty) }

    /// Creates a clone of the template.
    package static func make(_ template: Template) async throws -> TestDatabase {
        TestStart.record()
        let built = templates.withLock { known in
            if let task = known[template.name] { return task }
            let task = Task {
                let database = try await create(name: "template_\(template.name)", from: "template0")
                try await template.build(database.url)
                return database.name
            }
            known[template.name] = task
            return task
        }
        return try await create(
            name: "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))", from: built.value)
    }

    /// Drops the database and ends its open connections.
    package func drop() async throws {
        try await SessionPool.forSetup.run("drop database \"\(name)\" with (force)", url: TestCluster.superuserURL())
    }

    /// Ends all connections and rejects new ones, as if the server were down. The database can still be dropped.
    package func refuseConnections() async throws {
        let superuser = try await TestCluster.superuserURL()
        try await Psql.run("alter database \"\(name)\" allow_connections false", url: superuser)
        try await Psql.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = '\(name)'", url: superuser)
    }

    /// Accepts connections again.
    package func acceptConnections() async throws {
        try await Psql.run("alter database \"\(name)\" allow_connections true", url: TestCluster.superuserURL())
    }

    /// Runs the SQL as the owner and returns what psql prints: rows in lines, columns separated by `|`, no heading.
    @discardableResult
    package func psql(_ sql: String) async throws -> String { try await Psql.run(sql, url: url) }

    /// Runs the SQL as staff and returns what psql prints.
    @discardableResult
    package func psqlAsStaff(_ sql: String) async throws -> String { try await Psql.run(sql, url: staffURL) }

    private static let templates = Mutex<[String: Task<String, any Error>]>([:])

    private static func create(name: String, from template: String) async throws -> TestDatabase {
        let superuser = try await TestCluster.superuserURL()
        try await SessionPool.forSetup.run(
            "create database \"\(name)\" owner \(ClusterRole.owner.rawValue) template \"\(template)\"", url: superuser)
        let url = try await TestCluster.postgres().url.replacing("@/welms?", with: "@/\(name)?")
        return TestDatabase(name: name, url: url)
    }
}
