// The pages' scripts in one file each, by the forms that their lines may have. What they do in a browser: Tests/Tools/Browser.
import Testing

@testable import Web

@Suite("The pages' scripts are joined") struct JoinedModulesTests {
    private let modules = [
        "app.js":
            "// The first.\nimport {a, b as c} from './parts/a.js';\nimport './quiet.js';\n\nconst own = a(c);\nimport('./later.js');\n",
        "parts/a.js":
            "import {d} from '../d.js';\nexport const a = (one) => one;\nexport async function b() { return import('./b.js'); }\nconst own = d;\n",
        "d.js": "export class d {}\n",
        "quiet.js": "const text = await Promise.resolve('');\n",
        "later.js": "import {d as e, d} from './d.js';\nimport {f} from './f.js';\nexport const g = [d, e, f];\n",
        "f.js": "export const f = 1;\n",
        "parts/b.js": "import {a} from './a.js';\nexport const h = a;\n",
        "other/app.js": "import {f} from '../f.js';\nimport {i} from './i.js';\nimport('../later.js');\n",
        "other/i.js": "export const i = 2;\n",
        "plain.js": "document.title = '';\n",
    ]

    private static func head(_ name: String) -> String { "// \(name) as it stands in the page's folder, but for its comments.\n" }

    private func sent(_ change: [String: String] = [:]) throws(JoinedModules.Fault) -> [String: String] {
        try JoinedModules.sent(modules.merging(change) { $1 }, entries: ["app.js", "other/app.js"])
    }

    @Test("A page's first module comes with all that it imports, each module once, behind what it imports and with names of its own")
    func first() throws {
        #expect(
            try sent()["app.js"] == """
                // app.js with the modules that it imports, each as it stands in the page's folder but for its comments.

                // d.js
                const $d = await (async () => {
                class d {}

                return {d};
                })();

                // parts/a.js
                const $parts_a = await (async () => {
                const {d} = $d;
                const a = (one) => one;
                async function b() { return import('./parts/b.js'); }
                const own = d;

                return {a, b};
                })();

                // quiet.js
                const $quiet = await (async () => {
                const text = await Promise.resolve('');

                return {};
                })();

                // app.js
                const $app = await (async () => {
                const {a, b: c} = $parts_a;

                const own = a(c);
                import('./later.js');

                return {};
                })();

                export {$d, $parts_a, $quiet, $app};

                """)
    }

    @Test("What is loaded later takes from the first what has come with it, and the rest from where it stands; nothing is sent in two ways")
    func later() throws {
        let sent = try sent()
        #expect(Set(sent.keys) == ["app.js", "other/app.js", "later.js", "f.js", "parts/b.js", "plain.js"])
        #expect(
            sent["later.js"]
                == Self.head("later.js")
                + "import {$d} from './app.js'; const {d: e, d} = $d;\nimport {f} from './f.js';\nexport const g = [d, e, f];\n")
        #expect(
            sent["parts/b.js"] == Self.head("parts/b.js")
                + "import {$parts_a} from '../app.js'; const {a} = $parts_a;\nexport const h = a;\n")
        for name in ["f.js", "plain.js"] { #expect(sent[name] == Self.head(name) + (modules[name] ?? "")) }
    }

    @Test("Comments stay in the page's folder, on however many lines they are; what only looks like one is sent")
    func comments() throws {
        let text = "// One.\n/** Two,\n * three\n *  and four. */\nexport const d = 'https://shop'; // five\n  /* six */\n  // seven\n"
        let sent = try sent(["d.js": text])["app.js"]
        #expect(sent?.contains("\nconst $d = await (async () => {\nconst d = 'https://shop'; // five\n\nreturn {d};\n") == true)
        let later = try self.sent(["f.js": text])["f.js"]
        #expect(later == Self.head("f.js") + "export const d = 'https://shop'; // five\n")
    }

    @Test("A later page names what it loads from its own folder")
    func folder() throws { #expect(try sent()["other/app.js"]?.contains("import('../later.js');") == true) }

    @Test(
        "What can't be joined is named",
        arguments: [
            ("d.js", "import {a} from './parts/a.js';\nexport class d {}\n", "it imports itself, by way of d.js", "parts/a.js"),
            ("d.js", "import {k} from './none.js';\n", "d.js imports it, and it is not there", "none.js"),
            ("d.js", "export const {k} = {k: 1};\n", "this can't be joined: export const {k} = {k: 1};", "d.js"),
            ("d.js", "export default 1;\n", "this can't be joined: export default 1;", "d.js"),
            ("d.js", "export let k = 1;\n", "this can't be joined: export let k = 1;", "d.js"),
            ("d.js", "import * as k from './f.js';\n", "this can't be joined: import * as k from './f.js';", "d.js"),
            ("d.js", "/** One. */ export const k = 1;\n", "this can't be joined: /** One. */ export const k = 1;", "d.js"),
        ])
    func fault(name: String, text: String, reason: String, told: String) {
        #expect { try sent([name: text]) } throws: { $0 as? JoinedModules.Fault == JoinedModules.Fault(name: told, reason: reason) }
    }
}
