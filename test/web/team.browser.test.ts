import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { serve } from '../server/serving.ts';
import { INSTALLED, Machine, NOT_FOUND } from '../team/machine.ts';
import { CHROMIUM, connectBrowser, openPage } from './browser.ts';

describe.skipIf(!hasPostgres || CHROMIUM === undefined)('the app of a member of a team', () => {
  let server: PostgresServer;
  let browser: Browser;
  let teams = 0;
  const web = inject('app');
  usePostgres((started) => {
    server = started;
  });
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  const go = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

  /** What Ben's app shows after Ana has hit a failure and solved it, and Ben has done something else. */
  const openApp = async () => {
    const [ana, ben] = [new Machine(), new Machine()];
    const team = `team ${teams++}`;
    await ana.join((await server.invite(team)).url, 'messages', 'Ana');
    await ben.join((await server.invite(team)).url);
    const session = ana.session();
    await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' });
    await session.run('npm install redis-node', NOT_FOUND);
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop', { last_assistant_message: 'The catalogue is cached with ioredis.' });
    await ana.sync();
    await ben.sync();
    const own = ben.session();
    await own.fire('UserPromptSubmit', { prompt: 'Fix the login' });
    await own.fire('Stop', { last_assistant_message: 'Done.' });
    const { url } = await serve({ place: { home: ben.homeFolder, cwd: ben.cwd, web } });
    const opened = await openPage(browser, url);
    await go(opened.page, 'Sessions');
    return opened;
  };

  it("shows colleagues' sessions and who hit what", async () => {
    const { page, problems } = await openApp();
    const row = page.locator('[data-session]').filter({ hasText: 'redis cache' });
    await row.waitFor();
    expect(await row.textContent()).toContain('by Ana');
    await row.click();
    await page.locator('.session-panel').getByText('npm install redis-node').first().waitFor();
    await page.getByRole('article', { name: 'Ana message' }).waitFor();
    await go(page, 'Memory');
    await page.getByText('on the machine of Ana').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
    expect(await page.getByRole('button', { name: 'Forget' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('filters sessions and results by author, with counts, and keeps the author in the address', async () => {
    const { page, problems } = await openApp();
    const rows = page.locator('[data-session]');
    const titles = async () => (await rows.allTextContents()).map((text) => /redis cache|login/.exec(text)?.[0]);
    const author = page.getByRole('combobox', { name: 'Author' });
    await author.waitFor();
    expect((await author.locator('option').allTextContents()).sort()).toEqual(['Ana (1)', 'Anyone', 'You (1)']);
    await author.selectOption({ label: 'Ana (1)' });
    await expect.poll(titles).toEqual(['redis cache']);
    await expect.poll(() => page.url()).toContain('author=Ana');
    await author.selectOption({ label: 'You (1)' });
    await expect.poll(titles).toEqual(['login']);
    await expect.poll(() => page.url()).toMatch(/author=(~|%7E)/);
    await page.reload();
    await expect.poll(titles).toEqual(['login']);
    expect(await author.inputValue()).toBe('~');
    await author.selectOption({ label: 'Ana (1)' });
    await page.getByRole('searchbox', { name: 'Search the history' }).fill('done');
    await page.getByText('No results').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search the history' }).fill('ioredis');
    await page.getByText('npm install').first().waitFor();
    await go(page, 'Search');
    await page.getByRole('searchbox', { name: 'Search all projects' }).fill('redis');
    await page.getByText('npm install').first().waitFor();
    await author.selectOption({ label: 'Ana (1)' });
    await expect.poll(() => page.url()).toContain('author=Ana');
    expect(problems).toEqual([]);
  });
});
