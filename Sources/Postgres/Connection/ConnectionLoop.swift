// The event loop of an open connection: takes waiting statements as a burst, sends it, polls, and reads results.
// Pipeline interprets the results.
import CLibPQ
import Logging

/// Executes the statements of a mailbox on an open connection.
final class ConnectionLoop {
    /// How the loop ended.
    enum Ending {
        /// It was closed, and every statement has been answered.
        case closed
        /// The connection failed: the statements in flight and the accepted but unsent ones, each in order.
        case failed(ConnectionFailure, inFlight: [QueuedStatement], unsent: [QueuedStatement])
    }

    /// The maximum number of bursts in flight: the server executes one while the next is transmitted. A third one would
    /// only wait in the server, where the pool cannot give it to another connection.
    private static let burstLimit = 2
    /// The maximum number of statements in a burst.
    private static let burstSize = 256
    /// The interval of the timeout checks. A connection that receives nothing for this long counts as unresponsive: its
    /// statement takes long or waits for a lock. New statements should go to another connection.
    private static let pollInterval = Duration.milliseconds(100)

    /// The kind of the statements sent since the last Sync.
    private enum Group {
        case none
        /// Reads; another read may follow in the same group.
        case shared
        /// One write, or one read that an earlier failure aborted. A Sync must follow.
        case single
    }

    private let session: Session
    private let mailbox: StatementQueue
    /// How long the server may stay silent while statements are in flight.
    private let inactivityTimeout: Duration?
    private let onNotification: ((PostgresNotification) -> Void)?
    /// Called repeatedly while the connection is unresponsive, with copies of the reads behind the blocking statement.
    /// Returns whether other connections have taken them.
    private let onUnresponsive: (([QueuedStatement]) -> Bool)?
    /// The reads whose copies were given to other connections.
    private var copiedReads: Set<ObjectIdentifier> = []
    private var pipeline: Pipeline
    private var statements = StatementCache()
    private let types = CompositeTypes()
    /// Whether the first unsent statement waits for a lookup of composite types.
    private var isWaitingForTypes = false
    /// The statements that the loop has taken from the mailbox but not sent.
    private var unsent: [QueuedStatement] = []
    /// The time of the last input, or of the first statement after an idle time.
    private var lastActivity = ContinuousClock.now
    /// The time of the last check for overdue statements.
    private var lastTimeoutCheck = ContinuousClock.now

    /// A loop for a session. Without a `silenceLimit`, statements may take any time.
    init(
        _ session: Session, _ mailbox: StatementQueue, inactivityTimeout: Duration?,
        onNotification: ((PostgresNotification) -> Void)? = nil,
        onUnresponsive: (([QueuedStatement]) -> Bool)? = nil
    ) {
        (self.session, self.mailbox, self.inactivityTimeout) = (session, mailbox, inactivityTimeout)
        (self.onNotification, self.onUnresponsive) = (onNotification, onUnresponsive)
        pipeline = Pipeline(types: types)
    }

    /// Runs until the mailbox is closed or the connection fails. Blocks the thread. Closes the mailbox when it returns.
    func run() -> Ending {
        mailbox.setRunsJobs(true)
        defer { mailbox.setRunsJobs(false) }
        do {
            try session.enterPipelineMode()
            while try step() {}
            return .closed
        } catch {
            let waiting = mailbox.close()
            let inFlight = pipeline.removeAll()
            return .failed(error, inFlight: inFlight, unsent: pipeline.retries + unsent + waiting)
        }
    }

    /// Runs one iteration. Returns false when the mailbox is closed and every statement has been answered.
    private func step() throws(ConnectionFailure) -> Bool {
        var phase = try sendWaiting()
        // Runs the jobs of resumed tasks, so that their statements are sent before the thread sleeps.
        while case let jobs = mailbox.takeJobs(), !jobs.isEmpty {
            for job in jobs { job.runSynchronously(on: mailbox.asUnownedTaskExecutor()) }
            phase = try sendWaiting()
        }
        if phase == .abandoned { throw ConnectionFailure(reason: "the client is shutting down") }
        let isIdle = pipeline.isEmpty && pipeline.suspended.isEmpty && unsent.isEmpty
        if phase == .draining && isIdle { return false }
        let isFlushed = try session.flush()
        // If the socket accepts no more data, PQflush also reads from it. poll(2) does not report that input, so its
        // results are handled before the wait.
        if try takeResults() || types.needsLookup && pipeline.isEmpty { return true }
        let (hasInput, wasWoken) = session.wait(
            toWrite: !isFlushed, orFor: mailbox.wakeup.descriptor, atMost: isIdle ? nil : Self.pollInterval)
        mailbox.markAwake()
        if wasWoken { mailbox.wakeup.clear() }
        // poll(2) does not report data that OpenSSL has buffered. Over TLS every iteration therefore reads, at the
        // latest after a poll interval.
        if hasInput || session.isSecure && !isIdle { try session.consume() }
        try takeResults()
        if !isIdle { try checkTimeouts(hasInput: hasInput) }
        return true
    }

    // MARK: - Sending

    /// Sends bursts until two are in flight, no statement waits, or a script or a lookup of composite types must wait
    /// for an empty pipeline. Returns the phase of the mailbox.
    private func sendWaiting() throws(ConnectionFailure) -> StatementQueue.Phase {
        while pipeline.burstCount < Self.burstLimit {
            if types.needsLookup {
                guard pipeline.isEmpty else { return mailbox.phase }
                try lookUpTypes()
                failExpired(at: .now)
            }
            if !pipeline.retries.isEmpty {
                unsent.insert(contentsOf: pipeline.retries, at: 0)
                pipeline.retries.removeAll(keepingCapacity: true)
            }
            let phase = mailbox.take(max(0, Self.burstSize - unsent.count), into: &unsent)
            if unsent.isEmpty { return phase }
            if pipeline.isEmpty { lastActivity = .now }
            try sendBurst()
            if types.needsLookup { continue }
            guard case .script(let text)? = unsent.first?.operation.text else { continue }
            guard pipeline.isEmpty else { return phase }
            try run(script: text, unsent.removeFirst())
        }
        return mailbox.phase
    }

    /// Sends all statements up to the next script or unknown composite type. Adjacent reads share a Sync.
    private func sendBurst() throws(ConnectionFailure) {
        var count = 0
        defer {
            unsent.removeFirst(count)
            subtractFinishedFromLoad()
        }
        var group = Group.none
        for request in unsent {
            guard case .statement(let statement, let declared, let effect) = request.operation.text else { break }
            let parameters: Parameters
            let typeRequests = types.requestCount
            do { parameters = try declared.encoded(with: types) } catch {
                isWaitingForTypes = types.requestCount != typeRequests && request.mayLookUpTypes(types)
                if isWaitingForTypes { break }
                request.failUnlessCopy(.invalidParameter(error.reason))
                count += 1
                pipeline.finishedCount += 1
                continue
            }
            guard request.operation.begin() else {
                count += 1
                pipeline.finishedCount += 1
                continue
            }
            let next = effect == .reads && !request.wasAborted ? Group.shared : .single
            let (prepared, name, isNew) = statements.preparedStatement(for: statement, parameters)
            if group == .single || group == .shared && (next == .single || isNew) {
                try sync(endsBurst: false)
                group = .none
            }
            if isNew { try prepare(prepared, name, statement, parameters) }
            do {
                try session.execute(name, parameters)
                pipeline.expectRows(of: request, statement: prepared)
                group = next
            } catch {
                // On a broken connection this statement stays in `unsent`, and the pool sends it on another one.
                if session.isBroken { throw ConnectionFailure(reason: error.reason) }
                request.operation.fail(.invalidParameter(error.reason))
                pipeline.finishedCount += 1
            }
            count += 1
        }
        if group != .none { try sync(endsBurst: true) }
    }

    /// Prepares a statement in its own transaction, so that the failure of another statement cannot abort the
    /// preparation.
    private func prepare(
        _ prepared: StatementCache.Prepared, _ name: String, _ statement: Statement, _ parameters: Parameters
    ) throws(ConnectionFailure) {
        do { try session.prepare(name, statement.sql, parameters) } catch {
            throw ConnectionFailure(reason: error.reason)
        }
        pipeline.expectPreparation(of: prepared)
        try sync(endsBurst: false)
    }

    private func sync(endsBurst: Bool) throws(ConnectionFailure) {
        pipeline.expectSync(endsBurst: endsBurst)
        try session.sync()
    }

    // MARK: - Receiving

    /// Handles the results that libpq has read. Returns whether a statement was finished.
    @discardableResult
    private func takeResults() throws(ConnectionFailure) -> Bool {
        // libpq returns nil once between two commands. Twice means that it has no more results.
        var consecutiveNils = 0
        while !pipeline.isEmpty, consecutiveNils < 2, PQisBusy(session.connection) == 0 {
            let result = PQgetResult(session.connection).map(ResultHandle.init)
            consecutiveNils = result == nil ? consecutiveNils + 1 : 0
            try pipeline.receive(result, &statements)
        }
        deliverNotifications()
        return subtractFinishedFromLoad()
    }

    private func deliverNotifications() {
        while let notification = session.nextNotification() { onNotification?(notification) }
    }

    @discardableResult
    private func subtractFinishedFromLoad() -> Bool {
        guard pipeline.finishedCount > 0 else { return false }
        mailbox.load.subtract(pipeline.finishedCount, ordering: .relaxed)
        pipeline.finishedCount = 0
        return true
    }

    private func checkTimeouts(hasInput: Bool) throws(ConnectionFailure) {
        let now = ContinuousClock.now
        let wasUnresponsive = mailbox.isUnresponsive.load(ordering: .relaxed)
        let isUnresponsive = !hasInput && now - lastActivity >= Self.pollInterval
        if isUnresponsive != wasUnresponsive { mailbox.isUnresponsive.store(isUnresponsive, ordering: .relaxed) }
        if hasInput {
            lastActivity = now
        } else if let inactivityTimeout, now - lastActivity > inactivityTimeout {
            throw ConnectionFailure(reason: "the server sent nothing for \(inactivityTimeout)", timedOut: true)
        }
        failExpired(at: now)
        // Checked even while input arrives: the last of many short statements can wait too long.
        if isUnresponsive || now - lastTimeoutCheck >= Self.pollInterval {
            lastTimeoutCheck = now
            pipeline.failOverdue(at: now)
        }
        guard isUnresponsive else {
            copiedReads = []
            return
        }
        let copies = pipeline.copiesOfBlockedReads(excluding: copiedReads)
        // Another connection can take the statements that wait for a lookup: they have not been sent.
        let waiting = isWaitingForTypes ? unsent : []
        guard onUnresponsive?(copies + waiting) ?? false else { return }
        copiedReads.formUnion(copies.map { ObjectIdentifier($0.operation) })
        guard !waiting.isEmpty else { return }
        isWaitingForTypes = false
        unsent.removeAll()
        mailbox.load.subtract(waiting.count, ordering: .relaxed)
    }

    /// Fails the expired statements of the mailbox, and those that wait for a lookup or a script.
    private func failExpired(at now: ContinuousClock.Instant) {
        for request in mailbox.removeExpired(at: now) {
            request.failUnlessCopy(.unavailable("all connections are busy"))
        }
        let expired = unsent.filter { $0.sendDeadline <= now }
        guard !expired.isEmpty else { return }
        // The first remaining statement requests its types again.
        isWaitingForTypes = false
        unsent.removeAll { $0.sendDeadline <= now }
        mailbox.load.subtract(expired.count, ordering: .relaxed)
        for request in expired { request.failUnlessCopy(.unavailable("all connections are busy")) }
    }

    // MARK: - Composite types

    /// Looks up the composite types outside the pipeline, which must be empty, and continues the operations that wait
    /// for them.
    private func lookUpTypes() throws(ConnectionFailure) {
        // An operation for which a lookup did not help has failed. It does not cause another one.
        guard isWaitingForTypes || !pipeline.suspended.isEmpty else { return types.clearRequests() }
        let knownCount = types.knownCount
        try session.leavePipelineMode()
        let outcome = try types.lookUp(session, until: inactivityTimeout.map { ContinuousClock.now + $0 })
        try session.enterPipelineMode()
        lastActivity = .now
        if isWaitingForTypes {
            isWaitingForTypes = false
            unsent[0].typeCountBeforeLookup = knownCount
            if case .rejected(let error) = outcome {
                unsent.removeFirst().failUnlessCopy(error.asPostgresError)
                pipeline.finishedCount += 1
            }
        }
        types.clearRequests()
        for suspended in pipeline.takeSuspended() { resume(suspended, after: outcome, knownCount) }
        subtractFinishedFromLoad()
        deliverNotifications()
    }

    /// - Parameter knownCount: How many types were known before the lookup.
    private func resume(
        _ suspended: Pipeline.Suspended, after outcome: CompositeTypes.LookupOutcome, _ knownCount: Int
    ) {
        var request = suspended.request
        request.typeCountBeforeLookup = knownCount
        switch (suspended.cause, outcome) {
        case (.undecoded(let handle), _):
            let requests = types.requestCount
            withExtendedLifetime(handle) { request.operation.read(handle.result, types) }
            if types.requestCount != requests && request.mayLookUpTypes(types) {
                return pipeline.suspend(request, .undecoded(handle))
            }
            request.operation.finish()
            pipeline.finishedCount += 1
        case (.rejected, .completed(isChanged: true)):
            // The statement was rolled back, so even a write is safe to retry.
            pipeline.retries.append(request)
        case (.rejected(let error), _):
            request.operation.fail(error.asPostgresError)
            pipeline.finishedCount += 1
        }
    }

    // MARK: - Scripts

    /// Runs a script of several statements outside the pipeline, which must be empty.
    private func run(script: String, _ request: QueuedStatement) throws(ConnectionFailure) {
        defer {
            pipeline.finishedCount += 1
            subtractFinishedFromLoad()
        }
        guard request.operation.begin() else { return }
        guard !script.utf8.contains(0) else {
            return request.operation.fail(.invalidParameter("the script contains a NUL"))
        }
        var firstError: ServerError?
        do throws(ConnectionFailure) {
            try session.leavePipelineMode()
            guard PQsendQuery(session.connection, script) == 1 else { throw ConnectionFailure(reason: session.message) }
            let deadline = inactivityTimeout.map { ContinuousClock.now + $0 }
            try session.runOutsidePipeline(until: deadline) { result throws(ConnectionFailure) in
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                    request.operation.read(result, types)
                case PGRES_COPY_IN:
                    PQputCopyEnd(session.connection, "a script has no data for COPY FROM STDIN")
                case PGRES_FATAL_ERROR:
                    guard let error = ServerError(result) else { throw ConnectionFailure(reason: session.message) }
                    if error.endsConnection { throw ConnectionFailure(reason: error.description) }
                    firstError = firstError ?? error
                case let status:
                    throw ConnectionFailure(reason: "unexpected \(String(cString: PQresStatus(status)))")
                }
            }
            statements.isInTransaction = PQtransactionStatus(session.connection) != PQTRANS_IDLE
            try session.enterPipelineMode()
        } catch {
            request.operation.fail(error.asPostgresError(mayHaveCommitted: true))
            throw error
        }
        if let firstError {
            request.operation.fail(firstError.asPostgresError)
        } else {
            request.operation.finish()
        }
        deliverNotifications()
    }
}

extension ConnectionFailure {
    /// The error of an operation that was in flight when the connection failed.
    func asPostgresError(mayHaveCommitted: Bool) -> PostgresError {
        timedOut
            ? .timedOut(mayHaveCommitted: mayHaveCommitted)
            : .connectionLost(InterruptedStatement(mayHaveCommitted: mayHaveCommitted, reason: reason))
    }
}
