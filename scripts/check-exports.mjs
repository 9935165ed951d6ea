// Part of `npm run imports`: one name means one thing. Fails for a name that more than one module of src/ and web/src/
// exports: whoever searches for it must find one declaration.
//   node scripts/check-exports.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The readers of agents have the same parts, and none uses another's: the folder of an agent counts as part of the name. */
const AGENT_FOLDER = /^src\/agents\/(?!transcript\/)([\w-]+)\//;

const declared = new Map();
for (const folder of ['src', 'web/src']) {
  for (const item of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!item.isFile() || !/\.tsx?$/.test(item.name)) continue;
    const path = join(item.parentPath, item.name);
    const file = path.slice(root.length + 1).replaceAll('\\', '/');
    for (const name of exportedNames(path)) declared.set(name, [...(declared.get(name) ?? []), file]);
  }
}

const problems = [...declared].filter(([, files]) => isAmbiguous(new Set(files)));
for (const [name, files] of problems) console.error(`${name} is exported by ${[...new Set(files)].join(' and ')}`);
if (problems.length > 0) {
  console.error('Give each a name of its own, or export it from one module.');
  process.exitCode = 1;
}

function isAmbiguous(files) {
  const agents = [...files].map((file) => AGENT_FOLDER.exec(file)?.[1]);
  return files.size > 1 && (agents.includes(undefined) || new Set(agents).size < files.size);
}

/** The names of the declarations that a module exports. What it only passes on is declared elsewhere. */
function exportedNames(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const isExported = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      : false;
    if (!isExported) return [];
    if (!ts.isVariableStatement(statement)) return statement.name === undefined ? [] : [statement.name.text];
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  });
}
