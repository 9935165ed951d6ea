import { describe, expect, inject, test } from 'vitest';
import { newPlace, serve } from '../server/serving.ts';
import { CHROMIUM, connectBrowser, openPage, violations } from './browser.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('A home without sessions', () => {
  const site = useSite({ sessions: 0 });

  test('says what to do, also without a project', async () => {
    for (const projects of [site.server.projects, []]) {
      site.server.projects = projects;
      const { page } = await site.open('#/history');
      await page.getByRole('heading', { name: 'No sessions in this project yet' }).waitFor();
      await page.locator('.list-panel').getByText('yore init').waitFor();
    }
  });

  test('says on every page what will appear there, and the command that fills it', async () => {
    const server = await serve({ place: { ...newPlace(), web: inject('app') }, command: 'node dist/cli/main.cjs' });
    const browser = await connectBrowser();
    try {
      const { page, problems } = await openPage(browser, server.url, { viewport: { width: 800, height: 900 } });
      for (const name of ['projects', 'overview', 'history', 'files', 'timeline', 'memory', 'usage']) {
        await page.evaluate(`location.hash = '#/${name}'`);
        await expect
          .poll(() => page.locator('.empty-state .empty-command').textContent(), { message: name })
          .toBe('node dist/cli/main.cjs init');
        expect(await violations(page), name).toEqual([]);
      }
      await page.evaluate("location.hash = '#/settings'");
      await page.getByRole('switch', { name: 'Record in this folder' }).waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('says that a search has no results', async () => {
    const { page } = await site.open('#/history?q=anything');
    await page.getByText('No results.').waitFor();
  });
});
