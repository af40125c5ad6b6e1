// Adds the bodies of the HTTP API to problems: field errors, and members that only some codes use.
import HTTPServing
import Wire

extension Problem {
    static func validationFailed(_ errors: [FieldErrorBody]) -> Problem {
        var problem = Problem(
            .unprocessableContent, "validation_failed", "Something is missing or wrong. Please check your entries.",
            hint: "See errors for each field.")
        problem.errors = errors.map { RejectedField($0) }
        return problem
    }

    static func missingField(_ name: String, _ message: String) -> Problem {
        .validationFailed([FieldErrorBody(field: name, code: "required", message: message, params: [:])])
    }

    /// Adds a member to the body.
    mutating func add(_ name: StaticString, _ value: some JSONWritable) {
        members.append(Member(name, json: value.json))
    }
}

extension RejectedField {
    init(_ body: FieldErrorBody) {
        self.init(body.field, code: body.code, message: body.message, parameters: body.params.json)
    }
}

extension MalformedBody: ProblemConvertible {
    /// 400 `malformed_body`, with the field and the byte.
    package var problem: Problem {
        .invalidRequest(
            .badRequest, "malformed_body", hint: "\(path)\(path.isEmpty ? "" : ": ")\(message) (byte \(offset))")
    }
}
