// What a server is to serve, and how, decided before anything is started. Made by ServeOptions; carried out by ServeCommand.
import Database
import Logging
import Shop
import Web

struct ServePlan: Sendable {
    /// How the server listens, and to whom.
    var web: WebConfiguration
    /// The database as the server connects to it; nil: an embedded one in `dataDirectory`.
    var databaseURL: String?
    /// The same for its owner, who applies the migrations; nil: `databaseURL`.
    var ownerURL: String?
    var dataDirectory = ".welms"
    /// The programs of the embedded PostgreSQL; nil: those that are found.
    var programs: String?
    var databaseTimeout = Duration.seconds(5)
    var replicaURLs: [String] = []
    var shards = Shards.one
    /// What logs the spans of requests; nil: nothing does.
    var tracer: LogTracer?
    /// How guests are mailed; nil: they are not.
    var mail: MailConfiguration?
    /// What is removed, and when; nil: nothing.
    var pruning: PruneSchedule?
    /// Whether the schema is brought up to date first.
    var migrates = true
    var seeds: [SeedFile] = []
    /// Whether the shipped menu is loaded into a database of the user's own that has none; into an embedded one it always is.
    var seedsIfEmpty = false
    /// When the menu fails, for the demonstration of it; nil: never.
    var simulatedError: Duration?

    init(web: WebConfiguration) { self.web = web }

    /// How the server's connections to this database are made.
    func database(at url: String) -> DatabaseConfiguration {
        var database = DatabaseConfiguration(url: url)
        database.statementTimeout = databaseTimeout
        return database
    }
}
