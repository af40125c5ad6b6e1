// PostgreSQL's error report, field by field, so that callers can match the SQLSTATE and the constraint.

/// An error that PostgreSQL reported (https://www.postgresql.org/docs/current/protocol-error-fields.html).
package struct ServerError: Error, Sendable, Hashable {
    /// The five-character error code (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    package let sqlState: String
    /// ERROR, FATAL or PANIC.
    package let severity: String
    /// The primary message. In class 22 (data exceptions) it may quote a value.
    package let message: String
    /// The detail message. It may quote the row's values, so `description` omits it.
    package let detail: String?
    package let hint: String?
    package let constraint: String?
    package let table: String?
    package let column: String?
    /// The position of the error in the SQL text, in characters from 1.
    package let position: Int?
    /// The function in PostgreSQL's source that reported the error.
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
