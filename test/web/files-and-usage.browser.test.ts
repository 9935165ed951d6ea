import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openHome, type Project } from '../../src/project/index.ts';
import { createRepository, git } from '../registry/git.ts';
import { newPlace, type Serving, serve } from '../server/serving.ts';
import { CHROMIUM, connectBrowser, openPage, pressUntil, violations, waitUntilStable } from './browser.ts';

const HOUR = 3_600_000;
const CACHE = 'export const cache = new Map();\n';

describe.skipIf(CHROMIUM === undefined)('Files, usage and charts', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  /** A server over a project in which two sessions changed a file, and a command failed. */
  async function open(
    fragment: string,
    options: BrowserContextOptions = {},
    prepare: (project: Project) => void = () => {},
  ): Promise<Page> {
    const place = { ...newPlace(), web: inject('app') };
    let now = Date.now() - 50 * HOUR;
    const home = openHome({ home: place.home, now: () => now });
    const project = home.openProject(place.cwd);
    const change = (sessionId: string, request: string, call: object) => {
      now += 60_000;
      project.history.append({ sessionId, agent: 'codex', role: 'user', content: request });
      const attempt = { sessionId, agent: 'codex', context: request };
      project.record({ ...attempt, outcome: 'success', path: 'src.ts', ...call });
      const error = "make: *** No rule to make target 'lint'.  Stop.";
      project.record({ ...attempt, outcome: 'failure', tool: 'shell', command: 'make lint', error, exitCode: 2 });
      now += 60_000;
      const usage = { inputTokens: 100_000, outputTokens: 20_000, cacheReadTokens: 1_000_000 };
      const reply = { sessionId, agent: 'codex', role: 'assistant', content: 'Done.', usage } as const;
      project.history.append({ ...reply, model: 'gpt-5-codex' });
      if (sessionId === 's2') project.history.append({ ...reply, usage: { inputTokens: 500 }, model: 'home-grown-7b' });
    };
    change('s1', 'Add a cache', { tool: 'Write', args: { content: CACHE } });
    now += 30 * HOUR;
    const args = { old_string: 'new Map()', new_string: 'new LimitedMap(100)' };
    change('s2', 'Limit the cache', { tool: 'Edit', args });
    prepare(project);
    home.close();
    writeFileSync(join(place.cwd, 'src.ts'), `${CACHE.replace('new Map()', 'new LimitedMap(100)')}// by hand\n`);
    return openServed(await serve({ place }), fragment, options);
  }

  async function openServed(server: Serving, fragment: string, options: BrowserContextOptions = {}): Promise<Page> {
    const { page, problems } = await openPage(browser, server.url, options);
    onTestFinished(async () => {
      await page.context().close();
      expect(problems).toEqual([]);
    });
    await page.getByRole('navigation').first().waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    return page;
  }

  test('usage shows cost, tokens and time by day, model and session, and keeps its choices in the address', async () => {
    const page = await open('#/usage');
    const figures = page.locator('.figures');
    // 2 replies of 100k input, 20k output and 1M tokens from the cache at the list price of gpt-5-codex, and 500 tokens
    // without a price.
    await figures.getByText('$0.90 (99 %)').waitFor();
    await page.getByRole('row', { name: /home-grown-7b unknown 500/ }).waitFor();
    expect(await figures.getByRole('link', { name: '2' }).getAttribute('href')).toMatch(/since=20/);
    await figures.getByText('2.2 M').waitFor();
    await page.getByRole('row', { name: /gpt-5-codex \$0\.90 200/ }).waitFor();
    await page.getByRole('button', { name: 'Agent' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /codex \$0\.90 \(99 %\)/ }).waitFor();
    await page.getByRole('button', { name: 'Tokens' }).click();
    await page.getByText('Tokens per day').waitFor();
    await expect.poll(() => page.url()).toContain('by=agent');
    await page.waitForURL(/measure=tokens/);
    const top = page.getByRole('region', { name: 'Most expensive sessions' });
    expect(await top.getByRole('row').count()).toBe(3);
    await top.getByRole('link', { name: 'Limit the cache' }).click();
    await page.locator('.session-head').getByText('1.1 M tokens, $0.45 (99 %)').waitFor();
  });

  test('a chart of usage has the days that were chosen, and room for its values', async () => {
    const page = await open('#/usage', {}, (project) => {
      const usage = { inputTokens: 0, outputTokens: 50_000_000, cacheReadTokens: 0 };
      const reply = { sessionId: 's3', agent: 'codex', role: 'assistant', content: 'Done.', usage } as const;
      project.history.append({ ...reply, model: 'gpt-5-codex' });
    });
    const chart = page.locator('.usage .chart').first();
    await chart.getByText('$600.00').waitFor();
    const cut = await chart
      .locator('svg')
      .evaluate((svg) =>
        [...svg.querySelectorAll('text.value')].filter(
          (text) => text.getBoundingClientRect().left < svg.getBoundingClientRect().left,
        ),
      );
    expect(cut).toEqual([]);
    // The last name is that of today, although nothing was used today.
    const [month, day] = (await page.evaluate(
      "[...new Date().toLocaleDateString('en', { month: 'short' }).split(' '), new Date().getDate()]",
    )) as [string, number];
    expect(await chart.locator('.tick-name').last().textContent()).toBe(`${month} ${day}`);
  });

  test('a table of files keeps the names of files where their paths are too long for it', async () => {
    const path = `${'deeply/nested/'.repeat(12)}kiln-controller.ts`;
    const page = await open('#/files', {}, (project) => {
      const made = { sessionId: 's3', agent: 'codex', context: 'Add a controller', outcome: 'success' } as const;
      project.record({ ...made, tool: 'Write', path, args: { content: 'one\n' } });
    });
    const row = page.getByRole('row', { name: /kiln-controller/ });
    const link = row.getByRole('link');
    expect(await link.getAttribute('title')).toBe(path);
    expect(await link.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(true);
    const [shown, whole] = [await link.boundingBox(), await link.locator('bdi').boundingBox()];
    // What does not fit is the beginning.
    expect(whole?.x).toBeLessThan(shown?.x ?? 0);
    expect((whole?.x ?? 0) + (whole?.width ?? 0)).toBeCloseTo((shown?.x ?? 0) + (shown?.width ?? 0), 0);
  });

  test('a file that is no longer there still leads to its changes', async () => {
    const page = await open('#/files?path=gone.md&view=lines', {}, (project) => {
      const made = { sessionId: 's3', agent: 'codex', context: 'Write it', outcome: 'success' } as const;
      project.record({ ...made, tool: 'Write', path: 'gone.md', args: { content: 'one\n' } });
    });
    const state = page.locator('.empty-state');
    await state.locator('code').getByText('gone.md').waitFor();
    expect(await state.textContent()).not.toContain('`');
    await state.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('1 change in 1 session').waitFor();
  });

  test('files lists what sessions changed; a file shows its changes, and who wrote its lines', async () => {
    const page = await open('#/files');
    await page.getByRole('row', { name: /src\.ts 2 2/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('src');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('2 changes in 2 sessions, the latest first').waitFor();
    expect(await page.locator('.file-change h2').allTextContents()).toEqual(['Limit the cache', 'Add a cache']);
    await page.locator('.file-change').first().getByText('new LimitedMap(100)').waitFor();
    await page.getByRole('button', { name: 'Lines' }).focus();
    await page.keyboard.press('Enter');
    const lines = page.getByRole('region', { name: 'Lines and who wrote them' });
    await lines.getByRole('row', { name: /Limit the cache .* export const cache/ }).waitFor();
    await lines.getByRole('row', { name: /Not recorded .* by hand/ }).waitFor();
    await lines.getByRole('link', { name: 'Limit the cache' }).click();
    await page.locator('.session-head').waitFor();
  });

  test('lines of a committed file name the commit, and lead to the session that made it and back to the file', async () => {
    const place = { ...newPlace(), web: inject('app') };
    createRepository(place.cwd);
    const home = openHome({ home: place.home });
    const project = home.openProject(place.cwd);
    const call = { sessionId: 's1', agent: 'codex', context: 'Add a cache', outcome: 'success' } as const;
    project.history.append({ sessionId: 's1', agent: 'codex', role: 'user', content: 'Add a cache' });
    project.record({ ...call, tool: 'Write', path: 'src.ts', args: { content: CACHE } });
    writeFileSync(join(place.cwd, 'src.ts'), CACHE);
    git(place.cwd, 'add', '--all');
    const command = 'git commit -m "Cache the prices"';
    project.record({ ...call, tool: 'shell', command, result: git(place.cwd, 'commit', '-m', 'Cache the prices') });
    const hash = git(place.cwd, 'rev-parse', 'HEAD').slice(0, 7);
    home.close();
    const page = await openServed(await serve({ place }), '#/files?path=src.ts&view=lines');
    const row = page.locator('.blame tr', { hasText: 'export const cache' });
    await row.locator('code', { hasText: hash }).waitFor();
    await row.getByRole('link', { name: 'Add a cache' }).click();
    await page.locator('.session-head').waitFor();
    await page.locator('.attempt', { hasText: command }).waitFor();
    await page.locator('.attempt', { hasText: 'src.ts' }).getByRole('button').first().click();
    await page.locator('.change-path').click();
    await page.getByText('1 change in 1 session').waitFor();
  });

  test('changes of a file that were made for one request stand under one heading', async () => {
    const page = await open('#/files?path=notes.md', {}, (project) => {
      const notes = { sessionId: 's3', agent: 'codex', context: 'Write the notes', outcome: 'success' } as const;
      for (const content of ['one\n', 'two\n'])
        project.record({ ...notes, tool: 'Write', path: 'notes.md', args: { content } });
    });
    await page.getByText('2 changes in 1 session, the latest first').waitFor();
    expect(await page.locator('.file-change h2').allTextContents()).toEqual(['Write the notes']);
    expect(await page.locator('.file-change .change').count()).toBe(2);
  });

  test('on a phone, the tables of usage fit the screen', async () => {
    const page = await open('#/usage', { viewport: { width: 380, height: 760 } });
    await page.getByRole('region', { name: 'Most expensive sessions' }).getByText('Limit the cache').waitFor();
    const widths = await page
      .locator('.usage .wide')
      .evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth));
    expect(Math.max(...widths)).toBe(0);
  });

  test('the overview shows activity by day with a read-out for the keyboard, the failure rate, and what failed', async () => {
    const page = await open('#/overview');
    const map = page.locator('.heat svg');
    await map.waitFor();
    const days = map.getByRole('link');
    expect(await days.count()).toBe(2);
    await days.last().focus();
    await page.keyboard.press('ArrowUp');
    await expect
      .poll(() => page.locator('.heat .chart-label').textContent())
      .toMatch(/1 session, 2 tool calls, 1 failed/);
    await page.locator('.heat').getByText('Show as table').click();
    expect(await page.locator('.heat tbody tr').count()).toBe(2);
    await page.getByText('50 % of 4 calls').waitFor();
    const failing = page.getByRole('region', { name: 'What failed most' });
    await failing.getByText('make lint').waitFor();
    await failing.getByText('2×').waitFor();
    await failing.getByText('No rule to make target').waitFor();
  });

  test('the zoom of the timeline is in the address', async () => {
    const page = await open('#/timeline');
    await page.getByText('2 of 2 sessions').waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('1 of 2 sessions').waitFor();
    // The address follows with a delay.
    await expect.poll(() => page.url()).toMatch(/from=\d{4}-.*&to=\d{4}-/);
    await waitUntilStable(page, () => page.url());
    await page.reload();
    await page.getByText('1 of 2 sessions').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => page.url()).not.toContain('from=');
  });

  const goTo = (page: Page, key: string, name: string) =>
    pressUntil(page, ['g', key], () => page.url().includes(`#/${name}`));

  /** Presses Tab until an element has the focus. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < 200; presses += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${target} cannot be reached with Tab.`);
  }

  test('are used with the keyboard alone, as are memory, settings and the actions of a session', async () => {
    const page = await open('#/projects', { viewport: { width: 1400, height: 900 } });
    await goTo(page, 'f', 'files');
    await page.locator('.file-table').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('src');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.file-change').first().waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Lines' }));
    await page.keyboard.press('Enter');
    await page.locator('.blame').waitFor();
    await goTo(page, 'u', 'usage');
    await tabTo(page, page.getByRole('button', { name: 'All projects' }));
    await page.keyboard.press('Space');
    await page.waitForURL(/scope=all/);
    await goTo(page, 'm', 'memory');
    await tabTo(page, page.getByRole('button', { name: 'Pin' }).first());
    await page.keyboard.press('Enter');
    await page.locator('.card.pinned').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Undo' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.card.pinned').count()).toBe(0);
    await goTo(page, ',', 'settings');
    const everywhere = page.getByRole('switch', { name: /Record in all projects/ });
    await tabTo(page, everywhere);
    await page.keyboard.press('Space');
    await expect.poll(() => everywhere.isChecked()).toBe(false);
    await goTo(page, 'h', 'history');
    await page.locator('.session-row[data-session]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.session-head').waitFor();
    await tabTo(page, page.locator('.menu summary'));
    await page.keyboard.press('Enter');
    const download = page.waitForEvent('download');
    await tabTo(page, page.locator('.menu').getByRole('button', { name: /Markdown/ }));
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toMatch(/\.md$/);
  });

  test.each([
    { colorScheme: 'light', viewport: { width: 1400, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 380, height: 900 } },
  ] as const)('are accessible, $colorScheme, $viewport.width wide', async (look) => {
    const page = await open('#/usage', look);
    for (const [fragment, sign] of [
      ['#/usage', '.usage-table'],
      ['#/usage?range=7&by=agent', '.usage-table'],
      ['#/files', '.file-table'],
      ['#/files?order=tree', '.file-tree'],
      ['#/files?q=nothing', '.empty-state'],
      ['#/files?path=src.ts', '.file-change'],
      ['#/files?path=src.ts&view=lines', '.blame'],
      ['#/overview', '.heat svg'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await page.locator(sign).first().waitFor();
      expect(await violations(page), fragment).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), fragment).toBe(true);
    }
  });
});
