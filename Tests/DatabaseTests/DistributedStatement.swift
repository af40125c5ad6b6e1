// Finds the statements on distributed tables in the database and in the sources, and whether each selects one shard.
//
// The parser reads words, not SQL. A table's name follows `from`, `join`, `update`, `using` or a comma. The table needs
// a condition after `where`, `and` or `on`, such as `id = any (ids)`, `order_id = the_order.id` or `id = any ($1)`. The
// condition of a join is no such condition.
//
// The parser does not check the position of a condition, an outer `or`, an empty array, or text for EXECUTE.
// Functions that workers run therefore use no EXECUTE, and `explain` on Citus checks the plans.
import Foundation
import Support

/// A statement in lower case, without comments, with single spaces.
struct DistributedStatement: CustomStringConvertible {
    /// The name of its function or file.
    let origin: String
    let text: String
    /// Names whose values are known before planning: the function's parameters and variables.
    let values: Set<String>

    /// The distributed tables, with the column that selects the shard.
    static let columns = [
        "baskets": "id", "orders": "id", "order_steps": "order_id", "order_mails": "order_id",
        "coupon_uses": "coupon_id",
    ]

    var description: String { "\(origin): \(text)" }

    /// The tables that the statement reads or changes without a condition on their shard.
    var tablesWithoutShardCondition: [String] {
        let words = Self.words(of: text)
        return Self.columns.keys.filter { conditions(on: $0, in: words) < references(to: $0, in: words) }.sorted()
    }

    private func references(to table: String, in words: [String]) -> Int {
        words.indices.dropFirst().count {
            words[$0] == table && ["from", "join", "update", "using", ","].contains(words[$0 - 1])
        }
    }

    private func conditions(on table: String, in words: [String]) -> Int {
        words.indices.dropFirst().count { place in
            guard Self.columnNames(of: table).contains(words[place]),
                ["where", "and", "on"].contains(words[place - 1]),
                let end = end(ofValueAt: place + 1, words)
            else { return false }
            return end == words.count || words[end] != "or"
        }
    }

    private static func columnNames(of table: String) -> [String] {
        guard let column = columns[table] else { return [] }
        return [column, "\(table).\(column)"]
    }

    /// The index after `= value` or `= any (value)`; nil for anything else.
    private func end(ofValueAt place: Int, _ words: [String]) -> Int? {
        func isValue(_ word: String) -> Bool {
            let name = word.prefix { $0 != "." }
            return word.hasPrefix("$") || values.contains(String(name))
        }
        let rest = Array(words.dropFirst(place).prefix(5))
        // An element that a column selects is not a value: coupon_ids[use.n].
        if rest.count >= 2, rest[0] == "=", isValue(rest[1]), rest.count == 2 || rest[2] != "[" { return place + 2 }
        if rest.count == 5, rest[0] == "=", rest[1] == "any", rest[2] == "(", isValue(rest[3]), rest[4] == ")" {
            return place + 5
        }
        return nil
    }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for character in text {
            if character.isLetter || character.isNumber || "_.$".contains(character) {
                word.append(character)
            } else {
                if !word.isEmpty { words.append(word) }
                word = ""
                if !character.isWhitespace { words.append(String(character)) }
            }
        }
        return word.isEmpty ? words : words + [word]
    }
}

extension DistributedStatement {
    private struct Function: Decodable {
        let name: String
        let body: String
        let parameters: [String]
    }

    /// The statements of every function in the schema.
    static func inFunctions(of database: TestDatabase) async throws -> [DistributedStatement] {
        let rows = try await database.psql(
            """
            select json_build_object('name', proname, 'body', prosrc, 'parameters',
                (select coalesce(json_agg(name), '[]') from unnest(proargnames) with ordinality as argument (name, n)
                 where proargmodes is null or proargmodes[n] in ('i', 'b', 'v')))
            from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' order by proname
            """)
        return try rows.split(separator: "\n").flatMap { row in
            let function = try JSONDecoder().decode(Function.self, from: Data(row.utf8))
            return statements(
                in: function.body, of: function.name,
                values: Set(function.parameters).union(variables(of: function.body)))
        }
    }

    /// The statements of Sources/Database: the string literals, split into statements.
    static func inSources() throws -> [DistributedStatement] {
        let folder = "\(Repository.path)/Sources/Database"
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()
            .flatMap { file in
                try texts(of: "\(folder)/\(file)").flatMap { statements(in: $0, of: file, values: []) }
            }
    }

    /// The string literals of a file.
    static func texts(of path: String) throws -> [String] {
        let blocks = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\"\"\"", omittingEmptySubsequences: false
        )
        .enumerated()
        return blocks.flatMap { index, block in
            index % 2 == 1
                ? [String(block)]
                : block.split(separator: "\n").filter { $0.contains("Statement(") || $0.contains("\"select ") }.map(
                    String.init)
        }
    }

    static func statements(in body: String, of origin: String, values: Set<String>) -> [DistributedStatement] {
        withoutComments(body).lowercased().split(separator: ";")
            .map { statement in statement.split { $0.isWhitespace }.joined(separator: " ") }
            .filter { statement in words(of: statement).contains { columns[$0] != nil } }
            .map { DistributedStatement(origin: origin, text: $0, values: values) }
    }

    /// The variables that a PL/pgSQL body declares: the first word of each declaration.
    private static func variables(of body: String) -> [String] {
        guard let begin = body.firstRange(of: "declare"), let end = body.firstRange(of: "\nbegin") else { return [] }
        let declarations = withoutComments(String(body[begin.upperBound..<end.lowerBound])).split(separator: ";")
        return declarations.compactMap { declaration in declaration.split { $0.isWhitespace }.first.map(String.init) }
    }

    private static func withoutComments(_ body: String) -> String {
        let lines: [String] = body.split(separator: "\n").map { line in
            guard let comment = line.firstRange(of: "--") else { return String(line) }
            return String(line[..<comment.lowerBound])
        }
        return lines.joined(separator: "\n")
    }
}
