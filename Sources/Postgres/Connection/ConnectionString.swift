// Validates connection strings. The messages may be logged, unlike libpq's, which quote the string with its password.
import CLibPQ

/// Validation of the texts that libpq accepts: URIs, keyword/value strings, or the database's name alone.
/// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
package enum ConnectionString {
    /// Returns the reason why the text is not a valid connection string, or nil. The reason quotes only single
    /// characters of the text.
    package static func problem(in text: String) -> String? {
        guard !text.utf8.contains(0) else { return "it contains a NUL" }
        if isOtherURL(text) {
            return "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"
        }
        guard text.contains("=") || text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return nil }
        var complaint: UnsafeMutablePointer<CChar>?
        defer { if complaint != nil { PQfreemem(complaint) } }
        guard let options = PQconninfoParse(text, &complaint) else {
            return complaint.map { withoutQuotes(String(cString: $0)) } ?? "out of memory"
        }
        PQconninfoFree(options)
        return nil
    }

    /// Detects `mysql://…`, `jdbc:postgresql://…` and `Postgres://…`, which libpq interprets as the name of a database.
    private static func isOtherURL(_ text: String) -> Bool {
        guard !text.hasPrefix("postgres://"), !text.hasPrefix("postgresql://"), let mark = text.firstRange(of: "://")
        else {
            return false
        }
        return !text[..<mark.lowerBound].contains("=")
    }

    /// libpq's message up to the first quotation of more than one character. A longer quotation is a part of the text
    /// and may be secret.
    private static func withoutQuotes(_ complaint: String) -> String {
        var rest = complaint.prefix { !$0.isNewline }
        var safe = ""
        while let quote = rest.firstIndex(of: "\"") {
            safe += rest[..<quote]
            let quoted = rest[quote...].prefix(3)
            guard quoted.count == 3, quoted.last == "\"" else { return safe + "…" }
            safe += quoted
            rest = rest[quoted.endIndex...]
        }
        return safe + rest
    }
}
