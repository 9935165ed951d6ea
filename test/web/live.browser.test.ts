import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, waitUntilStable } from './browser.ts';
import { LONG_SESSION } from './fake-history.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('Live updates', () => {
  const site = useSite();
  const changed = (sessionIds: readonly string[]) =>
    site.server.notify('history.changed', { project: 'aaaa1111', sessionIds });
  const messages = (page: Page) => page.getByRole('region', { name: 'Session messages' });
  const scrollTop = (page: Page) => messages(page).evaluate((element) => element.scrollTop);

  test('follow a session whose end is visible', async () => {
    const { page } = await site.open(`#/history?session=sess-${LONG_SESSION}`);
    await page.locator('[data-message]').first().waitFor();
    const isAtEnd = () =>
      messages(page).evaluate(
        ({ scrollHeight, scrollTop: top, clientHeight }) => scrollHeight - top - clientHeight < 40,
      );
    // Rows are measured as they come into view, which moves the end.
    await waitUntilStable(page, async () => {
      await messages(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return [await scrollTop(page), await isAtEnd()];
    });
    await page.locator(`[data-message="message-${LONG_SESSION}-999"]`).waitFor();
    for (const text of ['And then one', 'And then two', 'And then three']) {
      site.server.history.grow(`sess-${LONG_SESSION}`, text);
      changed([`sess-${LONG_SESSION}`]);
      await page.locator('.session-panel').getByText(text).waitFor();
    }
    await expect.poll(isAtEnd).toBe(true);
  });

  test('follow a short session that outgrows the page', async () => {
    const { page } = await site.open('#/history?session=sess-1', { viewport: { width: 1200, height: 1400 } });
    await page.locator('[data-message="message-1-11"]').waitFor();
    for (let time = 0; time < 12; time += 1) site.server.history.grow('sess-1', `Line ${time}\n\nmore\n\nand more`);
    changed(['sess-1']);
    await page.locator('.session-panel').getByText('Line 11').waitFor();
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(100);
  });

  test('do not move a session that is scrolled elsewhere', async () => {
    const { page } = await site.open(`#/history?session=sess-${LONG_SESSION}`);
    await page.locator('[data-message]').first().waitFor();
    await messages(page).evaluate((element) => element.scrollTo(0, 20_000));
    const before = await waitUntilStable(page, () => scrollTop(page));
    const seen = await page.locator('.session-panel [data-message]').allTextContents();
    site.server.history.grow(`sess-${LONG_SESSION}`, 'Much further down');
    const calls = site.server.called('history.readSession').length;
    changed([`sess-${LONG_SESSION}`]);
    await page.locator('.session-panel [data-count="1001"]').waitFor();
    expect(site.server.called('history.readSession').length).toBeGreaterThan(calls);
    expect(await waitUntilStable(page, () => scrollTop(page))).toBe(before);
    expect(await page.locator('.session-panel [data-message]').allTextContents()).toEqual(seen);
  });

  test('do not fetch the open session when another one grows', async () => {
    const { page } = await site.open('#/history?session=sess-1');
    await page.locator('[data-message="message-1-0"]').waitFor();
    const calls = site.server.called('history.readSession').length;
    const lists = site.server.called('history.listSessions').length;
    changed(['sess-7']);
    // The list is fetched again, after the session would have been.
    await expect.poll(() => site.server.called('history.listSessions').length).toBe(lists + 1);
    expect(site.server.called('history.readSession').length).toBe(calls);
  });

  test('show new sessions at the top of the list', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    site.server.history.begin('Just begun');
    changed(['sess--1']);
    await page.getByText('501 sessions').waitFor();
    expect(await page.locator('.session-row').first().textContent()).toContain('Just begun');
  });

  test('keep the visible rows and the selected row in place when the list is scrolled down', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    const list = page.getByRole('region', { name: 'Sessions' });
    await list.evaluate((element) => element.scrollTo(0, 5620));
    const row = page.locator('[data-session="sess-103"]');
    await row.click();
    const before = await row.boundingBox();
    for (const name of ['One', 'Two', 'Three']) site.server.history.begin(name);
    changed([]);
    await page.getByText('503 sessions').waitFor();
    await expect.poll(() => row.boundingBox()).toEqual(before);
    expect(await row.getAttribute('class')).toContain('is-cursor');
    await list.evaluate((element) => element.scrollTo(0, 0));
    await page.locator('.session-row').getByText('Three').waitFor();
    const ids = await page
      .locator('[data-session]')
      .evaluateAll((rows) => rows.map((one) => one.getAttribute('data-session')));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('show a lost connection, and what was missed after reconnecting', async () => {
    const { page } = await site.open('#/chat?history=1');
    await page.getByText('500 sessions').waitFor();
    await site.server.stop();
    await page.getByText('Cannot reach the server.').waitFor();
    site.server.history.begin('Meanwhile');
    await site.server.start();
    await page.getByText('501 sessions').waitFor();
    expect(await page.getByText('Cannot reach the server.').count()).toBe(0);
    expect(await page.locator('.session-row').first().textContent()).toContain('Meanwhile');
  });

  test('send calls that were made before the connection once', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    expect(site.server.called('project.list')).toHaveLength(1);
    expect(site.server.called('history.listSessions')).toHaveLength(1);
  });

  test('show a warning when it is given', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    site.server.notify('warning.given', {
      project: 'aaaa1111',
      warning: { id: 'w', command: 'npm run build\u202e', reason: 'It failed twice.', ended: 'open' },
    });
    await page.locator('.notices').getByText('Agent warned: npm run build⟨U+202E⟩. It failed twice.').waitFor();
  });

  test('show the progress of the index, and the list when it is complete', async () => {
    site.server.isComplete = false;
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    site.server.notify('history.indexed', { done: 40, total: 100 });
    await page.getByText('indexing, 40 %').waitFor();
    site.server.isComplete = true;
    site.server.history.begin('Read last');
    const lists = site.server.called('project.list').length;
    site.server.notify('history.indexed', { done: 100, total: 100 });
    await expect.poll(() => site.server.called('project.list').length).toBeGreaterThan(lists);
    await page.getByText('501 sessions', { exact: true }).waitFor();
  });
});
