import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { importTranscripts } from '../../src/import/index.ts';
import { openHome } from '../../src/project/index.ts';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { ClaudeSession } from '../import/machine.ts';
import { newPlace, type Script, type ServedPlace, serve } from '../server/serving.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { CHROMIUM, connectBrowser, openPage, type WatchedPage } from './browser.ts';

describe.skipIf(CHROMIUM === undefined)('The app with the real server', () => {
  let browser: Browser;
  const web = inject('app');
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  /** A project with two sessions of an agent. */
  function storiedPlace(): ServedPlace {
    const place = { ...newPlace(), web };
    playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [AUTHENTICATION, REDIS]);
    return place;
  }

  async function open(url: string, isExpected = (_problem: string) => false): Promise<WatchedPage> {
    const opened = await openPage(browser, url);
    onTestFinished(async () => {
      await opened.page.context().close();
      expect(opened.problems.filter((problem) => !isExpected(problem))).toEqual([]);
    });
    if (url.includes('#token=')) await go(opened.page, 'Chat');
    return opened;
  }

  const go = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

  test('signs in with the token in the address, and removes it from there', async () => {
    const server = await serve({ place: storiedPlace() });
    const { page, problems } = await open(server.url);
    await page.getByText('answered by').waitFor();
    expect(page.url()).not.toContain('token');
    await page.reload();
    await page.getByText('answered by').waitFor();
    expect(problems).toEqual([]);
  });

  test('says on each page why there are no active warnings', async () => {
    const place = { ...newPlace(), web };
    playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [{ ...REDIS, daysAgo: 12 }]);
    const server = await serve({ place });
    const { page } = await open(server.url);
    const why = /^No active warnings: the last failure was on [\d-]+, more than 7 days ago\.$/;
    for (const name of ['Overview', 'Memory']) {
      await go(page, name);
      await page.getByText(why).waitFor();
    }
  });

  test('says when it is not signed in', async () => {
    const server = await serve({ place: storiedPlace() });
    const isRefusal = (problem: string) => problem.includes('401 (Unauthorized)');
    const { page } = await open(`http://127.0.0.1:${server.port}/`, isRefusal);
    await page.getByText('You are not signed in.').waitFor();
  });

  test('finds, shows and loads a session of an agent', async () => {
    const server = await serve({ place: storiedPlace() });
    const { page, problems } = await open(server.url);
    await page.getByText('answered by').waitFor();
    await go(page, 'Sessions');
    await page.getByText('2 sessions').waitFor();
    await page.getByLabel('Search the history').fill('ioredis');
    await page.locator('.result-hit').first().click();
    await page.locator('.is-match').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-session="redis-1"]').click();
    await page.locator('.session-panel').getByText('Add Redis caching').first().waitFor();
    // The notice disappears after some seconds.
    const notice = page.getByText('Forked: you continue a copy. The session of claude-code stays as it is.').waitFor();
    await page.getByRole('button', { name: 'Load session' }).click();
    await notice;
    await page.getByRole('log').getByText('Add Redis caching').waitFor();
    expect(problems).toEqual([]);
  });

  test('names a session by its title and shows which files a reply changed', async () => {
    const place = { ...newPlace(), web };
    const user = temporaryFolder();
    const session = new ClaudeSession('aaaa1111-0000-4000-8000-000000000001', place.cwd)
      .asks('/mcp')
      .asks('can you make the kettle faster')
      .says('I raise the heat.')
      .edits('c1', { file_path: `${place.cwd}/src/kettle.ts`, old_string: 'heat = 1', new_string: 'heat = 2' });
    const transcript = join(user, '.claude', 'projects', 'app', `${session.id}.jsonl`);
    mkdirSync(dirname(transcript), { recursive: true });
    writeFileSync(
      transcript,
      `${session.text}${JSON.stringify({ type: 'ai-title', aiTitle: 'Faster kettle', sessionId: session.id })}\n`,
    );
    const home = openHome({ home: place.home });
    await importTranscripts(home, { places: { home: user, env: {}, platform: 'linux', projects: [] } });
    home.close();

    const server = await serve({ place });
    const { page, problems } = await open(server.url);
    await go(page, 'Sessions');
    const row = page.locator(`[data-session="${session.id}"]`);
    await row.getByText('Faster kettle').waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'Faster kettle' }).waitFor();
    await page.locator('.attempt-line').getByText('src/kettle.ts').first().click();
    expect(await page.locator('.diff-line.added').textContent()).toBe('+heat = 2');
    expect(await page.locator('.diff-line.removed').textContent()).toBe('−heat = 1');
    expect(problems).toEqual([]);
  });

  test('shows overview, timeline, memory and search', async () => {
    const server = await serve({ place: storiedPlace() });
    const { page, problems } = await open(server.url);
    await page.getByText('answered by').waitFor();
    await go(page, 'Overview');
    await page.locator('.figures').getByRole('link', { name: '2', exact: true }).first().waitFor();
    await page.locator('.chart rect').first().waitFor({ state: 'attached' });
    await go(page, 'Timeline');
    await page.getByText('2 of 2 sessions').waitFor();
    await go(page, 'Memory');
    await page.getByRole('heading', { name: 'Warnings given' }).waitFor();
    await go(page, 'Search');
    await page.getByLabel('Search all projects').last().fill('redis');
    await page.locator('a.result-hit').first().waitFor();
    await page.getByLabel('Search all projects').last().fill('redis unheardof');
    await page.getByText('No exact matches. Related:').waitFor();
    await page.getByLabel('Search all projects').last().fill('how did we add redis caching with zeppelin');
    await page.getByText('Nothing mentions “zeppelin”. Most likely first:').waitFor();
    expect(problems).toEqual([]);
  });

  test('continues a chat after the server was restarted during a reply', async () => {
    const place = storiedPlace();
    let goOn = (): void => undefined;
    const allowed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const script: Script = async function* (prompt, signal) {
      yield `About ${prompt}: `;
      if (prompt !== 'first')
        await Promise.race([allowed, new Promise((stop) => signal.addEventListener('abort', stop))]);
      yield 'done.';
    };
    const before = await serve({ place, script });
    const { page } = await open(before.url);
    const prompt = page.getByLabel('Message', { exact: true });
    await prompt.fill('first');
    await page.keyboard.press('Enter');
    await page.getByText('About first: done.').waitFor();
    await prompt.fill('second');
    await page.keyboard.press('Enter');
    await page.getByText('About second:').waitFor();
    await before.close();
    await page.getByText('Cannot reach the server.').waitFor();
    const after = await serve({ place, script, port: before.port });
    expect(after.port).toBe(before.port);
    await expect.poll(() => page.getByText('Cannot reach the server.').count()).toBe(0);
    // The old reply ends only when the state of the new server has arrived.
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.getByText('About second:').waitFor();
    goOn();
    await prompt.fill('third');
    await page.keyboard.press('Enter');
    await page.getByText('About third: done.').waitFor();
    const said = await page.getByRole('log').locator('.message .markdown').allTextContents();
    const asked = said.map((text) => text.trim()).filter((text) => /^(first|second|third)$/.test(text));
    expect(asked).toEqual(['first', 'second', 'third']);
    expect(said).toHaveLength(6);
  });

  test('renders hostile content harmless', async () => {
    const place = storiedPlace();
    const server = await serve({ place });
    const project = server.openedHome.openProject(place.cwd);
    const hostile =
      '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">[a](javascript:window.hacked=1) ![b](https://tracker.invalid/p.png)';
    project.history.append({ sessionId: 'hostile', role: 'user', content: `${hostile}\u202e\u001b[31mred` });
    project.history.append({ sessionId: 'hostile', role: 'assistant', content: `${'>'.repeat(4_000)} deep` });
    const { page } = await open(server.url);
    await page.getByText('answered by').waitFor();
    await go(page, 'Sessions');
    await page.locator('[data-session="hostile"]').click();
    await page.getByRole('article', { name: 'assistant message' }).waitFor();
    expect(await page.locator('.session-panel :is(script, iframe, .markdown img)').count()).toBe(0);
    expect(await page.locator('.session-panel a[href^="javascript"]').count()).toBe(0);
    await page.getByLabel('Search the history').fill('onerror');
    await page.locator('.result-hit').first().click();
    await page.locator('.is-match').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('shows new messages of an open session', async () => {
    const place = storiedPlace();
    const server = await serve({ place });
    const { page } = await open(server.url);
    await page.getByText('answered by').waitFor();
    await go(page, 'Sessions');
    await page.locator('[data-session="redis-1"]').click();
    await page.locator('.session-panel [data-message]').first().waitFor();
    const { history } = server.openedHome.openProject(place.cwd);
    history.append({ sessionId: 'redis-1', role: 'user', content: 'One more thing about the cache' });
    await page.locator('.session-panel').getByText('One more thing about the cache').first().waitFor();
    await page.locator('.session-row').first().and(page.locator('[data-session="redis-1"]')).waitFor();
  });

  test('shows new sessions', async () => {
    const place = { ...newPlace(), web };
    playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [AUTHENTICATION]);
    const server = await serve({ place });
    const { page } = await open(server.url);
    await page.getByText('answered by').waitFor();
    await go(page, 'Sessions');
    await page.getByText('1 session', { exact: true }).waitFor();
    playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [REDIS]);
    await page.getByText('2 sessions').waitFor();
  });
});
