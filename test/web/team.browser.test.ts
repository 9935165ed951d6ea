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
  const web = inject('app');
  usePostgres((started) => {
    server = started;
  });
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  const go = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

  it("shows colleagues' sessions and who hit what", async () => {
    const [ana, ben] = [new Machine(), new Machine()];
    await ana.join((await server.invite()).url, 'messages', 'Ana');
    await ben.join((await server.invite()).url);
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
    const { page, problems } = await openPage(browser, url);
    await go(page, 'Sessions');
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
});
