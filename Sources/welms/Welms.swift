// The program's entry point and its list of commands.
import ArgumentParser
import Glibc
import Web

extension ProgramVersion {
    /// The version of this program.
    static let current = ProgramVersion(commit: builtFrom?.id, hasUncommittedChanges: builtFrom?.isChanged ?? false)
}

@main
struct Welms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "welms",
        abstract: "The ordering backend of a delivery restaurant.",
        discussion: """
            Settings come from flags, then from the environment, then from the JSON file of --config. `welms serve \
            --help` lists each setting with its three names and its default.
            """,
        version: ProgramVersion.current.description,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, SeedCommand.self, URLCommand.self, PruneCommand.self,
            PhotographCommand.self, StaffCommand.self, DoctorCommand.self,
            OpenAPICommand.self,
        ])

    static func main() async {
        // Writing to a closed pipe then fails with EPIPE instead of ending a command half way.
        // NIO does the same only when it opens its first socket. Subprocess restores the default in its children.
        signal(SIGPIPE, SIG_IGN)
        await main(nil)
    }
}
