// The list of all settings. The help, the documentation's table and the check of the file's keys use it.
import ArgumentParser
import Configuration

/// A setting, which an operator can set by a flag, an environment variable or a key of the settings file.
struct Setting: Sendable {
    /// The key in the settings file: `tls.certificate` is `{"tls": {"certificate": …}}`. The flag has dashes for dots.
    let key: String
    /// The name of the environment variable.
    let variable: String
    /// The default, as the help shows it.
    let defaultValue: String
    /// Whether the value must never be printed.
    let isSecret: Bool
    /// Whether several values are allowed, as an array in the file.
    let allowsMultipleValues: Bool
    /// The meaning of the setting and its allowed values.
    let help: String

    private init(
        _ key: String, _ variable: String, _ normally: String, isSecret: Bool = false,
        allowsMultipleValues: Bool = false, _ help: String
    ) {
        (self.key, self.variable, self.defaultValue, self.help) = (key, variable, normally, help)
        (self.isSecret, self.allowsMultipleValues) = (isSecret, allowsMultipleValues)
    }

    var flag: String { "--\(name)" }
    /// The flag's name for swift-argument-parser.
    var argument: NameSpecification { .customLong(name) }
    var argumentHelp: ArgumentHelp { "\(help) (\(defaultValue)) [env: \(variable), file: \(key)]" }
    /// The variable's name in swift-configuration's notation.
    var environmentKey: ConfigKey { ConfigKey(variable.lowercased().replacing("_", with: ".")) }

    private var name: String { key.replacing(".", with: "-") }

    static let all = databaseSettings + serverSettings

    static let databaseSettings = [databaseURL, ownerURL, dataDirectory, programs, logLevel, logFormat]
    static let serverSettings = [
        host, port, operationsPort, traceLog, certificate, certificateKey, staffToken, replicaURL, shards,
        databaseTimeout, drainSeconds,
        basketLimit, checkoutLimit, couponLimit, staffTokenLimit, trustedProxies, connectionLimit,
        clientConnectionLimit,
        probeConnectionLimit, clientStreamLimit, allowOrigin, smtpURL, mailFrom, publicURL,
        pruneEvery, pruneOlderThan, migrate, seedFile, seedIfEmpty, simulatedError,
    ]

    static let databaseURL = Setting(
        "database.url", "DATABASE_URL", "an embedded PostgreSQL in --data-dir", isSecret: true,
        "The URL of the database, as libpq understands it.")
    static let ownerURL = Setting(
        "owner.url", "WELMS_OWNER_URL", "the same as --database-url", isSecret: true,
        """
        The URL of the same database for the role that owns it, which applies migrations and loads seed files. The \
        server itself then needs only the rights of the role welms_server.
        """)
    static let dataDirectory = Setting(
        "data.dir", "DATA_DIR", ".welms", "The directory with the data of the embedded PostgreSQL.")
    static let programs = Setting(
        "postgres.programs", "WELMS_POSTGRES_PROGRAMS", "the newest that are installed",
        "The directory with the embedded PostgreSQL's programs, such as /usr/lib/postgresql/15/bin.")
    static let logLevel = Setting(
        "log.level", "LOG_LEVEL", "info", "The log level: trace, debug, info, notice, warning, error or critical.")
    static let logFormat = Setting(
        "log.format", "LOG_FORMAT", "text", "The log format: text, or json (one object per line).")

    static let host = Setting("host", "HOST", "127.0.0.1", "The address to listen on.")
    static let port = Setting("port", "PORT", "8080", "The port to listen on, or 0 for any free port.")
    static let operationsPort = Setting(
        "operations.port", "WELMS_OPERATIONS_PORT", "/metrics on --port, for this machine only",
        """
        A second port that serves only /metrics, /livez and /readyz, over plain HTTP, to every client that can reach \
        it. --port then has no /metrics. 0 for any free port.
        """)
    static let traceLog = Setting(
        "trace.log", "WELMS_TRACE_LOG", "off",
        """
        Log the spans of requests, each as a JSON object on its own line: those whose caller marks its trace as \
        sampled in traceparent, and one in N of the others, such as 1000. The value callers logs none of the others.
        """)
    static let certificate = Setting(
        "tls.certificate", "WELMS_TLS_CERTIFICATE", "http",
        "Serve https with this certificate and its intermediate certificates: a PEM file.")
    static let certificateKey = Setting(
        "tls.key", "WELMS_TLS_KEY", "none", "The certificate's key: a PEM file without a passphrase.")
    static let staffToken = Setting(
        "staff.token", "WELMS_STAFF_TOKEN", "only members of staff have access", isSecret: true,
        """
        The token with which a manager uses /v1/staff, of at least 20 characters. Other users of this machine can \
        read a flag, so use the variable instead.
        """)
    static let replicaURL = Setting(
        "replica.url", "REPLICA_URL", "none", isSecret: true, allowsMultipleValues: true,
        """
        The URL of a streaming standby for reads of the menu and of orders; it may name several hosts. For several \
        standbys, repeat the flag, separate the URLs by spaces in the variable, or use an array in the file.
        """)
    static let shards = Setting(
        "shards", "SHARDS", "1",
        "The number of shards over which Citus distributes the baskets. A batch of checkouts is for one shard.")
    static let databaseTimeout = Setting(
        "database.timeout", "DATABASE_TIMEOUT", "5",
        "The seconds, 1 to 60, that the database may take for a statement before the request is answered with 503.")
    static let drainSeconds = Setting(
        "drain.seconds", "DRAIN_SECONDS", "1",
        """
        The seconds, 0 to 5, during which /readyz fails after SIGTERM before connections are refused. Set the time \
        that your load balancer needs to notice.
        """)
    static let basketLimit = Setting(
        "rate.limit.baskets", "WELMS_RATE_LIMIT_BASKETS", "unlimited",
        "The number of baskets that a client may start per minute.")
    static let checkoutLimit = Setting(
        "rate.limit.checkouts", "WELMS_RATE_LIMIT_CHECKOUTS", "unlimited; 10 with --smtp-url",
        """
        The number of checkouts that a client may send per minute, or off. With --smtp-url each checkout sends a mail \
        to an address that the client chooses. Behind a proxy set --trusted-proxies too, or all guests count as one \
        client.
        """)
    static let couponLimit = Setting(
        "rate.limit.coupons", "WELMS_RATE_LIMIT_COUPONS", "30",
        """
        The number of unknown coupon codes that a client may send per minute, or off. The limit protects hidden \
        coupons from guessing. Behind a proxy set --trusted-proxies too, or all guests count as one client.
        """)
    static let staffTokenLimit = Setting(
        "rate.limit.staff.tokens", "WELMS_RATE_LIMIT_STAFF_TOKENS", "10",
        """
        The number of wrong staff tokens that a client may send per minute, or off. The limit protects --staff-token \
        from guessing. Tokens of welms staff add are always accepted. Behind a proxy set --trusted-proxies too, or \
        all clients count as one.
        """)
    static let trustedProxies = Setting(
        "trusted.proxies", "WELMS_TRUSTED_PROXIES", "none",
        """
        The proxies in front of the server, such as 10.0.0.0/8,::1. The last address in X-Forwarded-For that is not a \
        trusted proxy is the client.
        """)
    static let connectionLimit = Setting(
        "connection.limit.total", "WELMS_CONNECTION_LIMIT_TOTAL", "10000",
        """
        The number of connections that --port accepts at the same time. Beyond it only health checks are answered. \
        Each connection needs a file descriptor, so the limit of open files (ulimit -n) may lower it.
        """)
    static let clientConnectionLimit = Setting(
        "connection.limit.client", "WELMS_CONNECTION_LIMIT_CLIENT", "2000",
        "The number of connections that a client may have. Connections of --trusted-proxies do not count.")
    static let probeConnectionLimit = Setting(
        "connection.limit.probes", "WELMS_CONNECTION_LIMIT_PROBES", "64",
        """
        The number of additional connections that are reserved for /livez and /readyz on --port, and on \
        --operations-port, where /metrics may use them too.
        """)
    static let clientStreamLimit = Setting(
        "stream.limit.client", "WELMS_STREAM_LIMIT_CLIENT", "64",
        """
        The number of event streams that a client may have open at the same time. Behind a proxy set \
        --trusted-proxies, or all guests count as one client.
        """)
    static let allowOrigin = Setting(
        "allow.origin", "WELMS_ALLOW_ORIGIN", "none", allowsMultipleValues: true,
        """
        An origin whose pages may use the API, such as https://shop.example. For several origins, repeat the flag, \
        separate them by commas in the variable, or use an array in the file.
        """)
    static let smtpURL = Setting(
        "smtp.url", "WELMS_SMTP_URL", "no mail is sent", isSecret: true,
        """
        The mail server for mails to guests, such as smtp://user:password@mail.example:587, percent-encoded, or \
        smtps:// for TLS from the first byte. With a user, STARTTLS is required, except on this machine.
        """)
    static let mailFrom = Setting(
        "mail.from", "WELMS_MAIL_FROM", "none",
        """
        The sender of mails to guests: an address such as orders@shop.example, or a name and the address in angle \
        brackets.
        """)
    static let publicURL = Setting(
        "public.url", "WELMS_PUBLIC_URL", "mails have no link",
        "The URL at which guests reach the shop, such as https://shop.example, for links in mails.")
    static let pruneEvery = Setting(
        "prune.every", "WELMS_PRUNE_EVERY", "1d",
        "The interval at which the server does what `welms prune` does, such as 12h, or off.")
    static let pruneOlderThan = Setting(
        "prune.older.than", "WELMS_PRUNE_OLDER_THAN", "30d",
        "The time without changes after which a basket is pruned, such as 12h; at least 1h.")
    static let migrate = Setting(
        "migrate", "WELMS_MIGRATE", "true", "Bring the database's schema up to date before serving.")
    static let seedFile = Setting(
        "seed.files", "WELMS_SEED_FILES", "none", allowsMultipleValues: true,
        """
        A file of plain SQL to load before serving. For several files, repeat the flag, separate them by commas in \
        the variable, or use an array in the file.
        """)
    static let seedIfEmpty = Setting(
        "seed.if.empty", "WELMS_SEED_IF_EMPTY", "false",
        "Load the shipped menu into your own database too, if it has no menu yet.")
    static let simulatedError = Setting(
        "simulate.error.after", "WELMS_SIMULATE_ERROR_AFTER", "never",
        "Make the menu fail for ten seconds, this many seconds after the start, to demonstrate the error channel.")
}
