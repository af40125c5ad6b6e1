// The test vectors of the standards that Digests implements.
import Digests
import Testing

@Suite("SHA-256 and its HMAC")
struct SHA256DigestTests {
    @Test(
        "SHA-256 matches the vectors of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func vectors(message: String, digits: String) {
        #expect(SHA256Digest(of: Array(message.utf8)).hexadecimal() == digits)
    }

    @Test(
        "HMAC-SHA256 matches the vectors of RFC 4231, and RFC 2104 for an empty secret and message",
        arguments: [
            ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], [UInt8], String)])
    func authentication(secret: [UInt8], message: [UInt8], digits: String) {
        #expect(SHA256Digest(authenticating: message, with: HMACKey(secret)).hexadecimal() == digits)
    }

    @Test("A digest equals its own bytes, but no other and no shorter bytes")
    func equality() {
        let digest = SHA256Digest(of: [1, 2, 3])
        #expect(digest == SHA256Digest(of: [1, 2, 3]) && digest != SHA256Digest(of: [1, 2, 4]))
        #expect(
            digest.isEqual(to: digest.bytes) && !digest.isEqual(to: Array(digest.bytes.dropLast()))
                && !digest.isEqual(to: []))
    }
}
