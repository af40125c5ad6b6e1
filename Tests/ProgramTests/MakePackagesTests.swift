// The Debian packages that the Makefile's targets install, according to `make -n`.
// .ci/run shows that the lists are complete, because it starts on a machine without them.
import Foundation
import Subprocess
import Support
import Testing

@Suite("Packages that make installs")
struct MakePackagesTests {
    @Test("`make test` installs all packages of its steps before the first step")
    func once() async throws {
        let first = try #require(try await Self.lists(of: "test").first)
        #expect(first.isSuperset(of: ["libpq-dev", "chromium-headless-shell", "python3-venv"]))
        let steps = try await Subprocess.run(
            .path("/usr/bin/python3"), arguments: ["-B", "\(Repository.path)/Tests/Tools/Runner/steps.py", "--list"],
            output: .string(limit: 1 << 16))
        let targets = steps.standardOutput.split(separator: "\n").map(String.init)
        #expect(targets.count > 8)
        let lists = try await Self.lists(of: targets)
        #expect(lists.count >= 2)
        for list in lists {
            #expect(list.isSubset(of: first), "\(list.subtracting(first)) are installed too late")
        }
    }

    @Test(
        "A make target installs the package that it needs, alone and after another target",
        arguments: [
            (["test-browser"], "chromium-headless-shell"), (["screenshots"], "chromium-headless-shell"),
            (["chaos-short", "test-browser"], "chromium-headless-shell"), (["test-webkit"], "webkit2gtk-driver"),
            (["test-javascript"], "nodejs"), (["lint"], "node-typescript"),
            (["test-openapi"], "python3-venv"), (["test-compose"], "python3-venv"),
            (["run", "test-openapi"], "python3-venv"),
            (["chaos"], "python3-venv"), (["test-asan"], "openssl"), (["bench"], "nginx-light"),
            (["test", "bench"], "nginx-light"),
            (["build"], "libpq-dev"), (["test", "test-containers"], "debootstrap"),
        ])
    func alone(targets: [String], package: String) async throws {
        #expect(try await Self.lists(of: targets).contains { $0.contains(package) })
    }

    @Test("`make run` installs no browser")
    func light() async throws {
        let lists = try await Self.lists(of: "run")
        #expect(
            !lists.isEmpty && lists.allSatisfy { $0.contains("libpq-dev") && !$0.contains("chromium-headless-shell") })
    }

    /// The package lists in the steps of `make -n`, in their order.
    private static func lists(of targets: String...) async throws -> [Set<String>] { try await lists(of: targets) }
    private static func lists(of targets: [String]) async throws -> [Set<String>] {
        let result = try await Subprocess.run(
            .name("make"), arguments: Arguments(["-n", "-C", Repository.path] + targets),
            environment: .inherit.updating(["MAKEFLAGS": "", "MAKELEVEL": ""]),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 16))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput.components(separatedBy: "for package in ").dropFirst().compactMap { step in
            step.components(separatedBy: ";").first.map { Set($0.split(separator: " ").map(String.init)) }
        }
    }
}
