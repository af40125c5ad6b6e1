// All that can be set, in one list: the flag, the variable of the environment, the key in the settings file, and what holds where none of
// them says anything. The help, the documentation's table and the check of the file's keys are made from it. Read next: Settings.swift.
import ArgumentParser
import Configuration

/// One thing that an operator can set, in each of three ways.
struct Setting: Sendable {
    /// Its place in the settings file: `tls.certificate` is `{"tls": {"certificate": …}}`. The flag is the same with dashes.
    let key: String
    /// Its name in the environment.
    let variable: String
    /// What holds where nobody says anything, as it is told to people.
    let normally: String
    /// Never printed, by nobody.
    let isSecret: Bool
    /// Whether there may be several: an array in the file.
    let takesSeveral: Bool
    /// What it is, and what it may be.
    let help: String

    private init(
        _ key: String, _ variable: String, _ normally: String, isSecret: Bool = false, takesSeveral: Bool = false, _ help: String
    ) {
        (self.key, self.variable, self.normally, self.help) = (key, variable, normally, help)
        (self.isSecret, self.takesSeveral) = (isSecret, takesSeveral)
    }

    var flag: String { "--\(name)" }
    /// In the list of the program's arguments.
    var argument: NameSpecification { .customLong(name) }
    var argumentHelp: ArgumentHelp { "\(help) (\(normally)) [env: \(variable), file: \(key)]" }
    /// The environment's name as swift-configuration knows it.
    var environmentKey: ConfigKey { ConfigKey(variable.lowercased().replacing("_", with: ".")) }

    private var name: String { key.replacing(".", with: "-") }

    static let all = forDatabases + forServers

    static let forDatabases = [databaseURL, ownerURL, dataDirectory, programs, logLevel, logFormat]
    static let forServers = [
        host, port, operationsPort, traceLog, certificate, certificateKey, staffToken, replicaURL, shards, databaseTimeout, drainSeconds,
        basketLimit, checkoutLimit, couponLimit, staffTokenLimit, trustedProxies, connectionLimit, clientConnectionLimit,
        probeConnectionLimit, clientStreamLimit, allowOrigin, smtpURL, mailFrom, publicURL,
        pruneEvery, pruneOlderThan, migrate, seedFile, seedIfEmpty, simulatedError,
    ]

    static let databaseURL = Setting(
        "database.url", "DATABASE_URL", "an embedded PostgreSQL in --data-dir", isSecret: true,
        "The database to use, as libpq understands it.")
    static let ownerURL = Setting(
        "owner.url", "WELMS_OWNER_URL", "the same as --database-url", isSecret: true,
        """
        The same database for the role that owns it, which applies the migrations and loads seeds; the server itself then needs no more \
        than the role welms_server may.
        """)
    static let dataDirectory = Setting("data.dir", "DATA_DIR", ".welms", "Where the embedded PostgreSQL lies.")
    static let programs = Setting(
        "postgres.programs", "WELMS_POSTGRES_PROGRAMS", "the newest that are installed",
        "Where the programs of the embedded PostgreSQL are, such as /usr/lib/postgresql/15/bin.")
    static let logLevel = Setting(
        "log.level", "LOG_LEVEL", "info", "How much to log: trace, debug, info, notice, warning, error or critical.")
    static let logFormat = Setting("log.format", "LOG_FORMAT", "text", "How to log: text, or json (one object a line).")

    static let host = Setting("host", "HOST", "127.0.0.1", "The address to listen on.")
    static let port = Setting("port", "PORT", "8080", "The port to listen on; 0 for any that is free.")
    static let operationsPort = Setting(
        "operations.port", "WELMS_OPERATIONS_PORT", "/metrics on --port, for this machine only",
        """
        A second port that answers /metrics, /livez and /readyz and nothing else, over plain HTTP, to whoever reaches it; then --port has no \
        /metrics. 0 for any that is free.
        """)
    static let traceLog = Setting(
        "trace.log", "WELMS_TRACE_LOG", "off",
        """
        Log the spans of requests, each as a JSON object on a line of its own: of those whose caller says in traceparent that its trace is \
        sampled, and of one in so many others, such as 1000; or callers, for none of the others.
        """)
    static let certificate = Setting(
        "tls.certificate", "WELMS_TLS_CERTIFICATE", "http", "Speak https with this certificate and what vouches for it: a PEM file.")
    static let certificateKey = Setting(
        "tls.key", "WELMS_TLS_KEY", "none", "The certificate's key: a PEM file without a passphrase.")
    static let staffToken = Setting(
        "staff.token", "WELMS_STAFF_TOKEN", "only members of staff come in", isSecret: true,
        """
        What a manager shows to use /v1/staff, of 20 characters or more; others on this machine can read a flag, so rather set \
        the variable.
        """)
    static let replicaURL = Setting(
        "replica.url", "REPLICA_URL", "none", isSecret: true, takesSeveral: true,
        """
        A streaming standby that takes reads of the menu and of orders, and its URL may name several hosts. Several: the flag several \
        times, spaces between them in the variable, an array in the file.
        """)
    static let shards = Setting(
        "shards", "SHARDS", "1", "Over how many shards Citus spreads the baskets: a batch of checkouts is for one of them.")
    static let databaseTimeout = Setting(
        "database.timeout", "DATABASE_TIMEOUT", "5",
        "For how many seconds, 1 to 60, the database may be at one statement before its request is answered with 503.")
    static let drainSeconds = Setting(
        "drain.seconds", "DRAIN_SECONDS", "1",
        """
        For how many seconds, 0 to 5, /readyz says no after SIGTERM before connections are refused: as long as your load balancer needs \
        to hear of it.
        """)
    static let basketLimit = Setting(
        "rate.limit.baskets", "WELMS_RATE_LIMIT_BASKETS", "unlimited", "How many baskets a client may start in a minute.")
    static let checkoutLimit = Setting(
        "rate.limit.checkouts", "WELMS_RATE_LIMIT_CHECKOUTS", "unlimited; 10 with --smtp-url",
        """
        How many checkouts a client may send in a minute; or off. With --smtp-url each one sends a mail to an address \
        that the client chooses. Behind a proxy set --trusted-proxies too, or all guests count as one client.
        """)
    static let couponLimit = Setting(
        "rate.limit.coupons", "WELMS_RATE_LIMIT_COUPONS", "30",
        """
        How many coupons that don't exist a client may name in a minute, so that nobody finds a hidden one by trying; or off. Behind a proxy \
        set --trusted-proxies too, or all guests count as one client.
        """)
    static let staffTokenLimit = Setting(
        "rate.limit.staff.tokens", "WELMS_RATE_LIMIT_STAFF_TOKENS", "10",
        """
        How many wrong staff tokens a client may send in a minute, so that nobody finds --staff-token by trying; or off. \
        Tokens of welms staff add pass all the same. Behind a proxy set --trusted-proxies too, or all clients count as one.
        """)
    static let trustedProxies = Setting(
        "trusted.proxies", "WELMS_TRUSTED_PROXIES", "none",
        """
        The proxies before the server, such as 10.0.0.0/8,::1; the last address in X-Forwarded-For that is none of them is the client.
        """)
    static let connectionLimit = Setting(
        "connection.limit.total", "WELMS_CONNECTION_LIMIT_TOTAL", "10000",
        """
        How many connections --port takes at one time; beyond them only health checks are answered. Each takes a file \
        descriptor, so the limit of the process (ulimit -n) may lower it.
        """)
    static let clientConnectionLimit = Setting(
        "connection.limit.client", "WELMS_CONNECTION_LIMIT_CLIENT", "2000",
        "How many of them a client may have; connections of --trusted-proxies count for nobody.")
    static let probeConnectionLimit = Setting(
        "connection.limit.probes", "WELMS_CONNECTION_LIMIT_PROBES", "64",
        """
        How many connections more are kept for /livez and /readyz on --port, and on --operations-port, where /metrics may \
        use them too.
        """)
    static let clientStreamLimit = Setting(
        "stream.limit.client", "WELMS_STREAM_LIMIT_CLIENT", "64",
        """
        How many event streams a client may have open at one time. Behind a proxy set --trusted-proxies, or all guests \
        count as one client.
        """)
    static let allowOrigin = Setting(
        "allow.origin", "WELMS_ALLOW_ORIGIN", "none", takesSeveral: true,
        """
        An origin whose pages may use the API, such as https://shop.example. Several: the flag several times, commas between them in the \
        variable, an array in the file.
        """)
    static let smtpURL = Setting(
        "smtp.url", "WELMS_SMTP_URL", "no mail is sent", isSecret: true,
        """
        The server that takes mails to guests, such as smtp://user:password@mail.example:587, percent-encoded, or smtps:// for TLS from the \
        first byte on. With a user STARTTLS is required, but for this machine.
        """)
    static let mailFrom = Setting(
        "mail.from", "WELMS_MAIL_FROM", "none",
        "Who guests' mails come from: an address such as orders@shop.example, or a name and then the address in angle brackets.")
    static let publicURL = Setting(
        "public.url", "WELMS_PUBLIC_URL", "mails have no link",
        "Where guests reach the shop, such as https://shop.example, for links in mails.")
    static let pruneEvery = Setting(
        "prune.every", "WELMS_PRUNE_EVERY", "1d", "How often to remove what `welms prune` removes, such as 12h; or off.")
    static let pruneOlderThan = Setting(
        "prune.older.than", "WELMS_PRUNE_OLDER_THAN", "30d", "For how long nobody has changed what is pruned, such as 12h; 1h at least.")
    static let migrate = Setting("migrate", "WELMS_MIGRATE", "true", "Bring the database's schema up to date first.")
    static let seedFile = Setting(
        "seed.files", "WELMS_SEED_FILES", "none", takesSeveral: true,
        """
        A file of plain SQL to load before serving. Several: the flag several times, commas between them in the variable, an array in \
        the file.
        """)
    static let seedIfEmpty = Setting(
        "seed.if.empty", "WELMS_SEED_IF_EMPTY", "false", "Load the shipped menu into a database of your own too, if it has no menu yet.")
    static let simulatedError = Setting(
        "simulate.error.after", "WELMS_SIMULATE_ERROR_AFTER", "never",
        "Let the menu fail so many seconds after the start, for ten seconds: shows what the error channel is for.")
}
