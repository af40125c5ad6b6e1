// Bundles each style sheet with its imports, without comments. Otherwise a browser requests each file and draws nothing
// before the last one arrives.

/// Bundles style sheets in which each import is one line, `@import "base.css";`, and no sheet imports itself.
enum StyleBundler {
    /// The sheets that no other sheet imports, with each import replaced by the imported text.
    static func bundle(_ sheets: [String: String]) throws(ScriptBundler.BundlingError) -> [String: String] {
        var imported: Set<String> = []
        func text(of name: String, under importers: [String]) throws(ScriptBundler.BundlingError) -> String {
            guard let sheet = sheets[name] else {
                throw ScriptBundler.BundlingError(
                    name: name, reason: "\(importers.last ?? "") imports it, but it does not exist")
            }
            guard !importers.contains(name) else {
                throw ScriptBundler.BundlingError(name: name, reason: "it imports itself")
            }
            var lines: [String] = []
            let withoutComments = try StyleComments.removed(from: sheet, name: name)
            for line in withoutComments.split(separator: "\n", omittingEmptySubsequences: false) {
                guard line.hasPrefix("@import") else {
                    lines.append(String(line))
                    continue
                }
                guard line.hasPrefix("@import \""), line.hasSuffix("\";") else {
                    throw ScriptBundler.BundlingError(name: name, reason: "cannot bundle this line: \(line)")
                }
                let other = PagePath.resolve(line.dropFirst("@import \"".count).dropLast("\";".count), in: name)
                imported.insert(other)
                lines.append(try text(of: other, under: importers + [name]))
            }
            return lines.joined(separator: "\n")
        }
        var bundled: [String: String] = [:]
        for name in sheets.keys { bundled[name] = try text(of: name, under: []) }
        return bundled.filter { !imported.contains($0.key) }
    }
}
