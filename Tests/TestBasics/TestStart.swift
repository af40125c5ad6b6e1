// The start times of tests, for the list of the slowest tests.
// Swift Testing's events only contain when a test was queued.
import Foundation
import Synchronization
import Testing

/// Records when each test begins its work: appends the test's id and the time to the file `WELMS_TEST_STARTS`.
///
/// A test begins when it requests a database, runs the program, or chooses a seed.
package enum TestStart {
    private static let path = ProcessInfo.processInfo.environment["WELMS_TEST_STARTS"]
    private static let recorded = Mutex<Set<String>>([])

    package static func record() {
        guard let path, let test = Test.current.map({ "\($0.id)" }) else { return }
        recorded.withLock { recorded in
            guard recorded.insert(test).inserted, let file = fopen(path, "a") else { return }
            fputs("\(test)\t\(Date.now.timeIntervalSince1970)\n", file)
            fclose(file)
        }
    }
}
