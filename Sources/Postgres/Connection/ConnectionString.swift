// What is wrong with a connection string, in words that may be logged: libpq's own quote the string, with the password that may stand in it.
// Asked by Opening before it connects, and by the executable before it starts anything.
import CLibPQ

/// The texts that name a database: libpq's URIs, its key words and values, or only the database's name.
/// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
package enum ConnectionString {
    /// Why libpq does not understand the text; nil where it does. Of the text itself it says one character at most.
    package static func fault(in text: String) -> String? {
        guard !text.utf8.contains(0) else { return "it holds a NUL" }
        if isOtherURL(text) { return "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://" }
        guard text.contains("=") || text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return nil }
        var complaint: UnsafeMutablePointer<CChar>?
        defer { if complaint != nil { PQfreemem(complaint) } }
        guard let options = PQconninfoParse(text, &complaint) else {
            return complaint.map { withoutQuotes(String(cString: $0)) } ?? "out of memory"
        }
        PQconninfoFree(options)
        return nil
    }

    /// `mysql://…`, `jdbc:postgresql://…`, `Postgres://…`: to libpq the name of a database.
    private static func isOtherURL(_ text: String) -> Bool {
        guard !text.hasPrefix("postgres://"), !text.hasPrefix("postgresql://"), let mark = text.firstRange(of: "://") else { return false }
        return !text[..<mark.lowerBound].contains("=")
    }

    /// The complaint up to the first word in quotes that is longer than a character: that one is a part of the text, and may hold anything.
    private static func withoutQuotes(_ complaint: String) -> String {
        var rest = complaint.prefix { !$0.isNewline }
        var said = ""
        while let quote = rest.firstIndex(of: "\"") {
            said += rest[..<quote]
            let quoted = rest[quote...].prefix(3)
            guard quoted.count == 3, quoted.last == "\"" else { return said + "…" }
            said += quoted
            rest = rest[quoted.endIndex...]
        }
        return said + rest
    }
}
