import { describe, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
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

  test('says that a search has no results', async () => {
    const { page } = await site.open('#/history?q=anything');
    await page.getByText('No results.').waitFor();
  });
});
