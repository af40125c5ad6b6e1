// Creates the span of a request as a child of the caller's span. Spans during the request become its children.
// Hummingbird's TracingMiddleware records paths and queries, which may contain secrets.
import HTTPTypes
import Tracing

struct RequestTracing: Sendable {
    let tracer: any Tracer
    let isSecure: Bool

    /// Starts the span of a request. The tracer reads the caller's span from the headers, such as `traceparent`.
    /// - Parameter route: The template of the matching route, if any.
    ///
    /// Attributes follow OpenTelemetry (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server)
    /// except `url.path`: ids in it may be secrets, and readers of traces could use them.
    func begin(_ request: Request, route: String?) -> RequestSpan {
        var caller = ServiceContext.topLevel
        tracer.extract(request.headers, into: &caller, using: HeaderCarrier())
        let method = Self.methods.contains(request.method) ? request.method.rawValue : nil
        let name = method ?? "HTTP"
        let span = tracer.startSpan(route.map { "\(name) \($0)" } ?? name, context: caller, ofKind: .server)
        if span.isRecording {
            span.updateAttributes { attributes in
                attributes["http.request.method"] = method ?? "_OTHER"
                attributes["url.scheme"] = isSecure ? "https" : "http"
                if let route { attributes["http.route"] = route }
            }
        }
        return RequestSpan(span: span, tracer: tracer)
    }

    /// The methods that span names may contain. A client could invent any number of others.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]
}

/// The started span of a request. A class, so that an untraced context stays small.
final class RequestSpan: Sendable {
    private let span: any Span
    private let tracer: any Tracer

    fileprivate init(span: any Span, tracer: any Tracer) { (self.span, self.tracer) = (span, tracer) }

    /// The context for the request's handling. Nil if the span is not recorded: its children are not recorded either,
    /// so most requests cost nothing more.
    var context: ServiceContext? { span.isRecording ? span.context : nil }

    /// The span as `traceparent`; nil if the tracer uses another format.
    var trace: TraceParent? {
        var headers = HTTPFields()
        tracer.inject(span.context, into: &headers, using: HeaderCarrier())
        return headers[.traceparent].flatMap { TraceParent($0) }
    }

    /// Ends the span when the response is ready. For a stream, the response is ready before its first event.
    func end(_ status: HTTPResponse.Status) {
        guard span.isRecording else { return span.end() }
        span.updateAttributes { attributes in
            attributes["http.response.status_code"] = status.code
            if status.code >= 500 { attributes["error.type"] = "\(status.code)" }
        }
        // Client errors are not errors of the server.
        if status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

/// Lets tracers read and write headers.
private struct HeaderCarrier: Extractor, Injector {
    func extract(key: String, from headers: HTTPFields) -> String? { HTTPField.Name(key).flatMap { headers[$0] } }

    func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
        if let name = HTTPField.Name(key) { headers[name] = value }
    }
}
