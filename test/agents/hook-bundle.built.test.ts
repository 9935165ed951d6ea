import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../src/agents/registry.ts';

const folder = new URL('../../dist/hook/', import.meta.url);
const parts = readdirSync(folder).filter((name) => name.endsWith('.cjs'));

describe('the bundle of the hook', () => {
  it('has a part for each agent whose transcripts hooks read, and for no other', () => {
    const readable = Object.values(AGENTS).filter(({ hooks }) => hooks?.canReadTranscripts);
    const expected = readable.map(({ name }) => `${name}-transcripts.cjs`);
    expect(parts.filter((name) => name.endsWith('-transcripts.cjs'))).toEqual(expected.sort());
  });

  it('contains neither SQLite nor the parser for settings files', () => {
    const code = parts.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
    expect(code).not.toMatch(/node:sqlite|@photostructure\/sqlite|jsonc-parser/);
  });
});
