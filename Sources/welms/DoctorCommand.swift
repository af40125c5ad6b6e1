// `welms doctor`: checks the settings, the machine and the database, and prints one line for each check.
import ArgumentParser
import Database
import EmbeddedPostgres
import Foundation
import Glibc
import HTTPServing
import Logging
import Mail
import Photographs
import Postgres
import Shop
import Web

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the machine, the settings and the database, and say what to correct. Changes nothing.",
        discussion: """
            Takes the settings of `welms serve`. Ends with status 0 if every check passes, and with 1 if there is a \
            problem.
            """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try Settings(database)
        var logger = try settings.logger()
        logger.logLevel = .critical
        var findings: [Finding] = []
        do {
            let plan = try options.plan(settings)
            findings.append(Finding(about: "settings", problem: contradiction(in: plan)))
            if let certificate = plan.web.server.certificate {
                findings.append(Self.checkValidity(of: certificate, at: Int(Date.now.timeIntervalSince1970)))
            }
            findings.append(
                Finding(
                    about: "port", problem: Self.listenProblem(host: plan.web.server.host, port: plan.web.server.port)))
            if let port = plan.web.operationsPort {
                findings.append(
                    Finding(
                        about: "operations port",
                        problem: Self.listenProblem(host: plan.web.server.host, port: port, flag: .operationsPort)))
            }
            if let mail = plan.mail { findings.append(await Self.checkMailServer(of: mail)) }
            let hasImages = PhotoProcessor().isReady
            findings.append(
                Finding(
                    about: "photographs", problem: nil,
                    note: hasImages ? nil : "staff cannot add photographs: install Debian's package libvips-tools"))
            findings += await databaseFindings(plan, logger)
        } catch {
            findings.append(Finding(about: "settings", problem: "\(error)"))
        }
        for finding in findings { print(finding) }
        if findings.contains(where: { $0.problem != nil }) { throw ExitCode.failure }
    }

    private func databaseFindings(_ plan: ServePlan, _ logger: Logger) async -> [Finding] {
        var findings: [Finding] = []
        var (url, ownerURL) = (plan.databaseURL, plan.ownerURL)
        var programs: String?
        if url == nil {
            do {
                let version = try await EmbeddedPostgres.installedVersion(
                    for: plan.dataDirectory, programs: plan.programs)
                programs = version.release
                let remedy =
                    "it is \(version.release): install PostgreSQL 15 or later, such as Debian's package postgresql"
                findings.append(
                    Finding(about: "server programs", problem: version.major < 15 ? remedy : nil, note: version.release)
                )
                url = try EmbeddedPostgres.url(dataDirectory: plan.dataDirectory, role: .server)
                ownerURL = try EmbeddedPostgres.url(dataDirectory: plan.dataDirectory, role: .owner)
            } catch {
                findings.append(Finding(about: "embedded PostgreSQL", problem: "\(error)"))
            }
        }
        if let url {
            let checks = ShopChecks(
                url: url, ownerURL: ownerURL, replicaURLs: plan.replicaURLs,
                replicaLagLimit: ReplicaConfiguration().lagLimit,
                connectionsPerServer: RunningShop.connectionLimit(plan.database(at: url), mails: plan.mail != nil),
                programs: programs,
                now: { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000)) }, logger: logger)
            findings += await checks.run().map { Finding(about: $0.name, problem: $0.problem, note: $0.note) }
        }
        return findings
    }

    /// Connects and logs in, but sends no mail.
    private static func checkMailServer(of mail: MailConfiguration) async -> Finding {
        var limits = mail.limits
        limits.total = limits.connect
        let fault = await SMTPClient(mail.server, limits: limits).probe()
        let remedy = """
            check --smtp-url, and that the mail server accepts mail from this machine; until then guests get no mail
            """
        return Finding(about: "mail server", problem: fault.map { "\($0): \(remedy)" }, note: "\(mail.server)")
    }

    /// A contradiction between two settings; nil if all settings agree.
    private func contradiction(in plan: ServePlan) -> String? {
        let limits = plan.web.rateLimits
        if let baskets = limits.baskets?.perMinute, let checkouts = limits.checkouts?.perMinute, checkouts > baskets {
            return """
                --rate-limit-checkouts \(checkouts) is never reached, because each order needs a basket and \
                --rate-limit-baskets is \(baskets): lower the first or raise the second
                """
        }
        return nil
    }

    static func checkValidity(of certificate: ServerCertificate, at now: Int) -> Finding {
        let (from, until) = (certificate.validity.lowerBound, certificate.validity.upperBound)
        let days = (until - now) / 86_400
        let problem: String? =
            if until <= now {
                "it has expired: renew it and restart the server"
            } else if now < from {
                "it is not valid yet, for \((from - now) / 3600 + 1) hours: check the clock, or get another certificate"
            } else if days < 14 {
                "it expires in \(days) days: renew it and restart the server"
            } else {
                nil
            }
        return Finding(about: "TLS certificate", problem: problem)
    }

    /// Why a server cannot listen on the address and port; nil: it can.
    private static func listenProblem(host: String, port: Int, flag: Setting = .port) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found?.pointee else {
            return "there is no address \(host): use an address of this machine, such as 127.0.0.1"
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        switch errno {
        case EADDRINUSE:
            return "\(port) on \(host) is taken: stop the program that uses it, or choose another \(flag.flag)"
        case EACCES: return "this user may not listen on port \(port) of \(host): choose a \(flag.flag) from 1024 on"
        default: return "cannot listen on \(host): use an address of this machine, such as 127.0.0.1"
        }
    }

    struct Finding: CustomStringConvertible {
        let about: String
        let problem: String?
        var note: String?

        var description: String {
            problem.map { "PROBLEM  \(about): \($0)" } ?? "ok       \(about)" + (note.map { ": \($0)" } ?? "")
        }
    }
}
