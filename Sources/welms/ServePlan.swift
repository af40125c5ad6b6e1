// The complete configuration of a server, decided before anything starts.
import Database
import Logging
import Shop
import Web

/// The parsed and validated settings of `welms serve`.
struct ServePlan: Sendable {
    /// The listener, TLS, limits and staff token.
    var web: WebConfiguration
    /// The URL with which the server connects; nil: an embedded database in `dataDirectory`.
    var databaseURL: String?
    /// The URL of the same database for its owner, who applies the migrations; nil: `databaseURL`.
    var ownerURL: String?
    var dataDirectory = ".welms"
    /// The directory with the embedded PostgreSQL's programs; nil: the newest that are installed.
    var programs: String?
    var databaseTimeout = Duration.seconds(5)
    var replicaURLs: [String] = []
    var shards = Shards.single
    /// The tracer that logs the spans of requests; nil: no spans are logged.
    var tracer: LogTracer?
    /// The configuration of mails to guests; nil: no mail is sent.
    var mail: MailConfiguration?
    /// The schedule of pruning; nil: the server does not prune.
    var pruning: PruneSchedule?
    /// Whether the server migrates the schema first.
    var migrates = true
    var seedFiles: [SeedFile] = []
    /// Whether to load the shipped menu into the operator's own database if it has no menu.
    var seedsIfEmpty = false
    /// The time after the start at which the menu fails, to demonstrate the error channel; nil: never.
    var simulatedErrorDelay: Duration?

    init(web: WebConfiguration) { self.web = web }

    /// The configuration of the server's connections to this database.
    func database(at url: String) -> DatabaseConfiguration {
        var database = DatabaseConfiguration(url: url)
        database.statementTimeout = databaseTimeout
        return database
    }
}
