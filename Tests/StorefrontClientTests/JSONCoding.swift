// A value written down and read again, as a storefront does with an attempt.

import Foundation

enum JSONCoding {
    static func copy<Value: Codable>(of value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    }
}
