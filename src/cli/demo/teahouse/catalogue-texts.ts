import {
  asks,
  commits,
  compacts,
  day,
  type Moment,
  runs,
  type Step,
  says,
  session,
  writes,
} from '../script.ts';
import { claude } from './scene.ts';
import { TEAS, type Tea } from './teas.ts';

/** What Mara says of a draft, in turn. */
const REMARKS = ['Shorter.', 'Say how to brew it.', 'Good. Put the native name first.', 'A bit less poetry.'];

const HOTTEST: ReadonlySet<string> = new Set(['Japan', 'China', 'Korea', 'Taiwan']);

const TO_A_FILE = 5;

/** Half-way the context is full. */
const HALF = 26;

/** A long session of more than three hundred messages: the texts of the catalogue, one tea after another. */
export const CATALOGUE_TEXTS: Moment = session(
  { name: 'catalogue texts', when: day(9, '08:30'), ...claude('catalogue') },
  asks(
    'Let us write the texts of the catalogue, one tea at a time. Two sentences each; I say what to change.',
  ),
  says(
    `Ready. There are **${TEAS.length} teas** on the list; I write them to \`content/teas/\`, five to a file.`,
  ),
  ...TEAS.flatMap(textOf),
  runs('pnpm tsx scripts/check-texts.ts', `${TEAS.length} texts, none longer than 300 characters`),
  commits('The texts of the catalogue', 'catalogue', TEAS.length),
  says(
    `That was the last one: ${TEAS.length} teas in ${new Set(TEAS.map(([, , origin]) => origin)).size} countries. I would like a cup of *any* of them.`,
  ),
);

function textOf(tea: Tea, index: number): readonly Step[] {
  const [name, native, origin, note] = tea;
  const remark = REMARKS[index % REMARKS.length] ?? '';
  const heat = HOTTEST.has(origin) ? '75 °C, two minutes' : '95 °C, four minutes';
  const final = `**${native}** (${name}, ${origin}): ${note}. ${heat}.`;
  return [
    asks(index === 0 ? `First: ${name}.` : `Next: ${name}.`),
    says(`> ${name} from ${origin}: ${note}.\n\nShall I keep it like that?`),
    asks(remark),
    ...written(index),
    says(final),
    asks(`And the card for the shelf?`),
    says(`\`${name}\` · ${origin} · ${heat}`),
    ...(index === HALF ? [halfTime()] : []),
  ];
}

/** Every fifth time, the last five. */
function written(index: number): readonly Step[] {
  const done = index + 1;
  if (done % TO_A_FILE !== 0) return [];
  const texts = TEAS.slice(done - TO_A_FILE, done).map(line);
  return [writes(`content/teas/${done / TO_A_FILE}.md`, texts.join('\n'))];
}

function line([name, native, origin, note]: Tea): string {
  return `- **${native}** (${name}, ${origin}): ${note}.`;
}

function halfTime(): Step {
  const done = TEAS.slice(0, HALF + 1).map(([name]) => name);
  return compacts(`
Texts of the catalogue, half-way.
- Done (${done.length}): ${done.join(', ')}.
- Form: native name, name and origin in brackets, one remark, how to brew it. At most 300 characters.
- Mara prefers less poetry.
- Files are in content/teas/, five teas each.`);
}
