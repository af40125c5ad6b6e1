// Why bytes were not the JSON that was asked for. Thrown by JSONReader, answered by Web as 400 `malformed_body`.
// Read next: JSONReader.swift.

/// A request body that can't be read: where and why, as a sentence for the one who wrote the client.
package struct MalformedBody: Error, Hashable, Sendable {
    /// The field's path, names joined by `/`; empty for the body as a whole.
    package let path: String
    /// One sentence, e.g. `The field "phone" stands twice.`
    package let message: String
    /// The byte the reader stood at, from 0.
    package let offset: Int

    package init(_ message: String, path: String = "", offset: Int) {
        (self.message, self.path, self.offset) = (message, path, offset)
    }

    /// The same error seen from one object further out.
    func inside(_ field: String) -> MalformedBody {
        MalformedBody(message, path: path.isEmpty ? field : "\(field)/\(path)", offset: offset)
    }
}
