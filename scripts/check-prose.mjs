// `npm run prose`: finds words in code and documentation that docs/glossary.md replaces, and unidiomatic phrases. Where a
// rule is wrong, add an exception below with the reason.
//   node scripts/check-prose.mjs [FILE…]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Words in identifiers and file names, in lower case, and what to write instead. */
const NAME_PARTS = new Map([
  ['hazard', 'failure'],
  ['hazards', 'failures'],
  ['suspect', 'candidate'],
  ['suspects', 'candidates'],
  ['verdict', 'match or decision'],
  ['surroundings', 'options or context'],
  ['beside', 'what it is for'],
  ['glance', 'check'],
  ['mending', 'retryAfterRepair'],
  ['amid', 'what it is for'],
  ['enrol', 'register'],
  ['told', 'recorded, reported or said'],
  ['scene', 'session or context'],
  ['sighting', 'occurrence'],
  ['sightings', 'occurrences'],
  ['doomed', 'deleted'],
  ['book', 'index, store or cache'],
  ['ours', 'managed or own'],
  ['taker', 'reader'],
  ['folds', 'aggregates'],
  ['anew', 'again'],
]);

/** Prefixes of constants, and what to write instead. */
const CONSTANT_PREFIXES = new Map([
  ['MOST_', 'MAX_'],
  ['LEAST_', 'MIN_'],
  ['LONGEST_', 'MAX_'],
]);

/** Phrases in comments, strings and documentation, and what to write instead. */
const PHRASES = [
  [/\banew\b/i, 'again, from scratch'],
  [/\bsurroundings\b/i, 'options, context, environment'],
  [/\bhazards?\b/i, 'failure'],
  [/\bat a glance\b|\bglances?\b/i, 'check'],
  [/\b(?:are|is) some (?:dozens?|hundreds?|thousands?)\b/i, 'dozens, hundreds'],
  [/\bgo(?:es|ne)? on from\b/i, 'continue, resume'],
  [/\b(?:take|takes|taking|taken|took) in\b(?! (?:mind|hand|account))/i, 'import, read'],
  [/\bfold(?:s|ed|ing)? (?:into|what|it|them|the logs?)\b/i, 'merge, aggregate'],
  [/\bderived files?\b/i, 'cache'],
  [/\bbroken off\b|\bbreaks off\b/i, 'interrupted, truncated'],
  [/\bmakes no sense\b|\bmake no sense\b/i, 'malformed, invalid'],
  [/\bof which the\b/i, 'whose'],
  [/\bundefined when with\b|\bwhen with nothing\b/i, 'undefined without one'],
  [/\b(?:so|as) much of\b/i, 'name the amount'],
  [/\bnobody is told\b|\bis told of\b|\bare told of\b/i, 'is notified of, is warned about'],
  [/\bmade its own name\b/i, 'DNS rebinding'],
  [/\bspeaks? against\b/i, 'is evidence against, matches'],
  [/\bnothing is known to\b/i, 'no …'],
  [/\bwith all that\b/i, 'with everything'],
  [/\bwherewith\b|\bthereof\b|\btherein\b|\bthereby\b|\bhereby\b|\bwhereof\b/i, 'plain words'],
];

/** Where a banned word is right: patterns of `path: text`. */
const EXCEPTIONS = [
  // The glossary and these rules name what is not to be used.
  /^docs\/glossary\.md: /,
  /^scripts\/check-prose\.mjs: /,
  // The folds of a cross-validation.
  /^scripts\/fit-topics\.mjs: FOLDS$/,
];

const SOURCES = /^(?:src|test|web|bench|scripts|examples)\/.*\.(?:ts|tsx|mjs|cjs|js)$/;
const PROSE = /\.md$|^\.github\/.*\.yml$/;
const SKIPPED = /^(?:THIRD-PARTY-NOTICES|LICENSE)/;

const files = process.argv.length > 2 ? process.argv.slice(2) : listFiles();
const problems = files.flatMap(check);
for (const { path, line, text, advice } of problems) console.log(`${path}:${line}: "${text}" → ${advice}`);
if (problems.length > 0) console.log(`${problems.length} problems. docs/glossary.md has the vocabulary.`);
process.exitCode = problems.length > 0 ? 1 : 0;

function listFiles() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '' && !SKIPPED.test(path) && existsSync(join(root, path)));
}

function check(path) {
  if (!SOURCES.test(path) && !PROSE.test(path)) return [];
  const text = readFileSync(join(root, path), 'utf8');
  const found = SOURCES.test(path) ? checkSource(path, text) : checkPhrases(text, 0, text);
  return [...checkName(path), ...found]
    .map((problem) => ({ path, ...problem }))
    .filter((problem) => !EXCEPTIONS.some((exception) => exception.test(`${problem.path}: ${problem.text}`)));
}

function checkName(path) {
  const name = path.split('/').at(-1).split('.')[0];
  return checkIdentifier(name.replaceAll('-', '_'), 1);
}

/** Checks identifiers for words, and comments and strings for phrases. */
function checkSource(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, scriptKind(path));
  const found = [];
  const seen = new Set();
  const comments = new Set();
  const visit = (node) => {
    for (const { pos, end } of commentsAround(node, text)) {
      if (!comments.has(pos)) found.push(...checkPhrases(text.slice(pos, end), pos, text));
      comments.add(pos);
    }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      if (!seen.has(node.text)) found.push(...checkIdentifier(node.text, lineAt(text, node.getStart())));
      seen.add(node.text);
    } else if (isText(node)) {
      found.push(...checkPhrases(node.text, node.getStart(), text));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function commentsAround(node, text) {
  const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return [...before, ...(ts.getTrailingCommentRanges(text, node.end) ?? [])];
}

function isText(node) {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

function checkIdentifier(name, line) {
  const found = [];
  for (const [prefix, advice] of CONSTANT_PREFIXES) {
    if (name.startsWith(prefix)) found.push({ line, text: name, advice: name.replace(prefix, advice) });
  }
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  for (const part of parts) {
    const advice = NAME_PARTS.get(part);
    if (advice !== undefined) found.push({ line, text: name, advice });
  }
  return found;
}

/** A phrase may span two lines of a comment. */
function checkPhrases(part, start, whole) {
  const flat = part.replace(/\s*\n[\s*/]*/g, ' ');
  return PHRASES.flatMap(([pattern, advice]) => {
    const [phrase] = pattern.exec(flat) ?? [];
    if (phrase === undefined) return [];
    const offset = Math.max(0, part.indexOf(phrase.split(' ')[0]));
    return [{ line: lineAt(whole, start + offset), text: phrase, advice }];
  });
}

function scriptKind(path) {
  return path.endsWith('x') ? ts.ScriptKind.TSX : path.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}

function lineAt(text, position) {
  return text.slice(0, position).split('\n').length;
}
