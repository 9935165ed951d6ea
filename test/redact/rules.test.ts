import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { listKeywords, PatternRule } from '../../src/redact/rule.ts';
import { RULES } from '../../src/redact/rules.ts';
import { FORMATS, fill, seededBy } from './formats.ts';

const patterns = RULES.filter((rule) => rule instanceof PatternRule);

describe('the rules', () => {
  it.each(RULES)('$id has keywords that the scanner can find', (rule) => {
    for (const keyword of listKeywords(rule)) {
      expect(keyword.length).toBeGreaterThanOrEqual(3);
      expect(keyword).not.toMatch(/[A-Z]/);
    }
  });

  it.each(patterns)('$id has a sticky pattern without unlimited repetition', ({ pattern: make, limits: { group } }) => {
    const pattern = make();
    expect(pattern.sticky).toBe(true);
    expect(pattern.hasIndices).toBe(group !== undefined);
    const outsideClasses = pattern.source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
    expect(outsideClasses).not.toMatch(/[*+]|\{\d+,\}/);
  });

  it('mask a sample of every format', () => {
    const masks = new Set<string>();
    for (const format of FORMATS) {
      for (const [, id = ''] of redact(`x ${fill(format, seededBy(format))} y`).matchAll(/\[redacted:([\w-]+)\]/g))
        masks.add(id);
    }
    const unseen = patterns.filter(({ id, limits: { group } }) => group === undefined && !masks.has(id));
    expect(unseen.map(({ id, keywords }) => `add a sample of ${id} to FORMATS: ${keywords}`)).toEqual([]);
  });
});
