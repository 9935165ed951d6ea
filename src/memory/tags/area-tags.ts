import { once } from '../../record/once.ts';
import { splitWords } from '../../text/words.ts';
import { AREAS } from './tag-table.ts';

const byName = once(() => index(({ names }) => names));
const byEnding = once(() => index(({ endings }) => endings));

/**
 * The tags of a project-relative path: the names in it that mean something (`subjectOf` knows them), then the
 * areas it belongs to. `src/auth/jwt.ts` has auth, jwt, backend. A name that only repeats its area is left out.
 */
export function areaTags(path: string, subjectOf: (name: string) => string | undefined): readonly string[] {
  const segments = path.split(/[\\/]+/).filter((segment) => segment !== '' && segment !== '.');
  const file = segments.pop() ?? '';
  const [stemOfFile = '', ...endings] = file.startsWith('.') ? [file] : file.split('.');
  const whole = [...segments, stemOfFile, ...endings, file].map((name) => name.toLowerCase());
  const words = splitWords([...segments, stemOfFile].join('/')).flatMap(({ parts }) => parts);
  const areas = new Set(
    [
      ...[...words, ...whole].map((name) => byName().get(name)),
      byEnding().get(endings.at(-1)?.toLowerCase() ?? ''),
    ].filter((area) => area !== undefined),
  );
  const names = words.filter((word) => {
    const subject = word.length > 1 ? subjectOf(word) : undefined;
    return subject !== undefined && !areas.has(subject);
  });
  return Array.from(new Set([...names, ...areas]));
}

function index(field: (area: (typeof AREAS)[number]) => string | undefined): ReadonlyMap<string, string> {
  return new Map(
    AREAS.flatMap((area) =>
      (field(area)?.split(', ') ?? []).map((name): [string, string] => [name, area.tag]),
    ),
  );
}
