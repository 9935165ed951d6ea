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

  it('has each module once, SQLite only where calls are checked, and no parser for settings files', () => {
    const containing = (pattern: RegExp): readonly string[] =>
      parts.filter((name) => pattern.test(readFileSync(new URL(name, folder), 'utf8')));
    expect(containing(/node:sqlite|@photostructure\/sqlite/)).toEqual(['check.cjs']);
    expect(containing(/jsonc-parser/)).toEqual([]);
    expect(containing(/CREATE TABLE document/)).toHaveLength(1);
    expect(containing(/not been read yet/)).toHaveLength(1);
  });
});
