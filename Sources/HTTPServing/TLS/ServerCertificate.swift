// Loads the TLS certificate and key once at the start. Restart the server after a renewal.
import Foundation
import NIOSSL

/// A certificate with its chain and private key.
package struct ServerCertificate: Sendable {
    let context: NIOSSLContext
    /// The validity of the server's certificate, in seconds since 1970.
    package let validity: ClosedRange<Int>

    /// Why the certificate cannot be used: one line that says what to do.
    package struct InvalidCertificate: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads both files as PEM: the server's certificate before its issuers, and a key without a passphrase.
    package static func read(certificate: String, key: String) throws(InvalidCertificate) -> ServerCertificate {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(bytes(of: certificate, "certificate"))
        } catch let unusable as InvalidCertificate {
            throw unusable
        } catch {
            throw InvalidCertificate(
                description: """
                    the TLS certificate file \(certificate) contains no PEM certificate: \
                    give a file that begins with -----BEGIN CERTIFICATE-----
                    """)
        }
        let privateKey: NIOSSLPrivateKey
        do {
            // Returns no passphrase, because BoringSSL would otherwise prompt on the terminal.
            privateKey = try NIOSSLPrivateKey(bytes: bytes(of: key, "key"), format: .pem) { $0([]) }
        } catch let unusable as InvalidCertificate {
            throw unusable
        } catch {
            throw InvalidCertificate(
                description: """
                    the TLS key file \(key) contains no PEM private key, or one with a passphrase: \
                    give a key without a passphrase
                    """)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            let (from, until) = (
                chain.first.map { Int($0.notValidBefore) } ?? 0, chain.first.map { Int($0.notValidAfter) } ?? 0
            )
            return ServerCertificate(
                context: try NIOSSLContext(configuration: configuration), validity: min(from, until)...until)
        } catch {
            throw InvalidCertificate(
                description: """
                    the TLS key in \(key) does not match the first certificate in \(certificate): \
                    give the key of that certificate
                    """)
        }
    }

    private static func bytes(of path: String, _ what: String) throws(InvalidCertificate) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw InvalidCertificate(
                description: "the TLS \(what) file \(path) can't be read: check the path and its permissions")
        }
        return Array(data)
    }
}
