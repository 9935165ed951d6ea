import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src/config/index.ts';
import {
  COMPACTION_DEFAULTS,
  type CompactionSettings,
  compactionSettings,
} from '../../../src/context/compaction/compaction-settings.ts';

describe('compactionSettings', () => {
  it('has the defaults of the configuration', () => {
    const configured = SETTINGS.filter(({ key }) => key.startsWith('compaction.'));
    expect(configured).toHaveLength(Object.keys(COMPACTION_DEFAULTS).length);
    for (const setting of configured) {
      const name = setting.key.replace('compaction.', '') as keyof CompactionSettings;
      expect('default' in setting && setting.default).toBe(COMPACTION_DEFAULTS[name]);
    }
  });

  it('returns the defaults when nothing is given', () => {
    expect(compactionSettings()).toEqual(COMPACTION_DEFAULTS);
    expect(compactionSettings({ minVerbatimExchanges: 5 })).toEqual({
      ...COMPACTION_DEFAULTS,
      minVerbatimExchanges: 5,
    });
  });

  it('shrinks the default window and summary with a small trigger', () => {
    expect(compactionSettings({ triggerTokens: 1_000 })).toMatchObject({
      verbatimWindowTokens: 500,
      summaryBudgetTokens: 250,
    });
    expect(compactionSettings({ triggerTokens: 1_000, verbatimWindowTokens: 900 }).verbatimWindowTokens).toBe(900);
  });

  it.each([
    ['triggerTokens', 0],
    ['triggerTokens', -24_000],
    ['triggerTokens', Number.NaN],
    ['triggerTokens', Number.POSITIVE_INFINITY],
    ['verbatimWindowTokens', -1],
    ['verbatimWindowTokens', 0.5],
    ['summaryBudgetTokens', -500],
    ['minVerbatimExchanges', 0],
    ['minVerbatimExchanges', '2'],
    ['enabled', 'yes'],
  ])('rejects %s = %s and says what is allowed', (name, value) => {
    expect(() => compactionSettings({ [name]: value })).toThrow(
      expect.objectContaining({
        code: 'CONFIG',
        message: expect.stringMatching(new RegExp(`compaction\\.${name}.*give`)),
      }),
    );
  });
});
