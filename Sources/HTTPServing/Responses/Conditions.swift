// Evaluates If-None-Match and If-Match against the current version.
import HTTPTypes

extension Request {
    /// Whether the client has this version, so that the response is 304. Weak comparison: `W/` makes no difference.
    package func hasCached(_ current: EntityTag) -> Bool {
        Self.matches(headers[values: .ifNoneMatch], current, takesWeak: true)
    }

    /// Whether If-Match permits a change of this version; true without the header. Strong comparison: a weak tag
    /// never matches.
    package func allowsChange(of current: EntityTag) -> Bool {
        !headers.contains(.ifMatch) || Self.matches(headers[values: .ifMatch], current, takesWeak: false)
    }

    /// Whether If-Match names a weak tag, which never matches.
    package var hasWeakIfMatch: Bool { headers[values: .ifMatch].contains { $0.contains("W/\"") } }

    static func matches(_ values: [String], _ tag: EntityTag, takesWeak: Bool) -> Bool {
        values.contains { EntityTagList.contains($0, tag.opaque, takesWeak: takesWeak) }
    }
}
