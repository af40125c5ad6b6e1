// PostgreSQL's own error report, field by field, so that a caller can tell by SQLSTATE and constraint what it means to the guest.
// Carried by PostgresError.server.

/// An error as PostgreSQL reports it (https://www.postgresql.org/docs/current/protocol-error-fields.html).
package struct ServerError: Error, Sendable, Hashable {
    /// Five characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    package let sqlState: String
    /// ERROR, FATAL or PANIC.
    package let severity: String
    /// The primary message. In class 22 (data exceptions) it may quote a value.
    package let message: String
    /// More about it; may quote values of the row, so it stays out of `description`.
    package let detail: String?
    package let hint: String?
    package let constraint: String?
    package let table: String?
    package let column: String?
    /// Where in the SQL text, counted in characters from 1.
    package let position: Int?
    /// The function in PostgreSQL's source that reported it.
    let sourceFunction: String?
}

extension ServerError: CustomStringConvertible {
    /// One line for the log, without the fields that may quote values.
    package var description: String {
        var text = "\(severity) \(sqlState)"
        if !sqlState.hasPrefix("22") { text += ": \(message)" }
        if let constraint { text += " (constraint \(constraint))" }
        if let hint { text += " (hint: \(hint))" }
        return text
    }
}
