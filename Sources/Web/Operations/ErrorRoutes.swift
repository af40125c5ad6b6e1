// The error channel over HTTP: current faults, and faults and recoveries as events.
import ErrorChannel
import HTTPServing
import HTTPTypes
import Ordering
import Wire

/// `GET /v1/errors` and `GET /v1/errors/events`.
struct ErrorRoutes: Routes {
    let broadcast: ErrorBroadcast
    let heartbeat: Duration

    func add(to routes: inout RouteTable) {
        routes.get("/v1/errors", "The system's condition and its latest faults and recoveries") { request, _ in
            let (condition, events) = broadcast.snapshot
            return .conditional(
                request, ErrorsBody(condition: condition.rawValue, events: events.map(ErrorEventBody.init)),
                compresses: true)
        }
        routes.get("/v1/errors/events", "Faults and recoveries as they happen, as server-sent events", isStream: true) {
            request, context in
            // An id that this process did not create belongs to an earlier process: send the whole ring buffer.
            let after = request.headers[.lastEventID].map { EventID($0) ?? EventID(epoch: "", number: 1) }
            guard let subscription = broadcast.subscribe(after: after) else { throw Problem.overloaded(retryAfter: 5) }
            return .eventStream(subscription.map(ServerSentEvent.init), context, heartbeat: heartbeat) {
                subscription.cancel()
            }
        }
    }
}

extension ErrorEventBody {
    /// The event without its log-only fields.
    init(_ event: ErrorEvent) {
        self.init(
            id: "\(event.id)", at: Instant(microseconds: event.publishedAt).rfc3339, kind: event.kind.rawValue,
            code: event.fault.code,
            message: event.fault.message, subject: event.fault.subject, link: event.fault.link)
    }
}

extension ServerSentEvent {
    /// `fault` and `recovery` carry the event; `missed` carries the number of lost events.
    init(_ delivery: Delivery) {
        switch delivery {
        case .event(let event): self.init(id: "\(event.id)", event: event.kind.rawValue, ErrorEventBody(event))
        case .missed(let count): self.init(event: "missed", MissedEventsBody(missed: count))
        }
    }
}
