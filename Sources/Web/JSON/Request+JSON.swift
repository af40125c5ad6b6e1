// Parses request bodies with Wire's strict JSON reader.
import HTTPServing
import Wire

extension Request {
    /// Parses the body as this type. Throws 413, 415 or 400.
    package func json<Value: JSONReadable>(_: Value.Type = Value.self) throws -> Value {
        try Value(json: jsonBytes())
    }

    /// Parses an optional body; returns nil without a body.
    func jsonIfPresent<Value: JSONReadable>(_: Value.Type = Value.self) throws -> Value? {
        try bodyBytes().isEmpty ? nil : json()
    }

    /// Requires an empty body, or an object without fields, for requests whose path contains all their values. Throws
    /// 413, 415 or 400.
    func expectNoFields() throws {
        guard try !bodyBytes().isEmpty else { return }
        _ = try NoFieldsBody(json: jsonBytes())
    }
}
