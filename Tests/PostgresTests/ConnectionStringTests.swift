// What is said of a connection string that libpq does not understand: what is wrong, and nothing of what stands in it.

import Postgres
import Testing

@Suite("Connection strings")
struct ConnectionStringTests {
    @Test(
        "say what is wrong with them and quote nothing",
        arguments: [
            ("postgres://ann:secret@[::1/shop", "end of string reached when looking for matching \"]\" in IPv6 host address in URI: …"),
            ("postgres://ann:se%zzcret@host/shop", "invalid percent-encoded token: …"), ("host=a secret", "missing \"=\" after …"),
            ("postgres://host/shop?secret=1", "invalid URI query parameter: …"), ("secret=1", "invalid connection option …"),
            ("mysql://ann:secret@host/shop", "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"),
            (
                "jdbc:postgresql://host/shop?password=secret",
                "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"
            ),
            ("Postgres://ann:secret@host/shop", "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"),
            (" postgres://ann:secret@host/shop", "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"),
            ("secret://", "it is a URL, and not of PostgreSQL: those begin with postgres:// or postgresql://"),
            ("host='secret", "unterminated quoted string in connection info string"),
        ])
    func faults(text: String, words: String) throws {
        let fault = try #require(ConnectionString.fault(in: text))
        #expect(fault == words)
    }

    @Test(
        "are understood as libpq understands them",
        arguments: ["shop", "", "host=a dbname=shop", "host=a password=a://b", "postgres://a,b/shop?target_session_attrs=any"])
    func right(text: String) {
        #expect(ConnectionString.fault(in: text) == nil)
    }
}
