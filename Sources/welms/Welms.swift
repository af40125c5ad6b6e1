// The program: what one can type. Each command is a file beside this one; ServeCommand.swift is the server.
import ArgumentParser

@main
struct Welms: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "welms",
        abstract: "The ordering backend of a delivery restaurant.",
        discussion: """
            Settings come from flags, then from the environment, then from the JSON file of --config; `welms serve --help` tells the name of \
            each in all three, and what holds otherwise.
            """,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, SeedCommand.self, URLCommand.self, PruneCommand.self, DoctorCommand.self,
            OpenAPICommand.self,
        ])
}
