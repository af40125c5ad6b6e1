// Tells the program which commit it is built from. SwiftPM's own Context.gitInformation is kept with the manifest, and so tells of an old commit.
// Run by SwiftPM when it plans a build of welms; commit.sh, beside this file, is run by the build itself.
import Foundation
import PackagePlugin

@main
struct Origin: BuildToolPlugin {
    /// One command, which writes Commit.swift. It is run again whenever git moves, and whenever something changes that goes into the program: then
    /// that may be in no commit.
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let (root, output) = (context.package.directoryURL, context.pluginWorkDirectoryURL.appending(path: "Commit.swift"))
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

    /// What git writes whenever a commit is made or checked out; nil where there is no git, or where it writes none: then nobody could tell that the
    /// commit is another.
    private static func log(of root: URL) -> URL? {
        var directory = root.appending(path: ".git")
        // In another work tree of a repository it is a file that says where the rest is.
        if let text = try? String(contentsOf: directory, encoding: .utf8), text.hasPrefix("gitdir: ") {
            directory = URL(filePath: text.dropFirst("gitdir: ".count).trimmingCharacters(in: .newlines), relativeTo: root)
        }
        let log = directory.appending(path: "logs/HEAD")
        return FileManager.default.fileExists(atPath: log.path()) ? log : nil
    }

    /// A file, or those in a folder of resources.
    private static func files(at url: URL) -> [URL] {
        guard url.hasDirectoryPath || (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true else { return [url] }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path())) ?? []
        return names.sorted().map { url.appending(path: $0) }.filter {
            (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }
    }
}
