// The span of a request, below the one that its caller says it belongs to. Asked by Responder, where the server was given a tracer.
// What happens for the request meanwhile records itself below it. Read next: Sources/Shop/Queue/BatchTimes.swift.
import HTTPTypes
import Tracing

struct RequestTracing: Sendable {
    let tracer: any Tracer
    let isSecure: Bool

    /// Begins the span of a request to the route with this template, if there is one. The tracer takes over from the headers what it understands; a tracer of W3C's kind takes `traceparent`.
    ///
    /// Named and described as OpenTelemetry says (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server), but for `url.path`: with
    /// the ids of baskets and orders in it, whoever reads traces could open them.
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

    /// What a client may ask for; it could make up others without end.
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
}

/// A request's span that has begun. A class, so that a context without one is not larger for it.
final class RequestSpan: Sendable {
    private let span: any Span
    private let tracer: any Tracer

    fileprivate init(span: any Span, tracer: any Tracer) { (self.span, self.tracer) = (span, tracer) }

    /// What has to be current while the request is answered; nil where the span is not recorded: then nothing below it is either, and most requests
    /// pay for no more than the question.
    var context: ServiceContext? { span.isRecording ? span.context : nil }

    /// The span as others are told of it; nil with a tracer that speaks another language.
    var trace: TraceParent? {
        var headers = HTTPFields()
        tracer.inject(span.context, into: &headers, using: HeaderCarrier())
        return headers[.traceparent].flatMap { TraceParent($0) }
    }

    /// Ends it where the answer is made; that of a stream where its head is.
    func end(_ status: HTTPResponse.Status) {
        guard span.isRecording else { return span.end() }
        span.updateAttributes { attributes in
            attributes["http.response.status_code"] = status.code
            if status.code >= 500 { attributes["error.type"] = "\(status.code)" }
        }
        // What the client did wrong is no error of the server's.
        if status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

/// Headers, as tracers read and write them.
private struct HeaderCarrier: Extractor, Injector {
    func extract(key: String, from headers: HTTPFields) -> String? { HTTPField.Name(key).flatMap { headers[$0] } }

    func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
        if let name = HTTPField.Name(key) { headers[name] = value }
    }
}
