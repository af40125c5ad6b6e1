// The error of JSONReader, which Web answers with 400 `malformed_body`.

/// A request body that can't be parsed: the position, and a sentence for the client's developer.
package struct MalformedBody: Error, Hashable, Sendable {
    /// The field's path, with names joined by `/`; empty for the whole body.
    package let path: String
    /// One sentence, such as `The field "phone" appears twice.`
    package let message: String
    /// The reader's position, a byte offset from 0.
    package let offset: Int

    package init(_ message: String, path: String = "", offset: Int) {
        (self.message, self.path, self.offset) = (message, path, offset)
    }

    /// The same error with the name of the enclosing field in front of its path.
    func prefixingPath(_ field: String) -> MalformedBody {
        MalformedBody(message, path: path.isEmpty ? field : "\(field)/\(path)", offset: offset)
    }
}
