// A database of a test's own, cloned from a template that is built once per process.
// Used by every test that touches SQL. The cluster is TestCluster.swift.
import EmbeddedPostgres
import FoundationEssentials
import Synchronization
import TestBasics

/// A fresh database in the run's cluster. It is reached with psql and libpq here, not with
/// our own client: the set-up must not rest on what is tested.
package struct TestDatabase: Sendable {
    /// Its name in the cluster.
    package let name: String
    /// Its libpq URL, for the role that owns it.
    package let url: String
    /// The same for the role that servers have, once the database is migrated.
    package let serverURL: String
    /// The same for staff.
    package let staffURL: String

    /// A database of an embedded cluster, by its owner's URL.
    init(name: String, url: String) {
        func its(_ role: ClusterRole) -> String { url.replacing("//\(ClusterRole.owner.rawValue)@", with: "//\(role.rawValue)@") }
        (self.name, self.url, serverURL, staffURL) = (name, url, its(.server), its(.staff))
    }

    /// How a server is started on it: the server as its own role, what it is not allowed as the owner.
    package var serveArguments: [String] { ["--database-url", serverURL, "--owner-url", url] }

    /// What a database begins with: built once per process, then cloned.
    package struct Template: Sendable {
        let name: String
        let build: @Sendable (_ url: String) async throws -> Void

        /// - Parameters:
        ///   - name: what it is known by, in lower case; templates of one name are one template.
        ///   - build: fills the database at the URL, and leaves no connection to it open.
        package init(_ name: String, build: @escaping @Sendable (_ url: String) async throws -> Void) {
            self.name = name
            self.build = build
        }

        /// Nothing in it.
        package static let empty = Template("empty") { _ in }
    }

    /// Runs `body` with a database of its own, which is dropped afterwards with whoever is still connected.
    package static func with<T>(_ template: Template = .empty, _ body: (TestDatabase) async throws -> T) async throws -> T {
        if let shared = SharedDatabase.given {
            try await SharedDatabase.empty(shared)
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

    /// An empty database. Whoever asks drops it, or leaves it to the end of the run.
    package static func empty() async throws -> TestDatabase { try await make(.empty) }

    /// A clone of the template.
    package static func make(_ template: Template) async throws -> TestDatabase {
        TestStart.note()
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
        return try await create(name: "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))", from: built.value)
    }

    /// Removes it, and ends whoever is still connected.
    package func drop() async throws {
        try await OpenSessions.ofSetUp.run("drop database \"\(name)\" with (force)", url: TestCluster.superuserURL())
    }

    /// Ends all connections and takes no new ones, as if its server had gone; it can still be dropped.
    package func refuseConnections() async throws {
        let superuser = try await TestCluster.superuserURL()
        try await Psql.run("alter database \"\(name)\" allow_connections false", url: superuser)
        try await Psql.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = '\(name)'", url: superuser)
    }

    /// Takes connections again.
    package func acceptConnections() async throws {
        try await Psql.run("alter database \"\(name)\" allow_connections true", url: TestCluster.superuserURL())
    }

    /// What psql prints for the SQL: rows in lines, columns separated by `|`, without heading.
    @discardableResult
    package func psql(_ sql: String) async throws -> String { try await Psql.run(sql, url: url) }

    /// The same for staff's role instead of the owner's.
    @discardableResult
    package func staff(_ sql: String) async throws -> String { try await Psql.run(sql, url: staffURL) }

    private static let templates = Mutex<[String: Task<String, any Error>]>([:])

    private static func create(name: String, from template: String) async throws -> TestDatabase {
        let superuser = try await TestCluster.superuserURL()
        try await OpenSessions.ofSetUp.run(
            "create database \"\(name)\" owner \(ClusterRole.owner.rawValue) template \"\(template)\"", url: superuser)
        let url = try await TestCluster.postgres().url.replacing("@/welms?", with: "@/\(name)?")
        return TestDatabase(name: name, url: url)
    }
}
