import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { LONG_SESSION } from './fake-history.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('With 100,000 sessions', () => {
  const site = useSite({ sessions: 100_000 });

  test('the list renders only visible rows, at its start, middle and end', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('100,000 sessions').waitFor();
    const list = page.getByRole('region', { name: 'Sessions' });
    for (const row of [0, 50_000, 99_999]) {
      await list.evaluate((element, top) => element.scrollTo(0, top), row * 56);
      await page.locator(`[data-session="sess-${row}"]`).waitFor();
      expect(await list.locator('.virtual-row').count()).toBeLessThan(60);
    }
  });

  test('fetched pages and rendered elements stay bounded while scrolling', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('100,000 sessions').waitFor();
    const list = page.getByRole('region', { name: 'Sessions' });
    for (let row = 0; row < 100_000; row += 1_700) {
      await list.evaluate((element, top) => element.scrollTo(0, top), row * 56);
      await page.waitForTimeout(15);
    }
    await list.evaluate((element) => element.scrollTo(0, 0));
    await page.locator('[data-session="sess-0"]').waitFor();
    const calls = site.server.called('history.listSessions');
    expect(Math.max(...calls.map(({ params }) => Number(params.limit)))).toBeLessThanOrEqual(200);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1_000);
  });

  test('blank rows are filled after scrolling', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('100,000 sessions').waitFor();
    await page.mouse.move(150, 400);
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.wheel(0, 300);
      await page.waitForTimeout(16);
    }
    await expect.poll(() => page.locator('.session-row.is-waiting').count()).toBe(0);
    expect(await page.locator('.session-row').count()).toBeGreaterThan(10);
  });

  test('a long session is fetched and rendered in parts, also from its middle', async () => {
    const { page } = await site.open(`#/history?session=sess-${LONG_SESSION}&match=message-${LONG_SESSION}-501`);
    await page.locator(`[data-message="message-${LONG_SESSION}-501"].is-match`).waitFor();
    const panel = page.getByRole('region', { name: 'Session messages' });
    await panel.evaluate((element) => element.scrollTo(0, 0));
    await page.locator(`[data-message="message-${LONG_SESSION}-0"]`).waitFor();
    await panel.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator(`[data-message="message-${LONG_SESSION}-999"]`).waitFor();
    expect(await panel.locator('.virtual-row').count()).toBeLessThan(80);
    const limits = site.server.called('history.getSession').map(({ params }) => Number(params.limit));
    expect(Math.max(...limits)).toBeLessThanOrEqual(200);
  });
});
