// A certificate authority of a test's own, and the certificates that it signs, by the openssl command. Used by the tests of TLS.
import Subprocess

/// An authority whose files lie in one directory, which has to be there and is cleared away by whoever made it.
package struct TestAuthority: Sendable {
    /// Its own certificate, a PEM file: what clients have to trust.
    package let certificate: String
    private let directory: String

    /// What a server shows, and how it proves that it is the one.
    package struct Pair: Sendable {
        /// A PEM file.
        package let certificate: String
        /// A PEM file, for its owner alone.
        package let key: String
    }

    /// Makes an authority in the directory.
    package static func make(in directory: String, name: String) async throws -> TestAuthority {
        try await run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj '/CN=\(name)' -keyout \(name).key -out \(name).pem
            """, in: directory)
        return TestAuthority(certificate: "\(directory)/\(name).pem", directory: directory)
    }

    /// A certificate of this host name; its files are called `name`.
    package func sign(_ host: String, name: String) async throws -> Pair {
        let authority = String(certificate.dropLast(4))
        try await Self.run(
            """
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=\(host)' -keyout \(name).key -out \(name).csr
            echo 'subjectAltName=DNS:\(host)' > \(name).ext
            openssl x509 -req -in \(name).csr -CA \(authority).pem -CAkey \(authority).key -CAcreateserial -days 2 -extfile \(name).ext -out \(name).pem
            """, in: directory)
        return Pair(certificate: "\(directory)/\(name).pem", key: "\(directory)/\(name).key")
    }

    /// openssl said no.
    package struct Failed: Error {
        /// What it printed.
        package let output: String
    }

    private static func run(_ script: String, in directory: String) async throws {
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-ec", script], workingDirectory: .init(directory), output: .string(limit: 1 << 16),
            error: .combinedWithOutput)
        guard result.terminationStatus.isSuccess else { throw Failed(output: result.standardOutput) }
    }
}
