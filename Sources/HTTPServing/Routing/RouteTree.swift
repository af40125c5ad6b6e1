// The route table as a tree of path segments: one dictionary lookup per segment, however many routes exist.
// Hummingbird's router has no 405, and turns errors into responses before this server sees them.
import HTTPTypes

/// A node of the tree.
struct RouteTree: Sendable {
    enum Match {
        case route(Route, PathValues)
        /// The path exists, with these methods.
        case wrongMethod(allow: String)
        case unknownPath

        var route: Route? {
            guard case .route(let route, _) = self else { return nil }
            return route
        }
    }

    private var literals: [Substring: RouteTree] = [:]
    /// At most one child, for a segment that the template names in braces. Literals have precedence.
    private var parameterChild: [RouteTree] = []
    private var routes: [(route: Route, names: [String])] = []
    private var allow = ""
    /// The table's response to unknown paths.
    private(set) var fallback: (@Sendable (Request) -> Response?)?

    init(_ table: RouteTable) {
        fallback = table.fallback
        for route in table.routes {
            insert(route, route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(), [])
        }
    }

    private init() {}

    private mutating func insert(_ route: Route, _ segments: ArraySlice<Substring>, _ names: [String]) {
        guard let segment = segments.first else {
            routes.append((route, names))
            allow = routes.flatMap { $0.route.method == .get ? ["GET", "HEAD"] : [$0.route.method.rawValue] }.joined(
                separator: ", ")
            return
        }
        if segment.first == "{", segment.last == "}" {
            if parameterChild.isEmpty { parameterChild.append(RouteTree()) }
            parameterChild[0].insert(route, segments.dropFirst(), names + [String(segment.dropFirst().dropLast())])
        } else {
            literals[segment, default: RouteTree()].insert(route, segments.dropFirst(), names)
        }
    }

    /// Finds the route for a path without its query. A trailing slash makes a different path.
    func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
        // More segments than any template has, but bounded: a path of ten thousand slashes must not cost ten thousand
        // substrings. Splits bytes, because splitting characters would take as long as all other steps.
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 12, omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard segments.first == "", let (node, values) = find(segments.dropFirst()) else { return .unknownPath }
        let wanted = method == .head ? .get : method
        guard let (route, names) = node.routes.first(where: { $0.route.method == wanted }) else {
            return .wrongMethod(allow: node.allow)
        }
        var pathValues = PathValues()
        for (name, value) in zip(names, values) { pathValues.append(name, value) }
        return .route(route, pathValues)
    }

    /// Descends the tree and backtracks from literals that do not match. The templates bound its depth.
    private func find(_ segments: ArraySlice<Substring>) -> (RouteTree, [Substring])? {
        guard let segment = segments.first else { return routes.isEmpty ? nil : (self, []) }
        let rest = segments.dropFirst()
        if let found = literals[segment]?.find(rest) { return found }
        guard !segment.isEmpty, let (node, values) = parameterChild.first?.find(rest) else { return nil }
        return (node, [segment] + values)
    }
}
