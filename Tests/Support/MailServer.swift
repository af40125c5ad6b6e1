// A real SMTP server in a process of its own (Tests/Tools/Mail/smtp.py), and the mails that it received.
import Foundation
import Mail
import Shop
import Subprocess

/// A received mail, parsed by Python's email package.
package struct ReceivedMail: Decodable, Sendable {
    /// The sender in the envelope.
    package let sender: String
    /// The recipients in the envelope.
    package let recipients: [String]
    /// The names of the headers, in their order.
    package let names: [String]
    /// The decoded headers.
    package let headers: [String: String]
    /// The media types of all parts.
    package let types: [String]
    package let plain: String?
    package let html: String?
    /// The length of the longest line, in bytes.
    package let longest: Int
    package let isASCII: Bool
    /// The defects that the parser found.
    package let defects: [String]
    /// The subject as it was sent, before decoding.
    package let rawSubject: String

    package var messageID: String { headers["Message-ID"] ?? "" }
    package var subject: String { headers["Subject"] ?? "" }
    package var to: String { recipients.first ?? "" }
    /// The order state that the mail announces, from the message id.
    package var state: String {
        messageID.split(separator: "@").first?.split(separator: ".").last.map(String.init) ?? ""
    }
}

package struct MailServer: Sendable {
    package let port: Int
    private let file: String

    /// Runs a mail server until `body` returns.
    package static func with<T: Sendable>(
        port: Int? = nil, at address: String = "127.0.0.1", _ body: @Sendable (MailServer) async throws -> T
    ) async throws -> T {
        let port = try port ?? Program.freePort()
        return try await TemporaryDirectory.with { directory in
            let file = "\(directory)/mails"
            let result = try await Subprocess.run(
                .path("/usr/bin/python3"),
                arguments: ["-B", "\(Repository.path)/Tests/Tools/Mail/smtp.py", "\(port)", file, address],
                input: .none, output: .sequence, error: .discarded
            ) { execution in
                defer { kill(execution.processIdentifier.value, SIGKILL) }
                for try await _ in execution.standardOutput.strings() { break }
                return try await body(MailServer(port: port, file: file))
            }
            return result.closureResult
        }
    }

    /// Returns the mails received so far, in their order.
    package func mails() throws -> [ReceivedMail] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        // The last line may be incomplete.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.map { try JSONDecoder().decode(ReceivedMail.self, from: Data($0.utf8)) }
    }

    /// Waits until at least this many mails have arrived, and returns all of them.
    package func mails(atLeast count: Int) async throws -> [ReceivedMail] {
        try await eventually("\(count) mails came") { try mails().count >= count }
        return try mails()
    }
}

extension MailConfiguration {
    /// A configuration that sends mails to this port, without pauses between attempts.
    package static func withoutDelays(port: Int, publicURL: String? = "https://shop.example") -> MailConfiguration? {
        guard let server = SMTPServer("smtp://127.0.0.1:\(port)"),
            let sender = MailSender("Welm's Delivery <orders@shop.example>")
        else {
            return nil
        }
        var mail = MailConfiguration(server: server, sender: sender, publicURL: publicURL)
        (mail.firstRetryDelay, mail.longestRetryDelay) = (.zero, .zero)
        (mail.firstReconnectDelay, mail.longestReconnectDelay) = (.milliseconds(10), .milliseconds(50))
        return mail
    }
}
