// Reports faults in the scripts of the pages: type errors, shadowed names, floating promises, unused names and unused
// exports. First checks that the types of the API are current. Uses the TypeScript compiler of Debian's
// node-typescript; other builds of Node.js than Debian's find it with NODE_PATH=/usr/share/nodejs. `tsconfig.json` has
// its options. Prints each finding, or with --summary only their number by kind. Fails if there is any.

import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const require = createRequire(import.meta.url);
/** @type {typeof import('typescript')} */
const ts = require('typescript');

const folder = path.dirname(fileURLToPath(import.meta.url));
execFileSync(process.execPath, [path.join(folder, 'apiTypes.mjs'), '--check'], {stdio: 'inherit'});

/** Modules that a page or a browser loads by their address: nothing imports them. */
const entries = new Set(['app.js', 'staff/app.js', 'early.js', 'worker.js']);
/** The compiler's diagnostics about unused names. */
const unusedCodes = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205]);

const {config, error} = ts.readConfigFile(path.join(folder, 'tsconfig.json'), ts.sys.readFile);
if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
const {fileNames, options} = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();
const sources = program.getSourceFiles().filter(({fileName}) => fileNames.includes(fileName));
const root = sharedFolder(fileNames);

/** The findings: {kind, file, line, text}. */
const findings = [];

function report(kind, source, position, text) {
  const {line, character} = source.getLineAndCharacterOfPosition(position);
  const file = path.relative(process.cwd(), source.fileName);
  findings.push({kind, file, line: line + 1, column: character + 1, text});
}

/** The folder of the module `app.js` that is nearest to the root. */
function sharedFolder(names) {
  const apps = names.filter((name) => path.basename(name) === 'app.js').sort((one, other) => one.length - other.length);
  return path.dirname(apps[0]);
}

function visit(node, action) {
  action(node);
  ts.forEachChild(node, (child) => visit(child, action));
}

/** Reports the compiler's errors; those about unused names are a kind of their own. */
function reportDiagnostics(source) {
  for (const diagnostic of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').split('\n')[0];
    const kind = unusedCodes.has(diagnostic.code) ? 'unused name' : 'type error';
    report(kind, source, diagnostic.start ?? 0, `TS${diagnostic.code}: ${text}`);
  }
}

const isDeclaration = (node) => ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)
  || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isImportSpecifier(node);

/** Reports a name that hides a name of an outer scope in the same file. Names of the browser do not count. */
function reportShadowing(source) {
  visit(source, (node) => {
    if (!isDeclaration(node) || !node.name || !ts.isIdentifier(node.name)) return;
    const own = checker.getSymbolAtLocation(node.name);
    let scope = node.parent;
    while (scope && !scope.locals?.has(node.name.escapedText)) scope = scope.parent;
    if (!own || !scope?.parent) return;
    // A function without a body, such as a callback type, has no names of its own.
    const outer = checker.resolveName(node.name.text, scope.parent, ts.SymbolFlags.Value, /* excludeGlobals */ true);
    const place = outer?.declarations?.[0];
    if (!place || outer === own || place.getSourceFile() !== source || place === node) return;
    const {line} = source.getLineAndCharacterOfPosition(place.getStart());
    report('shadowing', source, node.name.getStart(), `${node.name.text} is declared in line ${line + 1} too`);
  });
}

/** Whether a value of this type has a method `then`. */
function isPromise(type) {
  if (type.isUnion()) return type.types.some(isPromise);
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return false;
  return Boolean(type.getProperty('then'));
}

/** Whether an expression handles the rejection of its promise: it ends in `catch`, or in `then` with two callbacks. */
function isHandled(expression) {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const {name, expression: target} = expression.expression;
  if (name.text === 'catch') return expression.arguments.length > 0;
  if (name.text === 'then' && expression.arguments.length > 1) return true;
  return name.text === 'finally' && isHandled(target);
}

/** The parts of an expression whose value a statement drops. */
function droppedParts(expression) {
  if (ts.isParenthesizedExpression(expression)) return droppedParts(expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return [...droppedParts(expression.whenTrue), ...droppedParts(expression.whenFalse)];
  }
  if (ts.isBinaryExpression(expression)) {
    const {kind} = expression.operatorToken;
    if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment) return [];
    return droppedParts(expression.right);
  }
  return [expression];
}

/** Reports a statement that starts a promise and drops it. `void` before it states that this is intended. */
function reportFloatingPromises(source) {
  visit(source, (node) => {
    if (!ts.isExpressionStatement(node)) return;
    for (const part of droppedParts(node.expression)) {
      if (ts.isAwaitExpression(part) || ts.isVoidExpression(part) || isHandled(part)) continue;
      if (isPromise(checker.getTypeAtLocation(part))) {
        report('floating promise', source, part.getStart(), part.getText().split('\n')[0]);
      }
    }
  });
}

/** Reports exports that no module imports, statically or with `import()`. */
function reportUnusedExports() {
  const imported = new Set();
  for (const source of sources) {
    visit(source, (node) => {
      const name = ts.isImportSpecifier(node) ? node.propertyName ?? node.name : null;
      const symbol = name && checker.getSymbolAtLocation(name);
      if (symbol) imported.add(checker.getAliasedSymbol(symbol));
      // A module that is loaded with `import()` is used as a whole.
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const module = checker.getSymbolAtLocation(node.arguments[0]);
        for (const exported of module ? checker.getExportsOfModule(module) : []) imported.add(exported);
      }
    });
  }
  for (const source of sources) {
    const module = checker.getSymbolAtLocation(source);
    if (!module || entries.has(path.relative(root, source.fileName))) continue;
    for (const exported of checker.getExportsOfModule(module)) {
      const place = exported.declarations?.[0];
      // Types of JSDoc are exports too.
      if (!(exported.flags & ts.SymbolFlags.Value)) continue;
      if (place && !imported.has(exported)) report('unused export', source, place.getStart(), exported.name);
    }
  }
}

for (const source of sources) {
  reportDiagnostics(source);
  reportShadowing(source);
  reportFloatingPromises(source);
}
reportUnusedExports();

const counts = new Map();
for (const {kind} of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
if (process.argv.includes('--summary')) {
  for (const [kind, count] of counts) console.log(`${kind}: ${count}`);
} else for (const {kind, file, line, column, text} of findings) {
  console.log(`${file}:${line}:${column}: ${kind}: ${text}`);
}
if (findings.length) {
  console.error(`${findings.length} findings in ${sources.length} scripts`);
  process.exitCode = 1;
}
