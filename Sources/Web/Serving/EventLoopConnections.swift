// Lets each connection's task run on the thread that has its socket. On the global executor every request and every answer changes
// threads, which costs more than most answers do. Put around Hummingbird's HTTP/1 connections by Application.swift.

import HummingbirdCore
import Logging
import NIOCore

/// Connections of this kind, each handled on its event loop.
struct EventLoopConnections<Connections: ServerChildChannel>: ServerChildChannel {
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connections.Value> {
        connections.setup(channel: channel, logger: logger)
    }

    func handle(value: Connections.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop: value.channel.eventLoop)) {
            await connections.handle(value: value, logger: logger)
        }
    }
}

/// Runs the steps of tasks on an event loop. Nothing on it may block: it has other connections too.
private final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
