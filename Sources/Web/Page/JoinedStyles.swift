// The pages' styles as they are sent: a style sheet with those that it imports, in one file. Asked by StorefrontPage at the start.
// Each is asked for by itself else, and nothing is drawn before the last has come. Read next: JoinedModules.swift.

/// Joins style sheets as ours are written: each import is a line of its own, `@import "base.css";`, and none imports itself.
enum JoinedStyles {
    /// The sheets that no other imports; each has the text of what it imports in the place of the line that says so.
    static func sent(_ sheets: [String: String]) throws(JoinedModules.Fault) -> [String: String] {
        var imported: Set<String> = []
        func text(of name: String, under importers: [String]) throws(JoinedModules.Fault) -> String {
            guard let sheet = sheets[name] else {
                throw JoinedModules.Fault(name: name, reason: "\(importers.last ?? "") imports it, and it is not there")
            }
            guard !importers.contains(name) else { throw JoinedModules.Fault(name: name, reason: "it imports itself") }
            var lines: [String] = []
            for line in sheet.split(separator: "\n", omittingEmptySubsequences: false) {
                guard line.hasPrefix("@import") else {
                    lines.append(String(line))
                    continue
                }
                guard line.hasPrefix("@import \""), line.hasSuffix("\";") else {
                    throw JoinedModules.Fault(name: name, reason: "this can't be joined: \(line)")
                }
                let other = PagePath.resolve(line.dropFirst("@import \"".count).dropLast("\";".count), in: name)
                imported.insert(other)
                lines.append(try text(of: other, under: importers + [name]))
            }
            return lines.joined(separator: "\n")
        }
        var sent: [String: String] = [:]
        for name in sheets.keys { sent[name] = try text(of: name, under: []) }
        return sent.filter { !imported.contains($0.key) }
    }
}
