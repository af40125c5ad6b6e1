// Tests how the pages' style sheets are bundled, by the forms that an import may have.
import Testing

@testable import Pages

@Suite("Style sheet bundles") struct StyleBundlerTests {
    private let sheets = [
        "page.css": "/* One. */\n@import \"base.css\";\n@import \"parts/part.css\";\nb { color: red; }\n",
        "base.css": "a { color: blue; }\n",
        "parts/part.css": "@import \"../more.css\";\ni { content: '@import \"base.css\";'; }\n",
        "more.css": "u { color: green; }\n",
        "other/page.css": "@import \"../base.css\";\n",
    ]

    @Test("A style sheet replaces each import with the imported sheet, which is not sent on its own")
    func sent() throws {
        let sent = try StyleBundler.bundle(sheets)
        #expect(
            sent == [
                "page.css":
                    "/* One. */\na { color: blue; }\n\nu { color: green; }\n\n"
                    + "i { content: '@import \"base.css\";'; }\n\nb { color: red; }\n",
                "other/page.css": "a { color: blue; }\n\n",
            ])
    }

    @Test(
        "A style sheet that cannot be bundled is rejected with its name and the reason",
        arguments: [
            ("@import \"none.css\";\n", "none.css", "base.css imports it, but it does not exist"),
            ("@import \"base.css\";\n", "base.css", "it imports itself"),
            (
                "@import \"parts/part.css\";\n@import url(more.css);\n", "base.css",
                "cannot bundle this line: @import url(more.css);"
            ),
        ])
    func fault(text: String, rejectedName: String, reason: String) {
        #expect {
            try StyleBundler.bundle(
                sheets.filter { $0.key == "base.css" || $0.key.hasSuffix("t.css") || $0.key == "more.css" }.merging([
                    "base.css": text
                ]) {
                    $1
                })
        } throws: {
            $0 as? ScriptBundler.BundlingError == ScriptBundler.BundlingError(name: rejectedName, reason: reason)
        }
    }
}
