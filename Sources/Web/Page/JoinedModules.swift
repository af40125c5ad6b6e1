// The pages' scripts as they are sent: a page's first module with all that it imports in one file, what is loaded later likewise. Asked by StorefrontPage
// at the start. A phone asks for six files at a time: on a line of 150 ms the 35 of the first view came 0.8 s later than one does, and weighed 45 kB, not 32.

/// Joins modules as our pages write them: each import and each exported declaration is a line of its own, `import {a, b as c} from './x.js';` or
/// `export const`, `function`, `async function` or `class` with a name, nobody changes what is exported, and none imports itself. A comment has its
/// lines to itself: a fifth of what the modules weigh is left out of what is sent, and read where it stands.
struct JoinedModules {
    /// The module's name among the files, and why it can't be joined.
    struct Fault: Error, Equatable {
        let name: String
        let reason: String
    }

    private struct Module {
        /// Without comments.
        let lines: [Substring]
        /// What it imports, and what it loads later, by their paths below the page's folder.
        let imports: [String]
        let later: [String]

        init(_ name: String, _ text: String) throws(Fault) {
            lines = try JoinedModules.withoutComments(name, text)
            imports = lines.compactMap { Import($0, in: name)?.name }
            later = lines.flatMap { JoinedModules.later($0).dropFirst().map { PagePath.resolve($0.prefix { $0 != "'" }, in: name) } }
        }
    }

    /// The modules by their paths below the page's folder.
    private var modules: [String: Module] = [:]

    /// The files as they are sent: each of the entries with all that it imports; what is loaded later with what nobody can need without it; and what
    /// nobody imports as it stands. What several of those that are loaded later need is in the first entry, which is there before any of them: each
    /// module of a page is in one file, and has one state.
    /// - Parameter entries: The pages' own modules; those that are loaded later belong to the first.
    static func sent(_ texts: [String: String], entries: [String]) throws(Fault) -> [String: String] {
        guard let first = entries.first else { return texts }
        var joined = JoinedModules()
        for (name, text) in texts { joined.modules[name] = try Module(name, text) }
        var files = try joined.files(of: first)
        var home: [String: String] = [:]
        for (file, parts) in files { for name in parts { home[name] = file } }
        for other in entries.dropFirst() { files[other] = try joined.parts(of: [other]) }
        var sent: [String: String] = [:]
        for (file, parts) in files { sent[file] = try joined.text(of: file, parts, home: home) }
        let within = Set(files.values.joined())
        for (name, module) in joined.modules where !within.contains(name) {
            guard module.imports.isEmpty else { throw Fault(name: name, reason: "it imports others, and no page imports it") }
            sent[name] = "// \(name) as it stands in the page's folder, but for its comments.\n" + module.lines.joined(separator: "\n")
        }
        return sent
    }

    /// The files of a page, and what is in each.
    private func files(of first: String) throws(Fault) -> [String: [String]] {
        let own = try parts(of: [first])
        var (waiting, later): ([String], [String: [String]]) = (own, [:])
        while let name = waiting.popLast() {
            for entry in modules[name]?.later ?? [] where later[entry] == nil {
                let parts = try parts(of: [entry], from: name)
                later[entry] = parts
                waiting += parts
            }
        }
        /// The one that everybody has loaded who needs it; there are no two, for they would import each other.
        func home(_ name: String) -> String? {
            let needing = later.filter { $0.value.contains(name) }
            return needing.keys.first { one in needing.allSatisfy { $0.value.contains(one) } }
        }
        let shared = Set(later.values.joined()).subtracting(own).filter { home($0) == nil }.sorted()
        let begun = try parts(of: shared + [first])
        var files = later.mapValues { parts in parts.filter { home($0) == parts.last && !begun.contains($0) } }
        files[first] = begun
        return files
    }

    /// Modules with all that they import, each behind what it imports itself.
    private func parts(of entries: [String], from importer: String = "the page") throws(Fault) -> [String] {
        var (done, under): ([String], [String]) = ([], [])
        func visit(_ name: String, from: String) throws(Fault) {
            if done.contains(name) { return }
            guard !under.contains(name) else { throw Fault(name: name, reason: "it imports itself, by way of \(from)") }
            guard let module = modules[name] else { throw Fault(name: name, reason: "\(from) imports it, and it is not there") }
            under.append(name)
            for other in module.imports { try visit(other, from: name) }
            under.removeLast()
            done.append(name)
        }
        for entry in entries { try visit(entry, from: importer) }
        return done
    }

    /// Each module is a function that gives what it exports, so that its own names stay its own.
    /// - Parameter home: Where a module is that is not among the parts.
    private func text(of file: String, _ parts: [String], home: [String: String]) throws(Fault) -> String {
        var text = "// \(file) with other modules, each as it stands in the page's folder but for its comments.\n"
        let elsewhere = Set(parts.flatMap { modules[$0]?.imports ?? [] } + [file]).subtracting(parts).sorted()
        for (other, names) in Dictionary(grouping: elsewhere, by: { home[$0] ?? "" }).sorted(by: { $0.key < $1.key }) {
            text += "import {\(names.map(Self.variable).joined(separator: ", "))} from '\(PagePath.of(other, from: file))';\n"
        }
        for name in parts {
            let (body, exported) = try function(name, in: file)
            // Async, for any of them may wait for something at its top level.
            text += "\n// \(name)\nconst \(Self.variable(name)) = await (async () => {\n\(body)\nreturn {\(exported)};\n})();\n"
        }
        if !parts.isEmpty { text += "\nexport {\(parts.map(Self.variable).joined(separator: ", "))};\n" }
        let own = try function(file, in: file).exported
        return own.isEmpty ? text : text + "export const {\(own)} = \(Self.variable(file));\n"
    }

    /// What stands in a module's function, and the names that it gives.
    private func function(_ name: String, in file: String) throws(Fault) -> (body: String, exported: String) {
        var (body, exported): ([String], [Substring]) = ([], [])
        for line in modules[name]?.lines ?? [] {
            if line.hasPrefix("import *") { throw Fault(name: name, reason: "this can't be joined: \(line)") }
            if let line = Import(line, in: name) {
                body += line.names.isEmpty ? [] : ["const {\(line.names)} = \(Self.variable(line.name));"]
                continue
            }
            let declaration = line.hasPrefix("export ") ? line.dropFirst("export ".count) : nil
            if let declaration {
                guard let own = Self.declared(declaration) else { throw Fault(name: name, reason: "this can't be joined: \(line)") }
                exported.append(own)
            }
            body.append(Self.moved(declaration ?? line, from: name, to: file))
        }
        return (body.joined(separator: "\n"), exported.joined(separator: ", "))
    }

    /// A module's lines but for those of comments: from `//` to the line's end, from `/*` to the line that ends with `*/`.
    private static func withoutComments(_ name: String, _ text: String) throws(Fault) -> [Substring] {
        var (kept, isComment): ([Substring], Bool) = ([], false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if !isComment, words.hasPrefix("//") { continue }
            isComment = isComment || words.hasPrefix("/*")
            if !isComment {
                kept.append(line)
            } else if words.contains("*/") {
                guard words.hasSuffix("*/") else { throw Fault(name: name, reason: "this can't be joined: \(line)") }
                isComment = false
            }
        }
        return kept
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
            name = PagePath.resolve(line[line.index(after: quote)...].dropLast(2), in: importer)
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

    /// A line, cut before the path of each module that it loads later.
    private static func later(_ line: Substring) -> [Substring] { line.split(separator: "import('", omittingEmptySubsequences: false) }

    /// A line whose later imports are named from the file that it has come into.
    private static func moved(_ line: Substring, from name: String, to file: String) -> String {
        let cut = later(line)
        return cut.dropFirst().reduce(String(cut[0])) { text, rest in
            let asked = rest.prefix { $0 != "'" }
            return text + "import('" + PagePath.of(PagePath.resolve(asked, in: name), from: file) + rest[asked.endIndex...]
        }
    }

    /// A module among the others: no name of ours begins like it.
    private static func variable(_ name: String) -> String {
        "$" + name.dropLast(".js".count).map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}
