import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The memory page', () => {
  const site = useSite({ sessions: 20 });

  test('undoes pinning and dismissing', async () => {
    const { page } = await site.open('#/memory');
    const card = page.locator('.card', { hasText: 'docker compose up --wait' });
    await card.getByRole('button', { name: 'Pin' }).click();
    await card.getByText('pinned').waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.getByText('dismissed').waitFor();
    await page.getByRole('status').getByText('Dismissed: docker compose up --wait').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.getByText('pinned').waitFor();
    expect(site.server.called('memory.pin')).toHaveLength(2);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('edits a decision in place, dismisses another, and undoes each with one key', async () => {
    const { page } = await site.open('#/memory');
    const decided = page.getByRole('region', { name: 'Decided' });
    await decided.getByText('Was: Only the list of orders').waitFor();
    expect(await decided.getByRole('link').getAttribute('href')).toMatch(/session=sess-2.*match=attempt-2-2/);
    await decided.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('What was decided').fill('All lists load in pages');
    await page.keyboard.press('Enter');
    await decided.getByText('All lists load in pages').waitFor();
    await decided.getByText('edited').waitFor();
    await decided.getByRole('button', { name: 'Edit' }).click();
    await page.keyboard.press('Escape');
    await page.getByText(/^Edited: /).waitFor();
    await page.keyboard.press('z');
    await decided.getByText('Which list loads in pages? All of them').first().waitFor();

    const corrected = page.getByRole('region', { name: 'Corrected' });
    await corrected.getByText('it takes the exports with it').waitFor();
    await corrected.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => corrected.count()).toBe(0);
    await page.getByText(/^Dismissed: /).waitFor();
    await page.keyboard.press('z');
    await corrected.getByText('it takes the exports with it').waitFor();
  });

  test('asks for confirmation before it forgets', async () => {
    const { page } = await site.open('#/memory');
    const card = page.locator('.card', { hasText: 'docker compose up --wait' });
    await card.getByRole('button', { name: 'Forget' }).click();
    await card.getByRole('button', { name: 'Cancel' }).click();
    expect(site.server.called('memory.forget')).toHaveLength(0);
    await card.getByRole('button', { name: 'Forget' }).click();
    await card.getByRole('button', { name: 'Forget permanently' }).click();
    await expect.poll(() => card.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('lists past failures, the most frequent or the most recent first', async () => {
    const { page } = await site.open('#/memory');
    const cards = page.locator('.past-failures .card');
    await expect.poll(() => cards.count()).toBe(10);
    expect(await page.getByText('90 failures of 12 different calls, however long ago').count()).toBe(1);
    expect(await cards.first().textContent()).toMatch(/npm run step-0\s*13 times, first on Aug 1, last on Sep 10/);
    await cards.first().getByText('Worked instead: npm run build').waitFor();
    await cards.nth(1).getByText('Worked again').waitFor();
    await page.getByRole('button', { name: 'Most recent' }).click();
    await expect.poll(() => cards.first().textContent()).toContain('npm run step-11');
    await page.getByRole('button', { name: 'Show all 12' }).click();
    await expect.poll(() => cards.count()).toBe(12);
    await cards.first().getByRole('link', { name: 'session' }).click();
    await expect.poll(() => page.url()).toContain('session=sess-2');
  });

  test('shows why a change failed', async () => {
    site.server.failing.set('memory.dismiss', 'The disk is full.');
    const { page } = await site.open('#/memory');
    const card = page.locator('.card', { hasText: 'npm install ioredis' });
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('The disk is full.').waitFor();
    expect(await card.getByText('dismissed').count()).toBe(0);
  });

  test('shows how warnings ended, with links to their sessions', async () => {
    const { page } = await site.open('#/memory');
    const rows = page.locator('.warnings tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByRole('button', { name: 'overridden, failed' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'overridden, failed' }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByRole('link', { name: 'Nov 13: 1 heeded' }).click();
    await expect.poll(() => page.url()).toContain('session=sess-2');
  });

  test('refreshes without losing open details and the scroll position', async () => {
    const { page } = await site.open('#/memory', { viewport: { width: 1000, height: 400 } });
    const card = page.locator('.card', { hasText: 'npm install ioredis' });
    await card.getByText('Evidence (3)').click();
    await card.getByRole('link', { name: 'npm test -- case-2' }).waitFor();
    const memory = page.locator('.memory');
    await memory.evaluate((element) => element.scrollTo(0, 150));
    const calls = site.server.called('memory.get').length;
    const warning = { command: 'npm install ioredis', reason: 'This failed on Nov 12.' };
    site.server.notify('warning.given', { project: 'aaaa1111', warning });
    site.server.notify('history.changed', { project: 'aaaa1111', sessionIds: [] });
    site.server.notify('history.changed', { project: 'bbbb2222', sessionIds: [] });
    await expect.poll(() => site.server.called('memory.get').length).toBe(calls + 1);
    await card.getByRole('link', { name: 'npm test -- case-2' }).waitFor();
    expect(await memory.evaluate((element) => element.scrollTop)).toBe(150);
  });
});
