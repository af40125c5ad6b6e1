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
                    "a { color: blue; }\n\nu { color: green; }\n\n"
                    + "i { content: '@import \"base.css\";'; }\n\nb { color: red; }\n",
                "other/page.css": "a { color: blue; }\n\n",
            ])
    }

    @Test(
        "A bundle has no comments, and their characters within strings and addresses stay",
        arguments: [
            // Whole lines, of one and of several lines, and at both ends of the sheet.
            ("/* One. */\na { top: 0; }\n", "a { top: 0; }\n"),
            ("a {\n  /* One,\n     two. */\n  top: 0;\n}\n/* End. */", "a {\n  top: 0;\n}\n"),
            ("/* @import\n@import \"none.css\";\n*/\na { top: 0; }\n", "a { top: 0; }\n"),
            // Parts of a line.
            ("a { top: 0; } /* One. */\n", "a { top: 0; } \n"),
            ("/* One. */ a { top: /* Two. */ 0; }\n", " a { top:  0; }\n"),
            ("/***/a/**/.b/* * / */i { top: 0; }\n", "a/**/.b/**/i { top: 0; }\n"),
            // Strings, with escaped characters and an apostrophe within quotes.
            ("a { content: \"/* \\\" */\"; } /* One. */\n", "a { content: \"/* \\\" */\"; } \n"),
            ("a { content: '/*\"'; } /* It's. */\nb { top: 0; }\n", "a { content: '/*\"'; } \nb { top: 0; }\n"),
            ("a\\\"b { top: /* \" */ 0; }\n", "a\\\"b { top:  0; }\n"),
            // Addresses with and without quotes, and a function whose name only ends with url.
            ("a { src: url(b/*c*/d.png); } /* One. */\n", "a { src: url(b/*c*/d.png); } \n"),
            ("a { src: URL( b/*.png ); }\nb { top: 0; } /* */\n", "a { src: URL( b/*.png ); }\nb { top: 0; } \n"),
            ("a { src: url(\"b/*.png\"); } /* One. */\n", "a { src: url(\"b/*.png\"); } \n"),
            ("a { b: my-url( /* One. */ c); }\n", "a { b: my-url(  c); }\n"),
            // An invalid string ends with its line.
            ("a { content: 'b;\n} /* It's one. */\n", "a { content: 'b;\n} \n"),
        ])
    func comments(sheet: String, sent: String) throws {
        #expect(try StyleBundler.bundle(["page.css": sheet]) == ["page.css": sent])
    }

    @Test(
        "A style sheet that cannot be bundled is rejected with its name and the reason",
        arguments: [
            ("@import \"none.css\";\n", "none.css", "base.css imports it, but it does not exist"),
            ("@import \"base.css\";\n", "base.css", "it imports itself"),
            (
                "@import \"parts/part.css\";\n@import url(more.css);\n", "base.css",
                "cannot bundle this line: @import url(more.css);"
            ), ("a { top: 0; } /* No end. *\n", "base.css", "/* has no matching */"),
            ("a { top: 0; } /*/\n", "base.css", "/* has no matching */"),
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
