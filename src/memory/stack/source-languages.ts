import type { Clue } from './detector.ts';
import { extensionOf, type Place } from './place.ts';

/** Languages by how their files end: for projects without manifests, and for what stands beside them. */
const LANGUAGES: readonly (readonly [language: string, extensions: readonly string[]])[] = [
  ['TypeScript', ['ts', 'tsx', 'mts', 'cts']],
  ['JavaScript', ['js', 'jsx', 'mjs', 'cjs']],
  ['Python', ['py']],
  ['Rust', ['rs']],
  ['Go', ['go']],
  ['Java', ['java']],
  ['Kotlin', ['kt']],
  ['Scala', ['scala']],
  ['C#', ['cs']],
  ['F#', ['fs']],
  ['Ruby', ['rb']],
  ['PHP', ['php']],
  ['C++', ['cpp', 'cc', 'cxx', 'hpp']],
  ['C', ['c']],
  ['Elixir', ['ex', 'exs']],
  ['Swift', ['swift']],
  ['Dart', ['dart']],
  ['Zig', ['zig']],
  ['Haskell', ['hs']],
  ['OCaml', ['ml']],
  ['Lua', ['lua']],
  ['R', ['r', 'R']],
  ['Julia', ['jl']],
  ['Shell', ['sh', 'bash']],
  ['SQL', ['sql']],
  ['HTML', ['html']],
];
/** Only languages with this share of the sources count, so that one script does not make a language. */
const LEAST_SHARE = 0.2;

/** The languages that make up a fair share of the sources, the largest first. */
export function* sourceLanguages(root: Place): Generator<Clue> {
  const counted = LANGUAGES.map(([language, extensions]) => ({
    language,
    extensions,
    count: root.countSources(extensions),
  })).filter(({ count }) => count > 0);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  for (const { language, extensions, count } of counted.sort((a, b) => b.count - a.count)) {
    if (count / total < LEAST_SHARE) continue;
    yield { fact: 'language', value: language, file: firstFile(root, extensions) };
  }
}

function firstFile(root: Place, extensions: readonly string[]): string {
  for (const place of root.within) {
    const name = place.files.find((candidate) => extensions.includes(extensionOf(candidate)));
    if (name !== undefined) return place.folder === '' ? name : `${place.folder}/${name}`;
  }
  return '';
}
