// The pages' styles in one file each, by the forms that an import may have. What they look like in a browser: Tests/Tools/Browser.
import Testing

@testable import Web

@Suite("The pages' styles are joined") struct JoinedStylesTests {
    private let sheets = [
        "page.css": "/* One. */\n@import \"base.css\";\n@import \"parts/part.css\";\nb { color: red; }\n",
        "base.css": "a { color: blue; }\n",
        "parts/part.css": "@import \"../more.css\";\ni { content: '@import \"base.css\";'; }\n",
        "more.css": "u { color: green; }\n",
        "other/page.css": "@import \"../base.css\";\n",
    ]

    @Test("A sheet comes with those that it imports, each where its line stands; those are sent in no other way")
    func sent() throws {
        let sent = try JoinedStyles.sent(sheets)
        #expect(
            sent == [
                "page.css":
                    "/* One. */\na { color: blue; }\n\nu { color: green; }\n\ni { content: '@import \"base.css\";'; }\n\nb { color: red; }\n",
                "other/page.css": "a { color: blue; }\n\n",
            ])
    }

    @Test(
        "What can't be joined is named",
        arguments: [
            ("@import \"none.css\";\n", "none.css", "base.css imports it, and it is not there"),
            ("@import \"base.css\";\n", "base.css", "it imports itself"),
            ("@import \"parts/part.css\";\n@import url(more.css);\n", "base.css", "this can't be joined: @import url(more.css);"),
        ])
    func fault(text: String, told: String, reason: String) {
        #expect {
            try JoinedStyles.sent(
                sheets.filter { $0.key == "base.css" || $0.key.hasSuffix("t.css") || $0.key == "more.css" }.merging(["base.css": text]) {
                    $1
                })
        } throws: { $0 as? JoinedModules.Fault == JoinedModules.Fault(name: told, reason: reason) }
    }
}
