// The flags of `welms serve` and `welms doctor`, and how they become a plan.
import ArgumentParser
import Database
import HTTPServing
import Shop
import Web

struct ServeOptions: ParsableArguments {
    @Option(name: Setting.host.argument, help: Setting.host.argumentHelp) var host: String?
    @Option(name: Setting.port.argument, help: Setting.port.argumentHelp) var port: String?
    @Option(name: Setting.operationsPort.argument, help: Setting.operationsPort.argumentHelp) var operationsPort:
        String?
    @Option(name: Setting.traceLog.argument, help: Setting.traceLog.argumentHelp) var traceLog: String?
    @Option(name: Setting.certificate.argument, help: Setting.certificate.argumentHelp) var certificate: String?
    @Option(name: Setting.certificateKey.argument, help: Setting.certificateKey.argumentHelp) var certificateKey:
        String?
    @Option(name: Setting.staffToken.argument, help: Setting.staffToken.argumentHelp) var staffToken: String?
    @Option(name: Setting.replicaURL.argument, help: Setting.replicaURL.argumentHelp) var replicaURL: [String] = []
    @Option(name: Setting.shards.argument, help: Setting.shards.argumentHelp) var shards: String?
    @Option(name: Setting.databaseTimeout.argument, help: Setting.databaseTimeout.argumentHelp) var databaseTimeout:
        String?
    @Option(name: Setting.drainSeconds.argument, help: Setting.drainSeconds.argumentHelp) var drainSeconds: String?
    @Option(name: Setting.basketLimit.argument, help: Setting.basketLimit.argumentHelp) var basketLimit: String?
    @Option(name: Setting.checkoutLimit.argument, help: Setting.checkoutLimit.argumentHelp) var checkoutLimit: String?
    @Option(name: Setting.couponLimit.argument, help: Setting.couponLimit.argumentHelp) var couponLimit: String?
    @Option(name: Setting.staffTokenLimit.argument, help: Setting.staffTokenLimit.argumentHelp)
    var staffTokenLimit: String?
    @Option(name: Setting.trustedProxies.argument, help: Setting.trustedProxies.argumentHelp) var trustedProxies:
        String?
    @Option(name: Setting.connectionLimit.argument, help: Setting.connectionLimit.argumentHelp)
    var connectionLimit: String?
    @Option(name: Setting.clientConnectionLimit.argument, help: Setting.clientConnectionLimit.argumentHelp)
    var clientConnectionLimit: String?
    @Option(name: Setting.probeConnectionLimit.argument, help: Setting.probeConnectionLimit.argumentHelp)
    var probeConnectionLimit: String?
    @Option(name: Setting.clientStreamLimit.argument, help: Setting.clientStreamLimit.argumentHelp)
    var clientStreamLimit: String?
    @Option(name: Setting.allowOrigin.argument, help: Setting.allowOrigin.argumentHelp) var allowOrigin: [String] = []
    @Option(name: Setting.smtpURL.argument, help: Setting.smtpURL.argumentHelp) var smtpURL: String?
    @Option(name: Setting.mailFrom.argument, help: Setting.mailFrom.argumentHelp) var mailFrom: String?
    @Option(name: Setting.publicURL.argument, help: Setting.publicURL.argumentHelp) var publicURL: String?
    @Option(name: Setting.pruneEvery.argument, help: Setting.pruneEvery.argumentHelp) var pruneEvery: String?
    @Option(name: Setting.pruneOlderThan.argument, help: Setting.pruneOlderThan.argumentHelp) var pruneOlderThan:
        String?
    @Flag(name: Setting.migrate.argument, inversion: .prefixedNo, help: Setting.migrate.argumentHelp) var migrate: Bool?
    @Option(name: [.customLong("seed"), .customLong("seed-files")], help: Setting.seedFile.argumentHelp) var seedFiles:
        [String] = []
    @Flag(name: Setting.seedIfEmpty.argument, help: Setting.seedIfEmpty.argumentHelp) var seedIfEmpty = false
    @Option(name: Setting.simulatedError.argument, help: Setting.simulatedError.argumentHelp) var simulatedError:
        String?

    /// Merges the flags with the environment and the settings file. Reads the files that they name, and nothing else.
    func plan(_ settings: Settings) throws -> ServePlan {
        var plan = ServePlan(web: try web(settings))
        (plan.databaseURL, plan.ownerURL) = (try settings.databaseURL, try settings.ownerURL)
        guard plan.ownerURL == nil || plan.databaseURL != nil else {
            throw CommandFailure("--owner-url needs --database-url, with which the server connects: set both")
        }
        (plan.dataDirectory, plan.programs) = (try settings.dataDirectory, try settings.programs)
        plan.replicaURLs = try settings.rawValues(.replicaURL, replicaURL) { text in
            let words = text.split(separator: " ").map(String.init)
            // A keyword/value connection string contains spaces itself.
            return words.allSatisfy { $0.contains("://") } ? words : [text]
        }
        let shardsAllowed = "a number from 1 to 1024, the shard count of the table baskets in citus_tables"
        plan.shards =
            try settings.parse(.shards, shards, expecting: shardsAllowed) { Int($0).flatMap(Shards.init) } ?? .single
        if let seconds = try settings.number(
            .databaseTimeout, databaseTimeout, in: 1...60, expecting: "a number from 1 to 60")
        {
            plan.databaseTimeout = .seconds(seconds)
        }
        plan.tracer = try LogTracer.read(settings, traceLog)
        plan.pruning = try PruneSchedule.read(settings, every: pruneEvery, olderThan: pruneOlderThan)
        plan.mail = try MailSettings(smtpURL: smtpURL, mailFrom: mailFrom, publicURL: publicURL).read(settings)
        plan.web.rateLimits.checkouts = try rateUnlessOff(
            .checkoutLimit, checkoutLimit, settings, default: defaultCheckoutLimit(plan))
        plan.migrates = try parseSwitch(.migrate, migrate, settings) ?? true
        plan.seedsIfEmpty = try parseSwitch(.seedIfEmpty, seedIfEmpty ? true : nil, settings) ?? false
        plan.seedFiles = try settings.rawValues(.seedFile, seedFiles, split: Self.splitAtCommas).map {
            path throws(SeedFile.Failure) in
            try SeedFile.read(path)
        }
        if let seconds = try settings.number(
            .simulatedError, simulatedError, in: 0...86_400, expecting: "a number from 0 to 86400")
        {
            plan.simulatedErrorDelay = .seconds(seconds)
        }
        return plan
    }

    private func web(_ settings: Settings) throws -> WebConfiguration {
        var web = WebConfiguration()
        web.version = .current
        if let host = try settings.rawValue(.host, host) { web.server.host = host.text }
        let ports = "a number from 1 to 65535, or 0 for any free port"
        if let port = try settings.number(.port, port, in: 0...65_535, expecting: ports) { web.server.port = port }
        web.operationsPort = try settings.number(.operationsPort, operationsPort, in: 0...65_535, expecting: ports)
        if let second = web.operationsPort, second != 0, second == web.server.port {
            throw CommandFailure("--operations-port \(second) is the same as --port: choose another")
        }
        // At most 5 s: requests in flight need time too, and the whole shutdown has 10 s.
        web.drainNotice = .seconds(
            try settings.number(.drainSeconds, drainSeconds, in: 0...5, expecting: "a number from 0 to 5") ?? 1)
        let tokens = "a staff token of 20 to 1000 visible ASCII characters without spaces; a shorter one can be guessed"
        web.staffToken = try settings.parse(.staffToken, staffToken, expecting: tokens) { StaffToken($0) }
        switch (
            try settings.rawValue(.certificate, certificate), try settings.rawValue(.certificateKey, certificateKey)
        ) {
        case (let certificate?, let key?):
            web.server.certificate = try ServerCertificate.read(certificate: certificate.text, key: key.text)
        case (nil, nil): break
        default: throw CommandFailure("--tls-certificate and --tls-key go together: set both, or neither for http")
        }
        web.rateLimits.baskets = try rate(.basketLimit, basketLimit, settings)
        web.rateLimits.coupons = try rateUnlessOff(.couponLimit, couponLimit, settings, default: web.rateLimits.coupons)
        web.rateLimits.staffTokens = try rateUnlessOff(
            .staffTokenLimit, staffTokenLimit, settings, default: web.rateLimits.staffTokens)
        let proxies = "addresses or ranges separated by commas, such as 10.0.0.0/8,::1"
        web.server.trustedProxies =
            try settings.parse(.trustedProxies, trustedProxies, expecting: proxies) { TrustedProxies($0) } ?? .none
        try setLimits(of: &web, settings)
        web.server.crossOrigin = try CrossOrigin.parse(
            settings.rawValues(.allowOrigin, allowOrigin, split: Self.splitAtCommas)
        ).get()
        return web
    }

    private func setLimits(of web: inout WebConfiguration, _ settings: Settings) throws(CommandFailure) {
        func limit(_ setting: Setting, _ flag: String?, upTo maximum: Int) throws(CommandFailure) -> Int? {
            try settings.number(setting, flag, in: 1...maximum, expecting: "a number from 1 to \(maximum)")
        }
        if let total = try limit(.connectionLimit, connectionLimit, upTo: 1_000_000) {
            web.server.maxConnections = total
        }
        if let count = try limit(.clientConnectionLimit, clientConnectionLimit, upTo: 1_000_000) {
            web.server.maxConnectionsPerClient = count
        }
        if let count = try limit(.probeConnectionLimit, probeConnectionLimit, upTo: 1_000) {
            web.server.reservedConnections = count
        }
        if let count = try limit(.clientStreamLimit, clientStreamLimit, upTo: 1_000_000) {
            web.server.maxStreamsPerClient = count
        }
    }

    private func rate(_ setting: Setting, _ flag: String?, _ settings: Settings) throws(CommandFailure) -> RateLimit? {
        try settings.parse(setting, flag, expecting: "a number per minute, from 1 to 1000000") {
            Int($0).flatMap(RateLimit.init(perMinute:))
        }
    }

    /// Parses a limit that has a default; `off` turns it off.
    private func rateUnlessOff(
        _ setting: Setting, _ flag: String?, _ settings: Settings, default limit: RateLimit?
    ) throws(CommandFailure) -> RateLimit? {
        let expected = "a number per minute, from 1 to 1000000, or off"
        let parsed = try settings.parse(setting, flag, expecting: expected) { text -> RateLimit?? in
            text == "off" ? .some(nil) : Int(text).flatMap(RateLimit.init(perMinute:)).map(Optional.some)
        }
        return parsed ?? limit
    }

    /// The default of --rate-limit-checkouts: with mail, each checkout mails to an address of the client's choice.
    /// A limit above --rate-limit-baskets would never be reached, so that is the maximum.
    private func defaultCheckoutLimit(_ plan: ServePlan) -> RateLimit? {
        guard plan.mail != nil else { return nil }
        guard let baskets = plan.web.rateLimits.baskets, baskets.perMinute < RateLimit.mailedCheckouts.perMinute else {
            return .mailedCheckouts
        }
        return baskets
    }

    private func parseSwitch(_ setting: Setting, _ flag: Bool?, _ settings: Settings) throws(CommandFailure) -> Bool? {
        if let flag { return flag }
        return try settings.parse(setting, nil, expecting: "true or false") { Bool($0) }
    }

    private static func splitAtCommas(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
