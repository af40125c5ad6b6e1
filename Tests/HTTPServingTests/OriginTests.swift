// Tests which origins a server accepts in its settings.
import HTTPServing
import Testing

@Suite("Origins")
struct OriginTests {
    @Test("An inexact origin is rejected at start with an example of an exact one")
    func mistakes() throws {
        for wrong in [
            "*", "null", "app.example", "https://app.example/", "https://*.example", "https://App.example",
            "https://app.example:443",
            "", "https://", "ftp://a",
        ] {
            #expect(throws: CrossOrigin.InvalidOrigin.self, "\(wrong)") { try CrossOrigin.parse([wrong]).get() }
        }
        for right in [
            "https://app.example", "http://localhost:3000", "http://[::1]:81",
            "https://xn--bcher-kva.example",
        ] {
            #expect(throws: Never.self, "\(right)") { try CrossOrigin.parse([right]).get() }
        }
        let none = try CrossOrigin.parse([]).get()
        #expect(none == nil)
    }
}
