import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { CONTEXTS, isGone } from './contexts.ts';
import { FORMATS, fill, seeded, seededBy } from './formats.ts';

describe('a credential of a known format', () => {
  it.each(FORMATS)('%s is masked in every context', (format) => {
    const random = seededBy(format);
    for (const context of CONTEXTS) {
      const secret = fill(format, random);
      const text = context(secret);
      expect(isGone(secret, redact(text)), text).toBe(true);
    }
  });

  it.each(FORMATS)('%s is masked for eight random values, and the text around it stays', (format) => {
    const random = seededBy(format);
    for (let sample = 0; sample < 8; sample++) {
      const secret = fill(format, random);
      const redacted = redact(`before the ${secret} after`);
      expect(isGone(secret, redacted), secret).toBe(true);
      expect(redacted).toMatch(/^before the .*\[redacted:[\w-]+\].* after$/);
    }
  });

  it('has its vendor in the mask, also when it is assigned to a name', () => {
    const token = fill('ghp_<a:36>', seeded(7));
    expect(redact(`GITHUB_TOKEN=${token}`)).toBe('GITHUB_TOKEN=[redacted:github-token]');
    expect(redact(`{"token":"${token}"}`)).toBe('{"token":"[redacted:github-token]"}');
  });

  it('is left alone within a longer word', () => {
    for (const text of ['TODAYINASIAASACKOFRICEFELLOVER', 'task-list-item-checkbox-enabled-by-default-x1']) {
      expect(redact(text)).toBe(text);
    }
  });
});
