// Tests how the pages' scripts are bundled, by the forms of their lines. Tests/Tools/Browser runs the bundles.
import Testing

@testable import Pages

@Suite("Script bundles") struct ScriptBundlerTests {
    private let modules = [
        "app.js":
            """
        // The first.\nimport {a, b as c} from './parts/a.js';\nimport './quiet.js';\n\n\
        const own = a(c);\nimport('./later.js');\n
        """,
        "parts/a.js":
            """
        import {d} from '../d.js';\nexport const a = (one) => one;\n\
        export async function b() { return import('./b.js'); }\nconst own = d;\n
        """,
        "d.js": "export class d {}\n",
        "quiet.js": "const text = await Promise.resolve('');\n",
        "later.js":
            """
        import {d as e, d} from './d.js';\nimport {f} from './f.js';\n\
        export const g = [d, e, f];\nimport('./sheet.js');\n
        """,
        "f.js": "import {s} from './s.js';\nexport const f = s;\n",
        "s.js": "export const s = 1;\n",
        "sheet.js":
            """
        import {g} from './later.js';\nimport {f} from './f.js';\nimport {a} from './parts/a.js';\n\
        export const k = [g, f, a];\n
        """,
        "parts/b.js": "import {a} from './a.js';\nimport {s} from '../s.js';\nexport const h = [a, s];\n",
        "other/app.js": "import {f} from '../f.js';\nimport {i} from './i.js';\nimport('../later.js');\n",
        "other/i.js": "export const i = 2;\n",
        "plain.js": "document.title = '';\n",
    ]

    private func sent(_ change: [String: String] = [:]) throws(ScriptBundler.BundlingError) -> [String: String] {
        try ScriptBundler.bundle(modules.merging(change) { $1 }, entries: ["app.js", "other/app.js"])
    }

    @Test("A page's bundle has every imported module once, after its own imports and in its own scope")
    func entryBundle() throws {
        #expect(
            try sent()["app.js"] == """
                // app.js bundled with other modules, each unchanged except for its comments.

                // s.js
                const $s = await (async () => {
                const s = 1;

                return {s};
                })();

                // d.js
                const $d = await (async () => {
                class d {}

                return {d};
                })();

                // parts/a.js
                const $a = await (async () => {
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
                const {a, b: c} = $a;

                const own = a(c);
                import('./later.js');

                return {};
                })();

                export {$s, $d, $a, $quiet, $app};

                """)
    }

    @Test("A lazy bundle has the modules that only it needs, and imports the others from earlier bundles")
    func lazyBundle() throws {
        let sent = try sent()
        #expect(
            sent["later.js"] == """
                // later.js bundled with other modules, each unchanged except for its comments.
                import {$d, $s} from './app.js';

                // f.js
                const $f = await (async () => {
                const {s} = $s;
                const f = s;

                return {f};
                })();

                // later.js
                const $later = await (async () => {
                const {d: e, d} = $d;
                const {f} = $f;
                const g = [d, e, f];
                import('./sheet.js');

                return {g};
                })();

                export {$f, $later};
                export const {g} = $later;

                """)
        #expect(
            sent["sheet.js"] == """
                // sheet.js bundled with other modules, each unchanged except for its comments.
                import {$a} from './app.js';
                import {$f, $later} from './later.js';

                // sheet.js
                const $sheet = await (async () => {
                const {g} = $later;
                const {f} = $f;
                const {a} = $a;
                const k = [g, f, a];

                return {k};
                })();

                export {$sheet};
                export const {k} = $sheet;

                """)
    }

    @Test(
        "Each module is in one bundle of a page: shared lazy modules in the first, unimported modules alone"
    )
    func eachModuleOnce() throws {
        let sent = try sent()
        #expect(Set(sent.keys) == ["app.js", "other/app.js", "later.js", "sheet.js", "parts/b.js", "plain.js"])
        for name in modules.keys where name != "plain.js" && !name.hasPrefix("other/") {
            let files = sent.filter { $0.key != "other/app.js" && $0.value.contains("\n// \(name)\nconst ") }
            #expect(files.count == 1, "\(name): \(files.keys)")
        }
        #expect(sent["parts/b.js"]?.contains("\nimport {$a, $s} from '../app.js';\n") == true)
        #expect(sent["plain.js"] == Self.head("plain.js") + "document.title = '';\n")
    }

    @Test("A lazy module that a bundled module imports is in the first bundle and keeps its own address")
    func sharedLazyModule() throws {
        let sent = try sent([
            "s.js": "import {n} from './parts/n.js';\nexport const s = n;\n", "parts/n.js": "export const n = 1;\n",
            "quiet.js": "import('./parts/n.js');\n",
        ])
        #expect(sent["app.js"]?.contains("\n// parts/n.js\nconst $n = ") == true)
        #expect(
            sent["parts/n.js"] == """
                // parts/n.js bundled with other modules, each unchanged except for its comments.
                import {$n} from '../app.js';
                export const {n} = $n;

                """)
    }

    private static func head(_ name: String) -> String { "// \(name) unchanged except for its comments.\n" }

    @Test("Comments are removed on one line or several, and text that only looks like a comment is kept")
    func comments() throws {
        let text =
            """
            // One.\n/** Two,\n * three\n *  and four. */\n\
            export const d = 'https://shop'; // five\n  /* six */\n  // seven\n
            """
        let sent = try sent(["d.js": text])["app.js"]
        #expect(
            sent?.contains("\nconst $d = await (async () => {\nconst d = 'https://shop'; // five\n\nreturn {d};\n")
                == true)
        let alone = try self.sent(["plain.js": text])["plain.js"]
        #expect(alone == Self.head("plain.js") + "export const d = 'https://shop'; // five\n")
    }

    @Test("The types of parameters and casts are removed")
    func types() throws {
        let text = "f((/** @type {{k: string}} */ k, /** @type {number[]} */ ...m) => /** @type {n} */ (k[m]));\n"
        #expect(try sent(["plain.js": text])["plain.js"] == Self.head("plain.js") + "f((k, ...m) => (k[m]));\n")
    }

    @Test("A bundle in a folder resolves lazy imports from that folder")
    func folder() throws { #expect(try sent()["other/app.js"]?.contains("import('../later.js');") == true) }

    @Test(
        "A module that cannot be bundled is rejected with its name and the reason",
        arguments: [
            (
                "d.js", "import {a} from './parts/a.js';\nexport class d {}\n", "it imports itself through d.js",
                "parts/a.js"
            ),
            ("d.js", "import {k} from './none.js';\n", "d.js imports it, but it does not exist", "none.js"),
            ("d.js", "export const {k} = {k: 1};\n", "cannot bundle this line: export const {k} = {k: 1};", "d.js"),
            ("d.js", "export default 1;\n", "cannot bundle this line: export default 1;", "d.js"),
            ("d.js", "export let k = 1;\n", "cannot bundle this line: export let k = 1;", "d.js"),
            ("d.js", "import * as k from './f.js';\n", "cannot bundle this line: import * as k from './f.js';", "d.js"),
            ("d.js", "import './other/app.js';\n", "two of its modules have the name app", "app.js"),
            ("d.js", "f(/** @type {k} */);\n", "cannot bundle this line: f(/** @type {k} */);", "d.js"),
            ("plain.js", "import {d} from './d.js';\n", "it imports other modules, but no page imports it", "plain.js"),
            ("later.js", "import('./none.js');\n", "later.js imports it, but it does not exist", "none.js"),
            (
                "d.js", "/** One. */ export const k = 1;\n", "cannot bundle this line: /** One. */ export const k = 1;",
                "d.js"
            ),
        ])
    func fault(name: String, text: String, reason: String, rejectedName: String) {
        #expect { try sent([name: text]) } throws: {
            $0 as? ScriptBundler.BundlingError == ScriptBundler.BundlingError(name: rejectedName, reason: reason)
        }
    }
}
