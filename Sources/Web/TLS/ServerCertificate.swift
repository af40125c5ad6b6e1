// The certificate and key with which the server speaks https, read once at the start. Called by the program; used by HTTPConnections.
// Not read again while the server runs: after a renewal, restart it.
import Foundation
import NIOSSL

/// A certificate that a server can show, with its chain and its key.
package struct ServerCertificate: Sendable {
    let context: NIOSSLContext
    /// The seconds since 1970 from which and until which clients accept the server's own certificate.
    package let validity: ClosedRange<Int>

    /// Why there is none: one line that says what to do.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads both files: PEM, the server's own certificate before those that vouch for it, and a key without a passphrase.
    package static func read(certificate: String, key: String) throws(Unusable) -> ServerCertificate {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(bytes(of: certificate, "certificate"))
        } catch let unusable as Unusable {
            throw unusable
        } catch {
            throw Unusable(
                description:
                    "the TLS certificate file \(certificate) holds no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----")
        }
        let privateKey: NIOSSLPrivateKey
        do {
            // Asked for a passphrase, BoringSSL would ask the terminal.
            privateKey = try NIOSSLPrivateKey(bytes: bytes(of: key, "key"), format: .pem) { $0([]) }
        } catch let unusable as Unusable {
            throw unusable
        } catch {
            throw Unusable(description: "the TLS key file \(key) holds no private key in PEM, or one with a passphrase: give one without")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            let (from, until) = (chain.first.map { Int($0.notValidBefore) } ?? 0, chain.first.map { Int($0.notValidAfter) } ?? 0)
            return ServerCertificate(context: try NIOSSLContext(configuration: configuration), validity: min(from, until)...until)
        } catch {
            throw Unusable(
                description:
                    "the TLS key in \(key) is not that of the first certificate in \(certificate): give the two that belong together")
        }
    }

    private static func bytes(of path: String, _ what: String) throws(Unusable) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Unusable(description: "the TLS \(what) file \(path) can't be read: check the path and its permissions")
        }
        return Array(data)
    }
}
