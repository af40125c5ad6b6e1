// Reads numbers, such as ids, from the path of a request.
import HTTPServing
import Ordering

extension RequestContext {
    /// The integer where the template has `{name}`. Nil if malformed, which routes treat like an unknown id.
    package func pathNumber(_ name: String) -> Int64? { Int64(canonicalDigits: path(name)) }
}
