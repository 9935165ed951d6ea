import type { Clue } from './detector.ts';
import { extensionOf, type Place } from './place.ts';

/** How test files are named; the name of the pattern keeps the file's extension. */
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

/** The most common names of test files under the place, among sources with the extensions. */
export function* testPattern(place: Place, extensions: readonly string[]): Generator<Clue> {
  const found = new Map<string, { count: number; readonly file: string }>();
  for (const inner of place.within) {
    for (const name of inner.files) {
      const extension = extensionOf(name);
      if (!extensions.includes(extension)) continue;
      const pattern = PATTERNS.find(([expression]) => expression.test(name))?.[1](extension);
      if (pattern === undefined) continue;
      const known = found.get(pattern);
      if (known) known.count++;
      else found.set(pattern, { count: 1, file: pathWithin(place, inner, name) });
    }
  }
  const [most] = [...found].sort(([a, first], [b, second]) => second.count - first.count || (a < b ? -1 : 1));
  if (most) yield { fact: 'testPattern', value: most[0], file: most[1].file };
}

function pathWithin(place: Place, inner: Place, name: string): string {
  if (inner === place) return name;
  const start = place.folder === '' ? 0 : place.folder.length + 1;
  return `${inner.folder.slice(start)}/${name}`;
}
