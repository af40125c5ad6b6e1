// Bundles the pages' scripts at the start. A phone loads six files at a time. At 150 ms latency, the 35 modules of the
// first view took 0.8 s longer than one bundle, and 45 kB instead of 32 kB. A bundler such as esbuild would be another
// program to install.

/// Bundles modules that follow the pages' conventions. Each import and each exported, named declaration is one line.
/// Exports are never reassigned, and no module imports itself. Comments and types are removed: a fifth of the bytes.
/// Comments occupy whole lines.
struct ScriptBundler {
    /// Why a module cannot be bundled.
    struct BundlingError: Error, Equatable {
        let name: String
        let reason: String
    }

    private struct Module {
        /// The lines without comments.
        let lines: [Substring]
        /// The modules that it imports statically and dynamically, as paths below the page's folder.
        let imports: [String]
        let dynamicImports: [String]

        init(_ name: String, _ text: String) throws(BundlingError) {
            lines = try ScriptBundler.withoutComments(name, text)
            imports = lines.compactMap { Import($0, in: name)?.name }
            dynamicImports = lines.flatMap {
                ScriptBundler.splitAtDynamicImports($0).dropFirst().map {
                    PagePath.resolve($0.prefix { $0 != "'" }, in: name)
                }
            }
        }
    }

    /// The modules by their paths below the page's folder.
    private var modules: [String: Module] = [:]

    /// Returns the bundles: one per entry with its static imports, and one per dynamic import. Unimported modules are
    /// returned unchanged except for comments. Modules that several dynamic imports share go into the first entry, so
    /// that each module has exactly one instance.
    /// - Parameter entries: The pages' entry modules; dynamic imports belong to the first.
    static func bundle(_ texts: [String: String], entries: [String]) throws(BundlingError) -> [String: String] {
        guard let first = entries.first else { return texts }
        var bundler = ScriptBundler()
        for (name, text) in texts { bundler.modules[name] = try Module(name, text) }
        var files = try bundler.files(of: first)
        var owners: [String: String] = [:]
        for (file, parts) in files { for name in parts { owners[name] = file } }
        for other in entries.dropFirst() { files[other] = try bundler.modulesInLoadOrder(of: [other]) }
        var bundled: [String: String] = [:]
        for (file, parts) in files { bundled[file] = try bundler.text(of: file, parts, owners: owners) }
        let within = Set(files.values.joined())
        for (name, module) in bundler.modules where !within.contains(name) {
            guard module.imports.isEmpty else {
                throw BundlingError(name: name, reason: "it imports other modules, but no page imports it")
            }
            bundled[name] = "// \(name) unchanged except for its comments.\n" + module.lines.joined(separator: "\n")
        }
        return bundled
    }

    /// The bundles of a page, each with its modules.
    private func files(of first: String) throws(BundlingError) -> [String: [String]] {
        let own = try modulesInLoadOrder(of: [first])
        var (waiting, dynamic): ([String], [String: [String]]) = (own, [:])
        while let name = waiting.popLast() {
            for entry in modules[name]?.dynamicImports ?? [] where dynamic[entry] == nil {
                let parts = try modulesInLoadOrder(of: [entry], from: name)
                dynamic[entry] = parts
                waiting += parts
            }
        }
        /// The dynamic import that is part of every dynamic import with this module. At most one exists, because two
        /// would import each other.
        func commonOwner(_ name: String) -> String? {
            let needing = dynamic.filter { $0.value.contains(name) }
            return needing.keys.first { owner in needing.allSatisfy { $0.value.contains(owner) } }
        }
        let shared = Set(dynamic.values.joined()).subtracting(own).filter { commonOwner($0) == nil }.sorted()
        let initial = try modulesInLoadOrder(of: shared + [first])
        var files = dynamic.mapValues { parts in parts.filter { commonOwner($0) == parts.last && !initial.contains($0) }
        }
        files[first] = initial
        return files
    }

    /// The modules with all their static imports, dependencies first.
    private func modulesInLoadOrder(of entries: [String], from importer: String = "the page") throws(BundlingError)
        -> [String]
    {
        var (done, visiting): ([String], [String]) = ([], [])
        func visit(_ name: String, from: String) throws(BundlingError) {
            if done.contains(name) { return }
            guard !visiting.contains(name) else {
                throw BundlingError(name: name, reason: "it imports itself through \(from)")
            }
            guard let module = modules[name] else {
                throw BundlingError(name: name, reason: "\(from) imports it, but it does not exist")
            }
            visiting.append(name)
            for other in module.imports { try visit(other, from: name) }
            visiting.removeLast()
            done.append(name)
        }
        for entry in entries { try visit(entry, from: importer) }
        return done
    }

    /// Wraps each module in a function that returns its exports, so that its other names stay local.
    /// - Parameter owners: The bundles of modules that are not among the parts.
    private func text(of file: String, _ parts: [String], owners: [String: String]) throws(BundlingError) -> String {
        var text = "// \(file) bundled with other modules, each unchanged except for its comments.\n"
        let elsewhere = Set(parts.flatMap { modules[$0]?.imports ?? [] } + [file]).subtracting(parts).sorted()
        for (variable, names) in Dictionary(grouping: parts + elsewhere, by: Self.variable) where names.count > 1 {
            throw BundlingError(name: file, reason: "two of its modules have the name \(variable.dropFirst())")
        }
        for (other, names) in Dictionary(grouping: elsewhere, by: { owners[$0] ?? "" }).sorted(by: { $0.key < $1.key })
        {
            let variables = names.map(Self.variable).joined(separator: ", ")
            text += "import {\(variables)} from '\(PagePath.relative(other, from: file))';\n"
        }
        for name in parts {
            let (body, exported) = try function(name, in: file)
            // Async, because a module may use await at its top level.
            text += "\n// \(name)\nconst \(Self.variable(name)) = await (async () => {\n"
            text += "\(body)\nreturn {\(exported)};\n})();\n"
        }
        if !parts.isEmpty { text += "\nexport {\(parts.map(Self.variable).joined(separator: ", "))};\n" }
        let own = try function(file, in: file).exported
        return own.isEmpty ? text : text + "export const {\(own)} = \(Self.variable(file));\n"
    }

    /// The body of a module's function, and the names that it exports.
    private func function(_ name: String, in file: String) throws(BundlingError) -> (body: String, exported: String) {
        var (body, exported): ([String], [Substring]) = ([], [])
        for line in modules[name]?.lines ?? [] {
            if line.hasPrefix("import *") {
                throw BundlingError(name: name, reason: "cannot bundle this line: \(line)")
            }
            if let line = Import(line, in: name) {
                body += line.names.isEmpty ? [] : ["const {\(line.names)} = \(Self.variable(line.name));"]
                continue
            }
            let declaration = line.hasPrefix("export ") ? line.dropFirst("export ".count) : nil
            if let declaration {
                guard let own = Self.declaredName(declaration) else {
                    throw BundlingError(name: name, reason: "cannot bundle this line: \(line)")
                }
                exported.append(own)
            }
            body.append(Self.rebasingDynamicImports(declaration ?? line, from: name, to: file))
        }
        return (body.joined(separator: "\n"), exported.joined(separator: ", "))
    }

    /// The lines of a module without comments: from `//` to the end of the line, from `/*` to the line that ends with
    /// `*/`.
    private static func withoutComments(_ name: String, _ text: String) throws(BundlingError) -> [Substring] {
        var (kept, isComment): ([Substring], Bool) = ([], false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if !isComment, words.hasPrefix("//") { continue }
            isComment = isComment || words.hasPrefix("/*")
            if !isComment {
                kept.append(try withoutTypes(name, line))
            } else if words.contains("*/") {
                guard words.hasSuffix("*/") else {
                    throw BundlingError(name: name, reason: "cannot bundle this line: \(line)")
                }
                isComment = false
            }
        }
        return kept
    }

    /// A line of code without the types of its parameters and casts, such as `/** @type {string} */`.
    private static func withoutTypes(_ name: String, _ line: Substring) throws(BundlingError) -> Substring {
        guard let start = line.firstRange(of: "/** @type {") else { return line }
        guard let end = line[start.upperBound...].firstRange(of: "*/ ") else {
            throw BundlingError(name: name, reason: "cannot bundle this line: \(line)")
        }
        return try line[..<start.lowerBound] + withoutTypes(name, line[end.upperBound...])
    }

    /// One import line.
    private struct Import {
        /// The module's path below the page's folder.
        let name: String
        /// The imported names as a destructuring pattern: `a, b: c`.
        let names: String

        /// Nil for any other line.
        init?(_ line: Substring, in importer: String) {
            guard line.hasPrefix("import "), line.hasSuffix("';"), let quote = line.dropLast(2).lastIndex(of: "'")
            else { return nil }
            name = PagePath.resolve(line[line.index(after: quote)...].dropLast(2), in: importer)
            let braces = line.firstIndex(of: "{").flatMap { from in
                line.firstIndex(of: "}").map { line[line.index(after: from)..<$0] }
            }
            names = (braces ?? "").split(separator: ",").map { binding in
                let words = binding.split(separator: " ")
                return words.count == 3 && words[1] == "as" ? "\(words[0]): \(words[2])" : words.joined(separator: " ")
            }.joined(separator: ", ")
        }
    }

    /// The name that a line declares; nil if it declares none.
    private static func declaredName(_ line: Substring) -> Substring? {
        var words = line.split(separator: " ", omittingEmptySubsequences: true)[...]
        if words.first == "async" { words.removeFirst() }
        guard let kind = words.popFirst(), ["const", "function", "class"].contains(kind), let name = words.first else {
            return nil
        }
        let end = name.firstIndex { !($0.isLetter || $0.isNumber || $0 == "_") } ?? name.endIndex
        return end == name.startIndex ? nil : name[..<end]
    }

    /// Splits a line before the path of each dynamic import.
    private static func splitAtDynamicImports(_ line: Substring) -> [Substring] {
        line.split(separator: "import('", omittingEmptySubsequences: false)
    }

    /// A line whose dynamic imports are relative to its bundle.
    private static func rebasingDynamicImports(_ line: Substring, from name: String, to file: String) -> String {
        let pieces = splitAtDynamicImports(line)
        return pieces.dropFirst().reduce(String(pieces[0])) { text, rest in
            let path = rest.prefix { $0 != "'" }
            return text + "import('" + PagePath.relative(PagePath.resolve(path, in: name), from: file)
                + rest[path.endIndex...]
        }
    }

    /// The variable that holds a module's exports. No name in the modules begins with `$`.
    private static func variable(_ name: String) -> String {
        let file = name[(name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex)...]
        return "$" + file.dropLast(".js".count).map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}
