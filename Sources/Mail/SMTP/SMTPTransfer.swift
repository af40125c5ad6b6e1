// Sends mails with libcurl: one handle, whose connection serves several mails (https://curl.se/libcurl/c/). Blocks the
// thread of its SMTPClient.
import CCurl
import Glibc
import Synchronization

/// A libcurl handle for one SMTP server.
final class SMTPTransfer {
    /// The state of the conversation, as the callbacks saw it.
    fileprivate struct Conversation {
        /// The last command that was sent, such as RCPT.
        var command = ""
        /// The last line that the server sent since that command.
        var answer = ""
        /// Whether QUIT was sent. libcurl also sends QUIT after a rejection, whose reply must be kept.
        var isOver = false

        mutating func recordCommand(_ command: String) {
            if command == "QUIT" { isOver = true }
            // Ignores all other lines. They contain credentials, or the outcome does not depend on them.
            if ["EHLO", "HELO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA"].contains(command) {
                self = Self(command: command)
            }
        }
    }

    private let server: SMTPServer
    private let limits: SMTPLimits
    /// The deadline of a shutdown, after which every transfer is aborted.
    private let deadline: SMTPDeadline
    private let handle: UnsafeMutableRawPointer
    fileprivate var conversation = Conversation()

    /// Nil if libcurl can't allocate a handle.
    init?(_ server: SMTPServer, _ limits: SMTPLimits, deadline: SMTPDeadline) {
        guard Self.isLibraryInitialised, let handle = curl_easy_init() else { return nil }
        (self.server, self.limits, self.deadline, self.handle) = (server, limits, deadline, handle)
    }

    deinit { curl_easy_cleanup(handle) }

    /// Initialises libcurl once for the process, before any thread has a handle.
    private static let isLibraryInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends a mail. A failure on a connection that an earlier mail left open is retried once on a new connection.
    func send(_ message: MailMessage) -> SMTPOutcome {
        let first = attempt(message, isFresh: false)
        guard case .interrupted = first, !isNewConnection, !deadline.hasPassed else { return first }
        return attempt(message, isFresh: true)
    }

    /// Connects, logs in if there is a user, and sends NOOP. Returns nil on success, otherwise the reason.
    func probe() -> String? {
        prepare(isFresh: true)
        welms_curl_set_number(handle, CURLOPT_NOBODY, 1)
        welms_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, "NOOP")
        var error = ErrorText()
        let code = perform(&error)
        return code == CURLE_OK ? nil : failureText(code, error)
    }

    private func attempt(_ message: MailMessage, isFresh: Bool) -> SMTPOutcome {
        prepare(isFresh: isFresh)
        var (recipients, headers): (UnsafeMutablePointer<curl_slist>?, UnsafeMutablePointer<curl_slist>?) = (nil, nil)
        recipients = curl_slist_append(nil, "<\(message.recipient)>")
        for header in message.headers { headers = curl_slist_append(headers, header) ?? headers }
        defer {
            curl_slist_free_all(recipients)
            curl_slist_free_all(headers)
        }
        guard let mime = curl_mime_init(handle) else { return .unreachable("no memory") }
        defer { curl_mime_free(mime) }
        for (type, text) in [("text/plain", message.plain), ("text/html", message.html)] {
            let part = curl_mime_addpart(mime)
            curl_mime_type(part, "\(type); charset=utf-8")
            curl_mime_encoder(part, "quoted-printable")
            curl_mime_data(part, text, text.utf8.count)
        }
        welms_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(message.sender)>")
        welms_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
        welms_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
        welms_curl_set_mime(handle, mime)
        var error = ErrorText()
        return outcome(perform(&error), error)
    }

    private func prepare(isFresh: Bool) {
        conversation = Conversation()
        // Resets the options and keeps the connection.
        curl_easy_reset(handle)
        welms_curl_set_text(handle, CURLOPT_URL, server.url)
        welms_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // Ignores the proxy variables of the environment, which are meant for HTTP.
        welms_curl_set_text(handle, CURLOPT_PROXY, "")
        welms_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        welms_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect.milliseconds))
        welms_curl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(limits.total.milliseconds))
        welms_curl_set_number(handle, CURLOPT_MAXAGE_CONN, 5)
        welms_curl_set_number(handle, CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        let encryption =
            switch server.encryption {
            case .none: CURLUSESSL_NONE
            case .opportunistic: CURLUSESSL_TRY
            case .required: CURLUSESSL_ALL
            }
        welms_curl_set_number(handle, CURLOPT_USE_SSL, Int(encryption.rawValue))
        welms_curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 1)
        welms_curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 2)
        let context = Unmanaged.passUnretained(self).toOpaque()
        welms_curl_set_write(handle) { _, size, count, _ in size * count }
        welms_curl_set_number(handle, CURLOPT_VERBOSE, 1)
        welms_curl_set_pointer(handle, CURLOPT_DEBUGDATA, context)
        welms_curl_set_debug(handle, recordLine)
        welms_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)
        welms_curl_set_pointer(handle, CURLOPT_XFERINFODATA, Unmanaged.passUnretained(deadline).toOpaque())
        welms_curl_set_progress(handle, checkDeadline)
    }

    private func perform(_ error: inout ErrorText) -> CURLcode {
        error.bytes.withUnsafeMutableBytes { bytes in
            welms_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, bytes.baseAddress)
            defer { welms_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil) }
            return curl_easy_perform(handle)
        }
    }

    private func outcome(_ code: CURLcode, _ error: ErrorText) -> SMTPOutcome {
        if code == CURLE_OK { return .accepted }
        let answer = SMTPReply(line: conversation.answer)
        guard ["RCPT", "DATA"].contains(conversation.command) else {
            // The server rejected the user or the sender, so it would reject every mail.
            let isDenied = ["AUTH", "MAIL"].contains(conversation.command) && answer.map { $0.code >= 500 } ?? false
            return isDenied ? .accessDenied(failureText(code, error)) : .unreachable(failureText(code, error))
        }
        guard let answer else { return .interrupted(failureText(code, error)) }
        // Code 421: the server is shutting down.
        if answer.code == 421 { return .unreachable(failureText(code, error)) }
        if answer.concernsAccount { return .accountRejected(answer) }
        return answer.code < 500 ? .deferred(answer) : .rejected(answer)
    }

    /// The reason, for the log. It contains no reply to RCPT or DATA, because such a reply may contain the guest's
    /// address.
    private func failureText(_ code: CURLcode, _ error: ErrorText) -> String {
        let isAboutGuest = ["RCPT", "DATA"].contains(conversation.command)
        let answer =
            isAboutGuest || conversation.answer.prefix(3).compactMap(\.wholeNumberValue).count < 3
            ? "" : " (\(conversation.answer))"
        let text = error.text.isEmpty ? String(cString: curl_easy_strerror(code)) : error.text
        return "\(server): \(text)\(answer)"
    }

    private var isNewConnection: Bool {
        var count = 0
        return welms_curl_get_number(handle, CURLINFO_NUM_CONNECTS, &count) != CURLE_OK || count > 0
    }
}

private struct ErrorText {
    var bytes = [UInt8](repeating: 0, count: Int(CURL_ERROR_SIZE))
    var text: String { HeaderText.singleLine(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)) }
}

/// Records each line of the conversation except the mail itself. Lines of the login are not kept.
private func recordLine(
    _: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ data: UnsafeMutablePointer<CChar>?, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let data, let context, kind == CURLINFO_HEADER_IN || kind == CURLINFO_HEADER_OUT else { return 0 }
    let transfer = Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: data, count: min(count, 300)).prefix { $0 != 0x0D && $0 != 0x0A }
    let text = HeaderText.singleLine(String(decoding: line, as: UTF8.self))
    if kind == CURLINFO_HEADER_IN {
        if !transfer.conversation.isOver { transfer.conversation.answer = text }
    } else {
        transfer.conversation.recordCommand(text.prefix { $0 != " " }.uppercased())
    }
    return 0
}

/// Called about once a second during a transfer; a result of 1 aborts it.
private func checkDeadline(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<SMTPDeadline>.fromOpaque(context).takeUnretainedValue().hasPassed ? 1 : 0
}
