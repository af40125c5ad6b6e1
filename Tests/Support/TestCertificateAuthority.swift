// A certificate authority for one test, and the certificates that it signs with the openssl command.
import Subprocess

/// An authority whose files are in a directory that the caller creates and removes.
package struct TestCertificateAuthority: Sendable {
    /// The authority's own certificate, a PEM file that clients have to trust.
    package let certificate: String
    private let directory: String

    /// A server's certificate and its private key.
    package struct CertificatePair: Sendable {
        /// The path of the certificate, a PEM file.
        package let certificate: String
        /// The path of the private key, a PEM file that only its owner may read.
        package let key: String
    }

    /// Creates an authority in the directory.
    package static func make(in directory: String, name: String) async throws -> TestCertificateAuthority {
        try await run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -subj '/CN=\(name)' -keyout \(name).key -out \(name).pem
            """, in: directory)
        return TestCertificateAuthority(certificate: "\(directory)/\(name).pem", directory: directory)
    }

    /// Signs a certificate for this host; its files are called `name`.
    package func sign(_ host: String, name: String) async throws -> CertificatePair {
        let authority = String(certificate.dropLast(4))
        try await Self.run(
            """
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
                -subj '/CN=\(host)' -keyout \(name).key -out \(name).csr
            echo 'subjectAltName=DNS:\(host)' > \(name).ext
            openssl x509 -req -in \(name).csr -CA \(authority).pem -CAkey \(authority).key -CAcreateserial \
                -days 2 -extfile \(name).ext -out \(name).pem
            """, in: directory)
        return CertificatePair(certificate: "\(directory)/\(name).pem", key: "\(directory)/\(name).key")
    }

    /// The openssl command failed.
    package struct OpenSSLFailed: Error {
        /// The output of the command.
        package let output: String
    }

    private static func run(_ script: String, in directory: String) async throws {
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-ec", script], workingDirectory: .init(directory),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput)
        guard result.terminationStatus.isSuccess else { throw OpenSSLFailed(output: result.standardOutput) }
    }
}
