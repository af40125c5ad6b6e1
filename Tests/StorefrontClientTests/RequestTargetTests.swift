// The conversion of a picture's URL from the menu to a request target.
import Testing

@testable import StorefrontClient

@Suite struct RequestTargetTests {
    @Test(
        "A request target keeps escapes and the query, encodes invalid characters and omits the fragment",
        arguments: [
            ("/pictures/2001.svg", "/pictures/2001.svg"), ("/a%20b/caf%C3%A9.svg", "/a%20b/caf%C3%A9.svg"),
            ("/a.svg?v=2&w=50%25", "/a.svg?v=2&w=50%25"), ("/café.svg", "/caf%C3%A9.svg"), ("/a b", "/a%20b"),
            ("/100%.svg", "/100%25.svg"),
            ("/50%2", "/50%252"), ("/%zz", "/%25zz"), ("/a.svg#top", "/a.svg"), ("/a|b{c}`", "/a%7Cb%7Bc%7D%60"),
            ("//", "//"),
        ])
    func requestTarget(url: String, target: String) {
        #expect(url.normalizedRequestTarget == target)
    }
}
