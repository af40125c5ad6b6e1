// The part of JSON Schema (2020-12) that the OpenAPI document uses. Lists the violations of a value by their paths.

import Foundation
import Wire

/// A JSON value.
enum JSON: Decodable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }

    subscript(_ key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    var members: [String: JSON] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The value as text for a path, a header or a body. A string has quotes only inside another value.
    var plainText: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text
        case .array(let elements): "[" + elements.map(\.quoted).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(JSON.string($0).quoted):\($1.quoted)" }.joined(separator: ",") + "}"
        }
    }

    private var quoted: String {
        guard case .string(let text) = self else { return plainText }
        return String(decoding: text.json, as: UTF8.self)
    }

    /// The value that a JSON pointer such as `#/components/schemas/Basket` refers to.
    func resolved(_ pointer: String) -> JSON? {
        pointer.split(separator: "/").dropFirst().reduce(JSON?.some(self)) { value, name in value?[String(name)] }
    }
}

/// Validates values against the schemas of one document.
struct JSONSchema {
    /// The supported keywords. Any other keyword is reported, because it would not be checked.
    private static let supportedKeywords: Set<String> = [
        "$ref", "type", "const", "enum", "allOf", "anyOf", "oneOf", "properties", "required", "additionalProperties",
        "items", "minimum",
        "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "description",
        "default",
        "examples",
        "discriminator",
    ]

    /// The only format of times in responses.
    private static let time = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"

    let document: JSON

    /// All violations of the schema; empty for a valid value.
    func violations(of value: JSON, against schema: JSON, at path: String = "") -> [String] {
        var found: [String] = schema.members.keys.filter { !Self.supportedKeywords.contains($0) }.map {
            "\(path): unknown keyword \($0)"
        }
        if let pointer = schema["$ref"]?.text {
            guard let target = document.resolved(pointer) else { return ["\(path): \(pointer) does not exist"] }
            found += violations(of: value, against: target, at: path)
        }
        if let type = schema["type"] {
            let names = type.text.map { [$0] } ?? type.elements.compactMap(\.text)
            if !names.contains(value.typeName) { found.append("\(path): \(value.typeName) instead of \(names)") }
        }
        if let constant = schema["const"], constant != value {
            found.append("\(path): \(value) instead of \(constant)")
        }
        if let values = schema["enum"], !values.elements.contains(value) {
            found.append("\(path): \(value) is not one of \(values.elements)")
        }
        for part in schema["allOf"]?.elements ?? [] { found += violations(of: value, against: part, at: path) }
        for keyword in ["anyOf", "oneOf"] {
            guard let choices = schema[keyword]?.elements else { continue }
            let matches = choices.count { violations(of: value, against: $0, at: path).isEmpty }
            if matches == 0 || keyword == "oneOf" && matches > 1 {
                found.append("\(path): matches \(matches) schemas of \(keyword)")
            }
        }
        switch value {
        case .object(let members): found += violations(of: members, against: schema, at: path)
        case .array(let elements):
            if case .integer(let minimum)? = schema["minItems"], elements.count < minimum {
                found.append("\(path): too few")
            }
            if case .integer(let limit)? = schema["maxItems"], elements.count > limit {
                found.append("\(path): too many")
            }
            for (index, element) in elements.enumerated() {
                if let items = schema["items"] {
                    found += violations(of: element, against: items, at: "\(path)/\(index)")
                }
            }
        case .integer(let number):
            if case .integer(let minimum)? = schema["minimum"], number < minimum {
                found.append("\(path): below \(minimum)")
            }
            if case .integer(let maximum)? = schema["maximum"], number > maximum {
                found.append("\(path): above \(maximum)")
            }
            if case .integer(let factor)? = schema["multipleOf"], number % factor != 0 {
                found.append("\(path): not a multiple of \(factor)")
            }
        case .string(let text):
            if case .integer(let limit)? = schema["maxLength"], text.unicodeScalars.count > limit {
                found.append("\(path): too long")
            }
            if let pattern = schema["pattern"]?.text, text.range(of: pattern, options: .regularExpression) == nil {
                found.append("\(path): \(text) does not match \(pattern)")
            }
            if schema["format"]?.text == "date-time", text.range(of: Self.time, options: .regularExpression) == nil {
                found.append("\(path): \(text) is not a UTC time with milliseconds")
            }
        case .null, .boolean, .number: break
        }
        return found
    }

    private func violations(of members: [String: JSON], against schema: JSON, at path: String) -> [String] {
        var found = (schema["required"]?.elements ?? []).compactMap(\.text).filter { members[$0] == nil }.map {
            "\(path)/\($0): missing"
        }
        let properties = schema["properties"]?.members ?? [:]
        for (name, value) in members {
            if let property = properties[name] {
                found += violations(of: value, against: property, at: "\(path)/\(name)")
            } else if schema["additionalProperties"] == .boolean(false) {
                found.append("\(path)/\(name): not described")
            } else if let others = schema["additionalProperties"] {
                found += violations(of: value, against: others, at: "\(path)/\(name)")
            }
        }
        return found
    }
}
