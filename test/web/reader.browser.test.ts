import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { appendRecord, openSegmentPath, teamFolder } from '../../src/log/index.ts';
import { type NewAttempt, openHome } from '../../src/project/index.ts';
import { newPlace, type Serving, serve } from '../server/serving.ts';
import { CHROMIUM, connectBrowser, openPage, violations, waitUntilStable } from './browser.ts';

const SESSION = 'aaaa1111-0000-4000-8000-000000000001';
const START = Date.parse('2026-05-20T10:00:00.000Z');
const OUTPUT = Array.from({ length: 60 }, (_, line) => `case ${line} passed`).join('\n');
type Attempted = Partial<NewAttempt>;

/** What is recorded of the session: prompts as text, replies with a model, calls with an outcome. */
const STORY: readonly (readonly [seconds: number, record: string | { readonly reply: string } | Attempted])[] = [
  [0, 'Raise the heat of the kiln'],
  [1, { tool: 'Read', path: 'src/heat.ts', durationMs: 10 }],
  [2, { tool: 'Grep', args: { pattern: 'heat' }, path: 'src' }],
  [3, { tool: 'Read', path: 'src/oven.ts' }],
  [4, { tool: 'Edit', path: 'src/heat.ts', args: { old_string: 'let heat = 900;', new_string: 'let heat = 1200;' } }],
  [60, { tool: 'Bash', command: 'npm install fan-node', outcome: 'failure', error: 'npm error code E404\nNot found' }],
  [300, { tool: 'Bash', command: 'npm install fan', durationMs: 4200 }],
  [310, { reply: 'It is **hotter** now.' }],
  [4000, 'Now test the fan'],
  [4001, { tool: 'Bash', command: 'npm test', result: OUTPUT }],
  [4002, { tool: 'Task', args: { subagent_type: 'explorer', prompt: 'Find the fan' } }],
  [90_000, 'Thanks'],
];

describe.skipIf(CHROMIUM === undefined)('The session reader', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  /** A server over a project with the session. */
  async function serveStory(more: readonly (typeof STORY)[number][] = []): Promise<Serving> {
    const place = { ...newPlace(), web: inject('app') };
    const home = openHome({ home: place.home });
    const project = home.openProject(place.cwd);
    for (const [seconds, record] of [...STORY, ...more]) {
      const timestamp = new Date(START + seconds * 1000).toISOString();
      const common = { sessionId: SESSION, id: `r${seconds}`, timestamp, agent: 'claude-code', branch: 'main' };
      if (typeof record === 'string') project.history.append({ ...common, role: 'user', content: record });
      else if ('reply' in record) {
        const usage = { inputTokens: 1000, outputTokens: 500 };
        project.history.append({ ...common, role: 'assistant', content: String(record.reply), model: 'opus', usage });
      } else project.record({ outcome: 'success', ...common, ...(record as Attempted) });
    }
    home.catchUp();
    home.close();
    return await serve({ place });
  }

  async function open(server: Serving, options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
    const opened = await openPage(browser, server.url, { timezoneId: 'UTC', ...options });
    onTestFinished(async () => {
      await opened.page.context().close();
      expect(opened.problems).toEqual([]);
    });
    const { page } = opened;
    await page.waitForFunction("!location.hash.includes('token')");
    await page.evaluate(`location.hash = '#/history?in=all&session=${SESSION}'`);
    await page.locator('[data-message]').first().waitFor();
    return page;
  }

  const record = (page: Page, id: string) => page.locator(`[data-message="${id}"]`);

  test('says in its head what the session was, and shows its id', async () => {
    const page = await open(await serveStory(), { viewport: { width: 1400, height: 900 } });
    const head = page.locator('.session-head');
    await head.getByText('1.5 k tokens').waitFor();
    const facts = await head.textContent();
    for (const fact of ['claude-code', 'opus', 'main', '1 file', '+1', '−1', SESSION]) expect(facts).toContain(fact);
    await head.getByRole('button', { name: `Copy the id ${SESSION}` }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(SESSION);
  });

  test("names the author of a colleague's session, which cannot be resumed, continued or deleted", async () => {
    const place = { ...newPlace(), web: inject('app') };
    const home = openHome({ home: place.home });
    const { directory } = home.openProject(place.cwd);
    appendRecord(openSegmentPath(teamFolder(directory), 'history'), {
      ...{ v: 1, id: 't1', sessionId: SESSION, timestamp: new Date(START).toISOString(), agent: 'claude-code' },
      ...{ role: 'user', content: 'Cool the kiln down', author: 'Ana' },
    });
    home.catchUp();
    home.close();
    const page = await open(await serve({ place }), { viewport: { width: 1400, height: 900 } });
    const head = page.locator('.session-head');
    expect(await head.locator('.session-facts').textContent()).toContain('Ana');
    expect(await page.locator('.session-row .session-facts').textContent()).toContain('Ana');
    expect(await record(page, 't1').locator('.who').textContent()).toBe('Ana');
    await head.getByText('Actions').click();
    const actions = await head.locator('.menu-body button').allTextContents();
    expect(actions).toContain('Copy link');
    expect(actions.join()).not.toMatch(/resume|Continue|Delete/);
  });

  test('collapses reads and searches, and shows times, breaks and days', async () => {
    const page = await open(await serveStory(), { viewport: { width: 1400, height: 900 } });
    const lookups = page.locator('.lookups');
    expect(await lookups.locator('.tool').first().textContent()).toBe('2 reads, 1 search');
    expect(await lookups.locator('.attempt').count()).toBe(0);
    await lookups.getByRole('button').first().click();
    expect(await lookups.locator('.attempt').count()).toBe(3);
    expect(await record(page, 'r2').textContent()).toContain('heat in src');
    expect(await page.locator('.clock').first().textContent()).toBe('10:00');
    const separators = await page.locator('.separator').allTextContents();
    expect(separators).toEqual(['1 h later', '24 h laterThursday, May 21, 2026']);
  });

  test('shortens the folder that a command enters first, so that what it runs is in sight', async () => {
    const command = 'cd /srv/potters/workshops/lower-saxony/kiln && npm run heat';
    const page = await open(await serveStory([[320, { tool: 'Bash', command }]]), {
      viewport: { width: 1400, height: 900 },
    });
    const line = record(page, 'r320').locator('.attempt-line code');
    expect(await line.textContent()).toBe(command);
    const folder = line.locator('.entered-folder');
    expect(await folder.evaluate((part) => part.scrollWidth > part.clientWidth)).toBe(true);
    expect(await line.evaluate((whole) => whole.scrollWidth <= whole.clientWidth)).toBe(true);
  });

  test('shows an edit as a diff with the words that differ, and links its file', async () => {
    const page = await open(await serveStory());
    await record(page, 'r4').getByRole('button').first().click();
    const change = record(page, 'r4').locator('.change');
    expect(await change.locator('.diff-line').allTextContents()).toEqual(['−let heat = 900;', '+let heat = 1200;']);
    expect(await change.locator('mark').allTextContents()).toEqual(['900', '1200']);
    expect(await change.locator('.change-path').getAttribute('href')).toContain('path=src%2Fheat.ts');
    await change.locator('.hljs-keyword').first().waitFor();
    await change.getByRole('button', { name: 'Side by side' }).click();
    expect(await change.locator('.diff-pair').count()).toBe(1);
  });

  test('shows code without colours while the server is away, and with them later', async () => {
    const page = await open(await serveStory());
    const away = page.waitForRequest(/highlighter/);
    await page.route(/highlighter/, (route) => route.abort());
    const change = record(page, 'r4').locator('.change');
    await record(page, 'r4').getByRole('button').first().click();
    await away;
    await change.getByText('let heat = 1200;').waitFor();
    expect(await change.locator('.hljs-keyword').count()).toBe(0);
    await page.unroute(/highlighter/);
    await record(page, 'r4').getByRole('button').first().click();
    await expect.poll(() => change.count()).toBe(0);
    await record(page, 'r4').getByRole('button').first().click();
    await change.locator('.hljs-keyword').first().waitFor();
  });

  test('jumps with n, p and f, opens with Enter, and follows what solved a failure', async () => {
    const page = await open(await serveStory(), { viewport: { width: 1400, height: 500 } });
    await page.locator('.outline').waitFor();
    const isFocused = (id: string) => page.locator(`[data-message="${id}"]:focus-within, [data-message="${id}"]:focus`);
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await isFocused('r4000').waitFor();
    await page.keyboard.press('p');
    await isFocused('r0').waitFor();
    await page.keyboard.press('f');
    await isFocused('r60').waitFor();
    await page.keyboard.press('Enter');
    expect(await record(page, 'r60').locator('pre.input').textContent()).toBe('npm install fan-node');
    await record(page, 'r60').getByRole('button', { name: 'fixed 4 min later' }).click();
    await isFocused('r300').waitFor();
  });

  test('keys that are pressed before the session was scrolled continue from the last jump', async () => {
    const page = await open(await serveStory(), { viewport: { width: 1400, height: 500 } });
    await page.locator('.outline').waitFor();
    const press = (keys: string) =>
      page.evaluate(`for (const key of ${JSON.stringify(keys)})
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
    const focused = (id: string) => page.locator(`[data-message="${id}"]:focus`).waitFor();
    await press('nnn');
    await focused('r90000');
    await press('pp');
    await focused('r0');
    await press('nnnp');
    await focused('r4000');
    // Once it has been scrolled away from there, they continue from what is visible.
    await press('n');
    await focused('r90000');
    const list = page.getByRole('region', { name: 'Session messages' });
    await waitUntilStable(page, () => list.evaluate((element) => element.scrollTop));
    await list.evaluate((element) => element.scrollTo(0, 0));
    await waitUntilStable(page, () => list.evaluate((element) => element.scrollTop));
    await press('n');
    await focused('r0');
  });

  test('shows what an agent added to the conversation on one quiet line, which opens', async () => {
    const notice = '<system-reminder>The kiln was opened by the user.\n\nDo not mention it.</system-reminder>';
    const page = await open(await serveStory([[305, notice]]), { viewport: { width: 1400, height: 900 } });
    const line = record(page, 'r305').getByRole('button', { name: /^The kiln was opened by the user/ });
    await line.waitFor();
    expect(await record(page, 'r305').getByRole('paragraph').count()).toBe(0);
    const outline = await page.locator('.outline button').allTextContents();
    expect(outline.join()).not.toContain('kiln was opened');
    await line.click();
    await record(page, 'r305').getByText('Do not mention it.').last().waitFor();
    expect(await line.getAttribute('aria-expanded')).toBe('true');
  });

  test('folds long output after 20 lines and says how many are hidden', async () => {
    const page = await open(await serveStory());
    const call = record(page, 'r4001');
    await call.getByRole('button').first().click();
    expect((await call.locator('pre.output').textContent())?.trim().split('\n')).toHaveLength(20);
    await call.getByRole('button', { name: /^Show \d+ more lines$/ }).click();
    expect(await call.locator('pre.output').textContent()).toContain('case 59 passed');
  });

  test('finds a text in the session, in folded output, too', async () => {
    const page = await open(await serveStory());
    await page.keyboard.press('Control+f');
    await page.locator('[data-find]:focus').waitFor();
    await page.keyboard.type('fan');
    await page.locator('.find-count').getByText('1 of 4').waitFor();
    await record(page, 'r60').and(page.locator('.is-match')).waitFor();
    await page.keyboard.press('Enter');
    await record(page, 'r300').and(page.locator('.is-match')).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.locator('.find-count').getByText('1 of 4').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.find-bar').count()).toBe(0);
    expect(await page.locator('.session-head').count()).toBe(1);
  });

  test('scrolls through 10,000 rows without an empty view, with few elements', async () => {
    const edit = { tool: 'Edit', path: 'src/heat.ts', args: { old_string: 'a\nb\nc', new_string: 'a\nx\nc' } };
    const many = Array.from({ length: 10_000 }, (_, index) => {
      const record =
        index % 3 === 0 ? `Prompt ${index}` : index % 3 === 1 ? edit : { reply: `Done ${index}.\n\nMore.` };
      return [100_000 + index, record] as const;
    });
    const page = await open(await serveStory(many), { viewport: { width: 1400, height: 800 } });
    const list = page.getByRole('region', { name: 'Session messages' });
    expect(Number(await list.getAttribute('data-count'))).toBeGreaterThan(10_000);
    for (let step = 0; step < 40; step += 1) {
      // What the next frame paints: resize observers, which measure rows that were loaded, run before it is painted.
      const isEmpty = await page.evaluate(`(async () => {
        const list = document.querySelector('.reader .virtual');
        list.scrollBy(0, ${step < 20 ? 700 : 9_000});
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        const { left, top, width, height } = list.getBoundingClientRect();
        const rowAt = (y) => document.elementFromPoint(left + width / 3, y)?.closest('.virtual-row');
        return new Promise((done) =>
          new ResizeObserver((_, observer) => {
            observer.disconnect();
            done([0.1, 0.5, 0.9].some((part) => !rowAt(top + height * part)));
          }).observe(list),
        );
      })()`);
      expect(isEmpty).toBe(false);
      expect(await list.locator('.virtual-row').count()).toBeLessThan(80);
    }
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await waitUntilStable(page, () => list.evaluate((element) => element.scrollTop));
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await record(page, 'r109999').waitFor();
    expect(await page.locator('.outline').isVisible()).toBe(true);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000);
  });

  test('has an outline that follows the session', async () => {
    const prompts = Array.from({ length: 200 }, (_, index) => [100_000 + index, `Prompt ${index}`] as const);
    const page = await open(await serveStory(prompts), { viewport: { width: 1400, height: 700 } });
    const outline = page.getByRole('navigation', { name: 'Outline of the session' });
    await outline.getByRole('button', { name: 'Prompt 3', exact: true }).click();
    const list = page.getByRole('region', { name: 'Session messages' });
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return outline.locator('[aria-current]').textContent();
      })
      .toMatch(/^Prompt 19\d$/);
    await outline.locator('[aria-current]').waitFor({ state: 'visible' });
  });

  test('renames, stars and tags a session with the keyboard alone', async () => {
    const page = await open(await serveStory());
    const row = page.locator(`[data-session="${SESSION}"]`);
    await page.getByRole('button', { name: 'Rename' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Hotter kiln');
    await page.keyboard.press('Enter');
    await row.getByText('Hotter kiln').waitFor();
    await page.getByRole('button', { name: 'Star this session' }).focus();
    await page.keyboard.press('Enter');
    await row.locator('.star').waitFor();
    await page.getByRole('button', { name: 'Add tag' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('kiln');
    await page.keyboard.press('Enter');
    await row.getByText('#kiln').waitFor();
    await page.reload();
    await page.locator('.session-head').getByRole('button', { name: '#kiln' }).click();
    await page.getByText('1 session', { exact: true }).waitFor();
    await expect.poll(() => page.url()).toContain('tag=kiln');
  });

  test('offers the command to resume, a link and exports, and deletes after saying what will be gone', async () => {
    const server = await serveStory();
    const page = await open(server);
    const menu = page.locator('.menu');
    const choose = async (name: string) => {
      await menu.locator('summary').click();
      await menu.getByRole('button', { name }).click();
    };
    await choose('Copy the command to resume it');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(`claude --resume ${SESSION}`);
    await choose('Copy link');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(`session=${SESSION}`);
    for (const [name, part] of [
      ['Export as Markdown', '# Raise the heat of the kiln'],
      ['Export as HTML', '<ins>1200</ins>'],
      ['Export as JSON', '"entries"'],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), choose(name)]);
      const path = join(server.place.cwd, download.suggestedFilename());
      await download.saveAs(path);
      expect(readFileSync(path, 'utf8')).toContain(part);
    }
    await choose('Delete session…');
    await menu.getByText('permanently deletes 4 messages, 8 tool calls').waitFor();
    await menu.getByRole('button', { name: 'Delete session' }).click();
    await page.getByText('No sessions in any project yet').waitFor();
    expect(server.openedHome.listSessions().total).toBe(0);
  });

  test.each(['light', 'dark'] as const)('has no serious accessibility problems: %s', async (colorScheme) => {
    const page = await open(await serveStory(), { colorScheme, viewport: { width: 1400, height: 900 } });
    await page.locator('.outline').waitFor();
    for (const id of ['r4', 'r60']) await record(page, id).getByRole('button').first().click();
    await page.keyboard.press('Control+f');
    await page.locator('.menu summary').click();
    expect(await violations(page)).toEqual([]);
  });
});
