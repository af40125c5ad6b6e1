// Maps a mail that is due to due_mail (sql/018_order_mails.sql).
import FoundationEssentials
import Ordering
import Postgres

/// A mail as the statement that stores mails receives it.
struct DueMailRecord: PostgresComposite, Equatable {
    static let compositeName = "due_mail"

    var orderID = UUID.zero
    var state = ""
    var at = Timestamp(microseconds: 0)

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("order_id", &orderID)
        try record.field("state", &state)
        try record.field("at", &at)
    }
}

extension DueMailRecord {
    init(_ mail: DueOrderMail) {
        self.init(orderID: mail.orderID.uuid, state: mail.state.rawValue, at: mail.enteredAt.timestamp)
    }
}
