import type { Finding } from './detector.ts';
import { fileExtension, type ProjectFolder } from './project-files.ts';

/** Languages by file extension, for projects without manifests and for additional languages. */
const LANGUAGES: readonly string[] = (
  'TypeScript: ts tsx mts cts; JavaScript: js jsx mjs cjs; Python: py; Rust: rs; Go: go; Java: java; ' +
  'Kotlin: kt; Scala: scala; C#: cs; F#: fs; Ruby: rb; PHP: php; C++: cpp cc cxx hpp; C: c; ' +
  'Elixir: ex exs; Swift: swift; Dart: dart; Zig: zig; Haskell: hs; OCaml: ml; Lua: lua; R: r R; ' +
  'Julia: jl; Shell: sh bash; SQL: sql; HTML: html'
).split('; ');
/** A language counts from this share of the sources on, so that a single script does not. */
const MIN_SHARE = 0.2;

/** The languages of a considerable share of the sources, the largest first. */
export function* detectLanguages(root: ProjectFolder): Generator<Finding> {
  const counted = LANGUAGES.map((row) => {
    const [language = '', extensions = ''] = row.split(': ');
    return { language, extensions: extensions.split(' '), count: root.countSources(extensions.split(' ')) };
  }).filter(({ count }) => count > 0);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  for (const { language, extensions, count } of counted.sort((a, b) => b.count - a.count)) {
    if (count / total < MIN_SHARE) continue;
    yield {
      fact: 'language',
      value: language,
      file: [...root.paths()].find((path) => extensions.includes(fileExtension(path))) ?? '',
    };
  }
}

/** Naming patterns of test files. */
const PATTERNS: readonly (readonly [name: RegExp, pattern: (extension: string) => string])[] = [
  [/\.test\.[cm]?[jt]sx?$/, (extension) => `*.test.${extension}`],
  [/\.spec\.[cm]?[jt]sx?$/, (extension) => `*.spec.${extension}`],
  [/^test_.+\.py$/, () => 'test_*.py'],
  [/_test\.(py|go|exs|dart|ts|rb|cpp|cc|c)$/, (extension) => `*_test.${extension}`],
  [/_spec\.rb$/, () => '*_spec.rb'],
  [/[a-z0-9]Test\.(java|kt|php|scala)$/, (extension) => `*Test.${extension}`],
  [/[a-z0-9]Spec\.(kt|scala|groovy)$/, (extension) => `*Spec.${extension}`],
  [/[a-z0-9]Tests\.(swift|cs|fs|java|kt)$/, (extension) => `*Tests.${extension}`],
];

/** The most common naming pattern of test files with one of the extensions. */
export function* detectTestPattern(folder: ProjectFolder, extensions: readonly string[]): Generator<Finding> {
  const found = new Map<string, { count: number; readonly file: string }>();
  for (const file of folder.paths()) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const extension = fileExtension(name);
    if (!extensions.includes(extension)) continue;
    const pattern = PATTERNS.find(([expression]) => expression.test(name))?.[1](extension);
    if (pattern === undefined) continue;
    const known = found.get(pattern);
    if (known) known.count++;
    else found.set(pattern, { count: 1, file });
  }
  const [most] = [...found].sort(([a, first], [b, second]) => second.count - first.count || (a < b ? -1 : 1));
  if (most) yield { fact: 'testPattern', value: most[0], file: most[1].file };
}
