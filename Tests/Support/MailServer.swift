// A real SMTP server in a process of its own, and the mails that it took. Used by the tests of mail. Read next: Tests/Tools/Mail/smtp.py.
import Foundation
import Mail
import Shop
import Subprocess

/// A mail as it came, read by Python's email package.
package struct ReceivedMail: Decodable, Sendable {
    /// The envelope's.
    package let sender: String
    /// The envelope's.
    package let recipients: [String]
    /// The headers' names in their order.
    package let names: [String]
    /// Decoded.
    package let headers: [String: String]
    /// The types of all parts.
    package let types: [String]
    package let plain: String?
    package let html: String?
    /// Of all lines, in bytes.
    package let longest: Int
    package let isASCII: Bool
    /// What is wrong with it.
    package let defects: [String]
    /// As it was sent.
    package let rawSubject: String

    package var messageID: String { headers["Message-ID"] ?? "" }
    package var subject: String { headers["Subject"] ?? "" }
    package var to: String { recipients.first ?? "" }
    /// The state that it tells of, by its id.
    package var state: String { messageID.split(separator: "@").first?.split(separator: ".").last.map(String.init) ?? "" }
}

package struct MailServer: Sendable {
    package let port: Int
    private let file: String

    /// Runs one until `body` is done.
    package static func with<T: Sendable>(
        port: Int? = nil, at address: String = "127.0.0.1", _ body: @Sendable (MailServer) async throws -> T
    ) async throws -> T {
        let port = try port ?? Program.freePort()
        return try await TemporaryDirectory.with { directory in
            let file = "\(directory)/mails"
            let result = try await Subprocess.run(
                .path("/usr/bin/python3"), arguments: ["-B", "\(Repository.path)/Tests/Tools/Mail/smtp.py", "\(port)", file, address],
                input: .none, output: .sequence, error: .discarded
            ) { execution in
                defer { kill(execution.processIdentifier.value, SIGKILL) }
                for try await _ in execution.standardOutput.strings() { break }
                return try await body(MailServer(port: port, file: file))
            }
            return result.closureResult
        }
    }

    /// What has come, in its order.
    package func mails() throws -> [ReceivedMail] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        // The last line may be in the making.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.map { try JSONDecoder().decode(ReceivedMail.self, from: Data($0.utf8)) }
    }

    /// Waits for so many mails, and gives them.
    package func mails(atLeast count: Int) async throws -> [ReceivedMail] {
        try await eventually("\(count) mails came") { try mails().count >= count }
        return try mails()
    }
}

extension MailConfiguration {
    /// A shop that hands its mails in there, and waits for nothing.
    package static func impatient(port: Int, publicURL: String? = "https://shop.example") -> MailConfiguration? {
        guard let server = SMTPServer("smtp://127.0.0.1:\(port)"), let sender = MailSender("Welm's Delivery <orders@shop.example>") else {
            return nil
        }
        var mail = MailConfiguration(server: server, sender: sender, publicURL: publicURL)
        (mail.firstPause, mail.longestPause) = (.zero, .zero)
        (mail.firstAbsence, mail.longestAbsence) = (.milliseconds(10), .milliseconds(50))
        return mail
    }
}
