import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/redact/index.ts';
import { COMMAND_OUTPUT, COMMANDS } from './commands.ts';
import { FIFTH } from './fifth.ts';
import { CODE, FILES } from './files.ts';
import { FOURTH } from './fourth.ts';
import { isUnseen, type Sample, samples, type Template } from './generate.ts';
import { HARMLESS_CODE, HARMLESS_VALUES } from './harmless-code.ts';
import { HARMLESS_PROSE } from './harmless-prose.ts';
import { COLOURED, OTHER_LANGUAGES, PROSE } from './prose.ts';
import { SECOND } from './second.ts';
import { SIXTH } from './sixth.ts';
import { THIRD } from './third.ts';
import { ENCODED, HEADERS, KEYS_AND_HASHES, VENDOR_TOKENS } from './tokens.ts';

const GROUPS: Readonly<Record<string, readonly Template[]>> = {
  'vendor tokens': VENDOR_TOKENS,
  'keys and hashes': KEYS_AND_HASHES,
  headers: HEADERS,
  encoded: ENCODED,
  commands: COMMANDS,
  'command output': COMMAND_OUTPUT,
  code: CODE,
  files: FILES,
  prose: PROSE,
  'other languages': OTHER_LANGUAGES,
  'coloured output': COLOURED,
};
const TEMPLATES = Object.values(GROUPS).flat();

/** Whether a piece of half the secret or more is left. */
function leaks(text: string, secret: string): boolean {
  const half = Math.ceil(secret.length / 2);
  for (let start = 0; start + half <= secret.length; start++) {
    if (text.includes(secret.slice(start, start + half))) return true;
  }
  return false;
}

function isMasked({ text, secrets }: Sample): boolean {
  const redacted = redact(text);
  return !secrets.some((secret) => leaks(redacted, secret));
}

function recall(templates: readonly Template[]): number {
  const all = [...samples(templates)];
  return all.filter(isMasked).length / all.length;
}

describe('secrets in everyday contexts', () => {
  it('are at least 600 of at least 300 kinds', () => {
    expect(new Set(TEMPLATES.map(([kind]) => kind)).size).toBe(TEMPLATES.length);
    expect(TEMPLATES.length).toBeGreaterThanOrEqual(300);
    expect([...samples(TEMPLATES)].length).toBeGreaterThanOrEqual(600);
  });

  it('are masked in the half that rules may be tuned on', () => {
    expect(recall(TEMPLATES.filter(([kind]) => !isUnseen(kind)))).toBeGreaterThanOrEqual(0.98);
  });

  it('are masked in the half that no rule is tuned on', () => {
    expect(recall(TEMPLATES.filter(([kind]) => isUnseen(kind)))).toBeGreaterThanOrEqual(0.94);
  });
});

describe('secrets of lists that were written later', () => {
  it('are of at least 600 kinds, none of which is in the first list', () => {
    const kinds = [...SECOND, ...THIRD, ...FOURTH, ...FIFTH, ...SIXTH].map(([kind]) => kind);
    expect(kinds.length).toBeGreaterThanOrEqual(600);
    expect(new Set([...kinds, ...TEMPLATES.map(([kind]) => kind)]).size).toBe(kinds.length + TEMPLATES.length);
  });

  it.each([
    ['second', SECOND, 0.99],
    ['third', THIRD, 0.97],
    ['fourth', FOURTH, 0.97],
    ['fifth', FIFTH, 0.96],
    ['sixth', SIXTH, 0.99],
  ])('are masked in the %s list', (_, templates, share) => {
    expect(recall(templates)).toBeGreaterThanOrEqual(share);
  });
});

describe('harmless texts', () => {
  const texts = new Set(
    [...samples([...HARMLESS_CODE, ...HARMLESS_VALUES, ...HARMLESS_PROSE])].map(({ text }) => text),
  );

  it('are at least 600', () => {
    expect(texts.size).toBeGreaterThanOrEqual(600);
  });

  it('come back as they are', () => {
    const changed = [...texts].filter((text) => redact(text) !== text.replaceAll('/home/user', '/home/*'));
    expect(changed.length / texts.size).toBeLessThanOrEqual(0.002);
  });
});
