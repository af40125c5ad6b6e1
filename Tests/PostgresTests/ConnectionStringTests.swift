// The messages about malformed connection strings, which must not quote the string.

import Postgres
import Testing

private let otherURL = "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"

@Suite("Connection strings")
struct ConnectionStringTests {
    @Test(
        "A malformed connection string yields its error without a quotation",
        arguments: [
            (
                "postgres://ann:secret@[::1/shop",
                "end of string reached when looking for matching \"]\" in IPv6 host address in URI: …"
            ),
            ("postgres://ann:se%zzcret@host/shop", "invalid percent-encoded token: …"),
            ("host=a secret", "missing \"=\" after …"),
            ("postgres://host/shop?secret=1", "invalid URI query parameter: …"),
            ("secret=1", "invalid connection option …"),
            ("mysql://ann:secret@host/shop", otherURL),
            ("jdbc:postgresql://host/shop?password=secret", otherURL),
            ("Postgres://ann:secret@host/shop", otherURL),
            (" postgres://ann:secret@host/shop", otherURL),
            ("secret://", otherURL),
            ("host='secret", "unterminated quoted string in connection info string"),
        ])
    func faults(text: String, message: String) throws {
        let fault = try #require(ConnectionString.problem(in: text))
        #expect(fault == message)
    }

    @Test(
        "A connection string that libpq accepts yields no error",
        arguments: [
            "shop", "", "host=a dbname=shop", "host=a password=a://b", "postgres://a,b/shop?target_session_attrs=any",
        ])
    func validStrings(text: String) {
        #expect(ConnectionString.problem(in: text) == nil)
    }
}
