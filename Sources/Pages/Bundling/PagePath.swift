// Resolves the relative paths by which page files reference each other.

enum PagePath {
    /// `../parts/api.js` in `menu/homeScreen.js` is `parts/api.js`.
    static func resolve(_ path: Substring, in file: String) -> String {
        var folders = file.split(separator: "/").dropLast()
        for part in path.split(separator: "/") {
            if part == ".." { _ = folders.popLast() } else if part != "." { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    /// The path of a file, relative to another file.
    static func relative(_ name: String, from file: String) -> String {
        let up = file.split(separator: "/").count - 1
        return (up == 0 ? "./" : String(repeating: "../", count: up)) + name
    }
}
