// A picture's address as staff write it becomes the target of a request. Tests Sources/StorefrontClient/Exchange/Outgoing.swift.
import Testing

@testable import StorefrontClient

@Suite struct PictureAddressTests {
    @Test(
        "What is encoded is not encoded again, a query goes along, what can't stand in an address is encoded, and a fragment is for nobody",
        arguments: [
            ("/pictures/2001.svg", "/pictures/2001.svg"), ("/a%20b/caf%C3%A9.svg", "/a%20b/caf%C3%A9.svg"),
            ("/a.svg?v=2&w=50%25", "/a.svg?v=2&w=50%25"), ("/café.svg", "/caf%C3%A9.svg"), ("/a b", "/a%20b"), ("/100%.svg", "/100%25.svg"),
            ("/50%2", "/50%252"), ("/%zz", "/%25zz"), ("/a.svg#top", "/a.svg"), ("/a|b{c}`", "/a%7Cb%7Bc%7D%60"), ("//", "//"),
        ])
    func address(written: String, target: String) {
        #expect(written.asWritten == target)
    }
}
