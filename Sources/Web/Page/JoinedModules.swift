// The pages' scripts as they are sent: a page's first module with all that it imports, in one file. Asked by StorefrontPage at the start.
// A phone asks for six files at a time. On a line of 150 ms the 35 of the first view came 0.8 s later than one does, and weighed 45 kB, not 32.

/// Joins modules as our pages write them: each import and each exported declaration is a line of its own, `import {a, b as c} from './x.js';` or
/// `export const`, `function`, `async function` or `class` with a name, nobody changes what is exported, and none imports itself. A comment has its
/// lines to itself: a fifth of what the modules weigh is left out of what is sent, and read where it stands.
struct JoinedModules {
    /// The module's name among the files, and why it can't be joined.
    struct Fault: Error, Equatable {
        let name: String
        let reason: String
    }

    /// The modules by their paths below the page's folder.
    private let modules: [String: String]

    /// The files as they are sent: each of the entries with what it imports, and the others with their imports from the first entry, which has
    /// been loaded when they are asked for. What is in an entry is sent with nothing else.
    /// - Parameter entries: The pages' own modules; those that are loaded later belong to the first.
    static func sent(_ modules: [String: String], entries: [String]) throws(Fault) -> [String: String] {
        let joined = JoinedModules(modules: modules)
        var sent: [String: String] = [:]
        var within: Set<String> = []
        for entry in entries {
            let parts = try joined.parts(of: entry)
            sent[entry] = try joined.file(entry, of: parts)
            within.formUnion(parts)
        }
        guard let first = entries.first else { return modules }
        let parts = Set(try joined.parts(of: first))
        for name in modules.keys where !within.contains(name) {
            for name in try joined.parts(of: name) where !parts.contains(name) {
                sent[name] = try joined.later(name, than: first, with: parts)
            }
        }
        return sent
    }

    /// A module with all that it imports, each behind what it imports itself.
    private func parts(of entry: String) throws(Fault) -> [String] {
        var (done, under): ([String], [String]) = ([], [])
        func visit(_ name: String, from: String) throws(Fault) {
            if done.contains(name) { return }
            guard !under.contains(name) else { throw Fault(name: name, reason: "it imports itself, by way of \(from)") }
            guard let text = modules[name] else { throw Fault(name: name, reason: "\(from) imports it, and it is not there") }
            under.append(name)
            for line in text.split(separator: "\n") { if let line = Import(line, in: name) { try visit(line.name, from: name) } }
            under.removeLast()
            done.append(name)
        }
        try visit(entry, from: "the page")
        return done
    }

    /// Each module is a function that gives what it exports, so that its own names stay its own.
    private func file(_ entry: String, of parts: [String]) throws(Fault) -> String {
        var text = "// \(entry) with the modules that it imports, each as it stands in the page's folder but for its comments.\n"
        for name in parts {
            var (body, exported): ([Substring], [Substring]) = ([], [])
            for line in try withoutComments(name) {
                if line.hasPrefix("import *") { throw Fault(name: name, reason: "this can't be joined: \(line)") }
                if let line = Import(line, in: name) {
                    body += line.names.isEmpty ? [] : [Substring("const {\(line.names)} = \(Self.variable(line.name));")]
                } else if line.hasPrefix("export ") {
                    let declaration = line.dropFirst("export ".count)
                    guard let own = Self.declared(declaration) else { throw Fault(name: name, reason: "this can't be joined: \(line)") }
                    exported.append(own)
                    body.append(Substring(Self.moved(declaration, from: name, to: entry)))
                } else {
                    body.append(Substring(Self.moved(line, from: name, to: entry)))
                }
            }
            // Async, for any of them may wait for something at its top level.
            let function = "await (async () => {\n\(body.joined(separator: "\n"))\nreturn {\(exported.joined(separator: ", "))};\n})()"
            text += "\n// \(name)\nconst \(Self.variable(name)) = \(function);\n"
        }
        return text + "\nexport {\(parts.map(Self.variable).joined(separator: ", "))};\n"
    }

    /// A module's lines but for those of comments: from `//` to the line's end, from `/*` to the line that ends with `*/`.
    private func withoutComments(_ name: String) throws(Fault) -> [Substring] {
        var (kept, isComment): ([Substring], Bool) = ([], false)
        for line in (modules[name] ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if !isComment, words.hasPrefix("//") { continue }
            isComment = isComment || words.hasPrefix("/*")
            guard isComment else {
                kept.append(line)
                continue
            }
            if words.contains("*/") {
                guard words.hasSuffix("*/") else { throw Fault(name: name, reason: "this can't be joined: \(line)") }
                isComment = false
            }
        }
        return kept
    }

    /// A module that is asked for later finds what has come already in the first one.
    private func later(_ name: String, than first: String, with parts: Set<String>) throws(Fault) -> String {
        var lines = ["// \(name) as it stands in the page's folder, but for its comments."]
        for line in try withoutComments(name) {
            if let found = Import(line, in: name), parts.contains(found.name) {
                let variable = Self.variable(found.name)
                lines.append("import {\(variable)} from '\(Self.path(to: first, from: name))'; const {\(found.names)} = \(variable);")
            } else {
                lines.append(String(line))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// What a line imports.
    private struct Import {
        /// The module's path below the page's folder.
        let name: String
        /// What it is called here, as a pattern of a declaration has it: `a, b: c`.
        let names: String

        /// Nil for any other line.
        init?(_ line: Substring, in importer: String) {
            guard line.hasPrefix("import "), line.hasSuffix("';"), let quote = line.dropLast(2).lastIndex(of: "'") else { return nil }
            name = JoinedModules.resolve(line[line.index(after: quote)...].dropLast(2), in: importer)
            let braces = line.firstIndex(of: "{").flatMap { from in line.firstIndex(of: "}").map { line[line.index(after: from)..<$0] } }
            names = (braces ?? "").split(separator: ",").map { one in
                let words = one.split(separator: " ")
                return words.count == 3 && words[1] == "as" ? "\(words[0]): \(words[2])" : words.joined(separator: " ")
            }.joined(separator: ", ")
        }
    }

    /// The name that a line declares; nil for what has none.
    private static func declared(_ line: Substring) -> Substring? {
        var words = line.split(separator: " ", omittingEmptySubsequences: true)[...]
        if words.first == "async" { words.removeFirst() }
        guard let kind = words.popFirst(), ["const", "function", "class"].contains(kind), let name = words.first else { return nil }
        let end = name.firstIndex { !($0.isLetter || $0.isNumber || $0 == "_") } ?? name.endIndex
        return end == name.startIndex ? nil : name[..<end]
    }

    /// A line whose later imports are named from the file that it has come into.
    private static func moved(_ line: Substring, from name: String, to entry: String) -> String {
        var (rest, text) = (line, "")
        while let found = rest.range(of: "import('") {
            guard let end = rest[found.upperBound...].firstIndex(of: "'") else { break }
            text += rest[..<found.upperBound] + path(to: resolve(rest[found.upperBound..<end], in: name), from: entry)
            rest = rest[end...]
        }
        return text + rest
    }

    /// `../api.js` in `screens/home.js` is `api.js`.
    private static func resolve(_ path: Substring, in importer: String) -> String {
        var folders = importer.split(separator: "/").dropLast()
        for part in path.split(separator: "/") {
            if part == ".." { _ = folders.popLast() } else if part != "." { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    /// As one module names another.
    private static func path(to name: String, from importer: String) -> String {
        let up = importer.split(separator: "/").count - 1
        return (up == 0 ? "./" : String(repeating: "../", count: up)) + name
    }

    /// A module among the others: no name of ours begins like it.
    private static func variable(_ name: String) -> String {
        "$" + name.dropLast(".js".count).map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}
