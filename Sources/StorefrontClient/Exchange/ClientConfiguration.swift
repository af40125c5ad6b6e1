// What a storefront can decide about its client: how long to wait, how often to try, how much to keep. Every number has a good default.
// Read next: Exchange.swift, where the times and tries are used.
import Logging
import Tracing

/// The client's limits.
public struct ClientConfiguration: Sendable {
    /// How long a connection may take to come about.
    public var connectTimeout: Duration = .seconds(3)
    /// How long one attempt may take, from the first byte to the last.
    public var attemptTimeout: Duration = .seconds(10)
    /// How often something safe is tried at most.
    public var attempts = 5
    /// How long a call may take in all, with its attempts and the pauses between them.
    public var deadline: Duration = .seconds(30)
    /// The pauses between attempts.
    public var backoff = Backoff()
    /// How long the menu is waited for while there is an older one to show; it is asked for once then.
    public var menuPatience: Duration = .seconds(3)
    /// After how much silence a stream of events counts as cut. The server shows that it lives every 15 seconds.
    public var silence: Duration = .seconds(45)
    /// How long a stream of events tries to come back before it gives up.
    public var streamPatience: Duration = .seconds(300)
    /// How large an answer may be, bytes.
    public var answerLimit = 4 << 20
    /// How many answers of the menu are remembered, and how many others, so that what is unchanged need not be sent again.
    public var rememberedAnswers = 256
    /// How large the remembered answers of the menu may be together, bytes, and how large the others; the menu's file too.
    public var rememberedBytes = 8 << 20
    /// What the guest reads, as `Accept-Language` has it, such as `de-CH, de;q=0.9, en;q=0.5`; nil: the shop's own language.
    public var languages: String?
    /// Where the last good menu is kept, so that it can be shown while the server is away; nil keeps it in memory only.
    public var menuFile: String?
    /// What waits; another clock makes tests fast.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Records a span for each attempt, below the task's current one, and passes it on to the server, which goes on with the trace.
    public var tracer: any Tracer = InstrumentationSystem.tracer
    /// Hears of attempts that failed, and of a menu file that can't be written.
    public var logger = Logger(label: "storefront-client") { _ in SwiftLogNoOpLogHandler() }

    /// The defaults.
    public init() {}
}
