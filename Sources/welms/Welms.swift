// The program: what one can type. Each command is a file beside this one; ServeCommand.swift is the server.
import ArgumentParser
import Glibc
import Web

extension ProgramVersion {
    /// This program's.
    static let own = ProgramVersion(commit: builtFrom?.id, isChanged: builtFrom?.isChanged ?? false)
}

@main
struct Welms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "welms",
        abstract: "The ordering backend of a delivery restaurant.",
        discussion: """
            Settings come from flags, then from the environment, then from the JSON file of --config; `welms serve --help` tells the name of \
            each in all three, and what holds otherwise.
            """,
        version: ProgramVersion.own.description,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, SeedCommand.self, URLCommand.self, PruneCommand.self,
            PhotographCommand.self, StaffCommand.self, DoctorCommand.self,
            OpenAPICommand.self,
        ])

    static func main() async {
        // A reader of the log or of the output who has gone ends no command half way: what is written to a closed pipe then fails with EPIPE.
        // (NIO does the same, but only when it opens its first socket; Subprocess gives its children back what holds normally.)
        signal(SIGPIPE, SIG_IGN)
        await main(nil)
    }
}
