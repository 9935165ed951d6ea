import { describe, expect, test } from 'vitest';
import { DATE_PRESETS, findPreset } from '../../web/src/history/date-presets.ts';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

test('a range of days is recognised as the preset that made it', () => {
  const now = Date.parse('2026-03-01T12:00:00');
  for (const { name, range } of DATE_PRESETS) {
    const { since, until } = range(now);
    expect(findPreset(since, until, now)).toBe(name);
  }
  expect(DATE_PRESETS.find(({ name }) => name === 'yesterday')?.range(now)).toEqual({
    since: '2026-02-28',
    until: '2026-02-28',
  });
  expect(findPreset('2026-01-01', '', now)).toBeUndefined();
});

describe.skipIf(CHROMIUM === undefined)('Filters', () => {
  const site = useSite({ sessions: 400 });

  test('offer only agents that occur, each with its number of sessions', async () => {
    const { page } = await site.open('#/history');
    const agents = page.getByRole('group', { name: 'Filters' }).getByLabel('Agent').locator('option');
    await expect
      .poll(() => agents.allTextContents())
      .toEqual(['Any agent', 'claude-code (100)', 'codex (100)', 'gemini (100)']);
    await page.getByLabel('Outcome').selectOption({ label: 'Failures (266)' });
    await page.getByText('266 sessions').waitFor();
  });

  test('have presets for dates, which the address keeps', async () => {
    const { page } = await site.open('#/history');
    await page.clock.setFixedTime('2026-11-15T14:30:00.000Z');
    await page.reload();
    await page.getByText('400 sessions').waitFor();
    expect(await page.getByLabel('Since').count()).toBe(0);
    await page.getByLabel('Date').selectOption('week');
    await expect
      .poll(() => site.server.called('history.listSessions').at(-1)?.params.since)
      .toBe('2026-11-09T00:00:00.000Z');
    await expect.poll(() => page.url()).toContain('since=2026-11-09');
    await page.reload();
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe('week');
    await page.getByLabel('Date').selectOption('any');
    await expect.poll(() => page.url()).not.toContain('since');
  });

  test('work on the search over all projects, with counts of the results', async () => {
    const { page } = await site.open('#/search?find=needle');
    await page.locator('a.result-hit').first().waitFor();
    const agents = page.getByLabel('Agent').locator('option');
    await expect
      .poll(() => agents.allTextContents())
      .toEqual(expect.arrayContaining(['claude-code (10)', 'codex (10)', 'gemini (10)']));
    await page.getByLabel('Agent').selectOption('codex');
    await expect.poll(() => site.server.called('history.search').at(-1)?.params).toMatchObject({ agent: 'codex' });
    await expect.poll(() => page.url()).toContain('agent=codex');
    expect(await agents.allTextContents()).toContain('claude-code (10)');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => site.server.called('history.search').at(-1)?.params).not.toHaveProperty('agent');
    expect(await page.getByLabel('Search all projects').last().inputValue()).toBe('needle');
  });

  test('are saved with a search, in the browser', async () => {
    const { page } = await site.open('#/search?find=needle&agent=codex');
    await page.getByRole('button', { name: 'Save search' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    await page.goto(`${site.server.url}#/search`);
    await page.reload();
    const saved = page.getByRole('region', { name: 'Saved searches' });
    await saved.getByRole('link', { name: 'needle codex' }).click();
    await expect.poll(() => page.url()).toContain('find=needle&agent=codex');
    await expect.poll(() => site.server.called('history.search').at(-1)?.params).toMatchObject({ agent: 'codex' });
    await page.goBack();
    await saved.getByRole('button', { name: 'Remove saved search needle' }).click();
    await expect.poll(() => saved.count()).toBe(0);
  });
});
