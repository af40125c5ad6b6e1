// The settings file of --config: JSON in which each dot of a key is a nested object.
// swift-configuration's own reader would ignore unknown keys, and would ignore a list for a setting with one value.
import Configuration
import Foundation

/// Reads `{"port": 8080, "database": {"url": "…"}}`, and rejects unknown keys by name.
enum SettingsFile {
    static func read(_ path: String) throws(CommandFailure) -> InMemoryProvider {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("the settings file \(path) can't be read: check its path and permissions")
        }
        guard data.count <= 1 << 20, let root = try? JSONDecoder().decode(JSON.self, from: data), case .object = root
        else {
            throw CommandFailure("the settings file \(path) is not a JSON object, such as {\"port\": 8080}")
        }
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in leaves(of: root, below: []) {
            let name = key.joined(separator: ".")
            guard let setting = Setting.all.first(where: { $0.key == name }) else {
                throw CommandFailure(
                    "the settings file \(path) has the unknown key \(name): `welms serve --help` lists all keys")
            }
            // Reading a list as a single value would silently give nothing.
            if case .stringArray = value, !setting.allowsMultipleValues {
                throw CommandFailure("\(name) in \(path) is a list: write one value, as for \(setting.flag)")
            }
            values[AbsoluteConfigKey(key)] = ConfigValue(value, isSecret: setting.isSecret)
        }
        return InMemoryProvider(name: "settings file", values: values)
    }

    private static func leaves(of json: JSON, below path: [String]) -> [([String], ConfigContent)] {
        switch json {
        // A name with dots is a shorter notation for nested objects.
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { name, value in
                leaves(
                    of: value,
                    below: path + name.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
            }
        case .list(let values): [(path, .stringArray(values))]
        case .text(let text): [(path, .string(text))]
        case .nothing: []
        }
    }

    /// Keeps numbers and Booleans as text, because each setting parses its own value.
    private indirect enum JSON: Decodable {
        case object([String: JSON])
        case list([String])
        case text(String)
        case nothing

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .nothing
            } else if let flag = try? value.decode(Bool.self) {
                self = .text("\(flag)")
            } else if let number = try? value.decode(Int64.self) {
                self = .text("\(number)")
            } else if let number = try? value.decode(Double.self) {
                self = .text("\(number)")
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([String].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: JSON].self))
            }
        }
    }
}
