// When tests begin, for the list of the slowest tests. Swift Testing's event stream tells only when a test was queued.
import Foundation
import Synchronization
import Testing

/// Appends the first sign of work of each test to the file that `WELMS_TEST_STARTS` names: the test's id and the time.
///
/// A test begins when it asks for a database, runs the program, or chooses a seed.
package enum TestStart {
    private static let path = ProcessInfo.processInfo.environment["WELMS_TEST_STARTS"]
    private static let noted = Mutex<Set<String>>([])

    package static func note() {
        guard let path, let test = Test.current.map({ "\($0.id)" }) else { return }
        noted.withLock { noted in
            guard noted.insert(test).inserted, let file = fopen(path, "a") else { return }
            fputs("\(test)\t\(Date.now.timeIntervalSince1970)\n", file)
            fclose(file)
        }
    }
}
