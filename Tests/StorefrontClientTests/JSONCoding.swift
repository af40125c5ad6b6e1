// Encodes and decodes a value, as a storefront does with a stored attempt.

import Foundation

enum JSONCoding {
    static func copy<Value: Codable>(of value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    }
}
