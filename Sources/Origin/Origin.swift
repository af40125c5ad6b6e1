// The build plugin that compiles the commit's id into the program.
// SwiftPM's Context.gitInformation is cached with the manifest, so it can name an old commit.
import Foundation
import PackagePlugin

/// Adds a build command that runs commit.sh.
@main
struct Origin: BuildToolPlugin {
    /// The command that writes Commit.swift. It runs again when git's HEAD or a source of the program changes.
    ///
    /// A changed source may be uncommitted, which Commit.swift reports too.
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let (root, output) = (
            context.package.directoryURL, context.pluginWorkDirectoryURL.appending(path: "Commit.swift")
        )
        let script = root.appending(path: "Sources/Origin/commit.sh")
        let log = Self.log(of: root)
        let modules = context.package.targets.compactMap { $0 as? any SourceModuleTarget }.filter { $0.kind != .test }
        let sources = modules.flatMap { $0.sourceFiles.flatMap { Self.files(at: $0.url) } }
        return [
            .buildCommand(
                displayName: "Asking git for the commit", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path(), root.path(), output.path(), log?.path() ?? ""],
                inputFiles: sources + [script] + [log].compactMap(\.self), outputFiles: [output])
        ]
    }

    /// git's log of HEAD, which changes with each commit and checkout; nil: there is no git, or it keeps no log.
    ///
    /// Without the log SwiftPM could not notice a new commit.
    private static func log(of root: URL) -> URL? {
        var directory = root.appending(path: ".git")
        // In an additional work tree .git is a file with the path of the git directory.
        if let text = try? String(contentsOf: directory, encoding: .utf8), text.hasPrefix("gitdir: ") {
            directory = URL(
                filePath: text.dropFirst("gitdir: ".count).trimmingCharacters(in: .newlines), relativeTo: root)
        }
        let log = directory.appending(path: "logs/HEAD")
        return FileManager.default.fileExists(atPath: log.path()) ? log : nil
    }

    /// The file itself, or a folder of resources with its files and folders.
    ///
    /// Folders are inputs too, because their modification times change with each added file. SwiftPM does not plan the
    /// build again for a file that is added to `sql` or `seed`, which are outside of the targets' folders.
    private static func files(at url: URL) -> [URL] {
        let isDirectory = (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
        guard url.hasDirectoryPath || isDirectory else { return [url] }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path())) ?? []
        let entries = names.sorted().map { url.appending(path: $0) }.filter { entry in
            let values = try? entry.resourceValues(forKeys: [.isRegularFileKey, .isDirectoryKey])
            return values?.isRegularFile == true || values?.isDirectory == true
        }
        return [url] + entries
    }
}
