// The fingerprint that tells whether two checkouts with the same idempotency key are equal.
import Ordering
import Testing
import Wire

@testable import Web

@Suite("The fingerprint of a checkout")
struct RequestFingerprintTests {
    @Test("Each field that is sent changes the fingerprint in its own way, except for the basket's id")
    func allFields() throws {
        var fingerprints: [[UInt8]: CheckoutField] = [RequestFingerprint.of(CheckoutBody()): .basketId]
        for field in CheckoutField.allCases {
            let fingerprint = RequestFingerprint.of(try Self.form(with: field))
            if field == .basketId {
                #expect(fingerprints[fingerprint] == .basketId)
            } else {
                let other = fingerprints.updateValue(field, forKey: fingerprint)
                #expect(other == nil, "\(field) and \(String(describing: other)) give the same fingerprint")
            }
        }
    }

    @Test("The form has the fields of the request in the same order, apart from the basket's id")
    func formFields() {
        let sent = CheckoutField.allCases.filter { $0 != .basketId }
        #expect(FormField.allCases.map(\.rawValue) == sent.map(\.rawValue))
    }

    /// A form with only this field, of the first JSON type that it accepts.
    private static func form(with field: CheckoutField) throws -> CheckoutBody {
        let values = [#""1""#, "1", "true", #"{"method":"1"}"#, #"[{"kind":"1","amount":1}]"#]
        let forms = values.compactMap { try? CheckoutBody(json: Array(#"{"\#(field.rawValue)":\#($0)}"#.utf8)) }
        return try #require(forms.first)
    }
}
