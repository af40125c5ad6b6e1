// The allocator of the program, which the target CMalloc configures.
import Support
import Testing

@Suite("The allocator")
struct AllocatorTests {
    @Test("The program allocates with jemalloc, which reads the settings of the CMalloc target")
    func settings() async throws {
        // jemalloc prints each source of its settings when it starts.
        let outcome = try await Program.run(["--version"], environment: ["MALLOC_CONF": "confirm_conf:true"])
        #expect(outcome.status == 0)
        let settings = outcome.error.split(separator: "\n").first { $0.contains("global variable malloc_conf") }
        #expect(settings?.contains(#""narenas:2"#) == true, "\(outcome.error)")
    }
}
