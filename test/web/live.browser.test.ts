import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { LONG_SESSION } from './invented-history.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('While agents work', () => {
  const site = useSite();
  const changed = (sessionIds: readonly string[]) =>
    site.server.notify('history.changed', { project: 'aaaa1111', sessionIds });
  const messages = (page: Page) => page.getByRole('region', { name: 'Messages of the session' });
  const scrollTop = (page: Page) => messages(page).evaluate((element) => element.scrollTop);

  test('a session that is read from its end follows what is said in it', async () => {
    const { page } = await site.open(`#/history?session=sess-${LONG_SESSION}`);
    await page.locator('[data-message]').first().waitFor();
    await messages(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator(`[data-message="message-${LONG_SESSION}-999"]`).waitFor();
    await messages(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    for (const text of ['And then one', 'And then two', 'And then three']) {
      site.server.history.grow(`sess-${LONG_SESSION}`, text);
      changed([`sess-${LONG_SESSION}`]);
      await page.locator('.session-panel').getByText(text).waitFor();
    }
    const isAtEnd = () =>
      messages(page).evaluate(
        ({ scrollHeight, scrollTop: top, clientHeight }) => scrollHeight - top - clientHeight < 40,
      );
    await expect.poll(isAtEnd).toBe(true);
  });

  test('a short session follows as well, once it is longer than the page', async () => {
    const { page } = await site.open('#/history?session=sess-1', { viewport: { width: 1200, height: 1400 } });
    await page.locator('[data-message="message-1-11"]').waitFor();
    for (let time = 0; time < 12; time += 1)
      site.server.history.grow('sess-1', `Line ${time}\n\nmore\n\nand more`);
    changed(['sess-1']);
    await page.locator('.session-panel').getByText('Line 11').waitFor();
    expect(await scrollTop(page)).toBeGreaterThan(100);
  });

  test('a session that is read elsewhere stays where it is, and says how much it has', async () => {
    const { page } = await site.open(`#/history?session=sess-${LONG_SESSION}`);
    await page.locator('[data-message]').first().waitFor();
    await messages(page).evaluate((element) => element.scrollTo(0, 20_000));
    await page.waitForTimeout(300);
    const before = await scrollTop(page);
    const seen = await page.locator('.session-panel [data-message]').allTextContents();
    site.server.history.grow(`sess-${LONG_SESSION}`, 'Much further down');
    const calls = site.server.called('history.getSession').length;
    changed([`sess-${LONG_SESSION}`]);
    await page.locator('.session-panel [data-count="1001"]').waitFor();
    expect(site.server.called('history.getSession').length).toBeGreaterThan(calls);
    expect(await scrollTop(page)).toBe(before);
    expect(await page.locator('.session-panel [data-message]').allTextContents()).toEqual(seen);
  });

  test('other sessions that grow are none of its business', async () => {
    const { page } = await site.open('#/history?session=sess-1');
    await page.locator('[data-message="message-1-0"]').waitFor();
    const calls = site.server.called('history.getSession').length;
    changed(['sess-7']);
    await page.waitForTimeout(300);
    expect(site.server.called('history.getSession').length).toBe(calls);
  });

  test('new sessions appear on top of a list that is looked at from its top', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    site.server.history.begin('Just begun');
    changed(['sess--1']);
    await page.getByText('501 sessions').waitFor();
    expect(await page.locator('.session-row').first().textContent()).toContain('Just begun');
  });

  test('new sessions do not move what is looked at further down, nor the row that the keyboard has reached', async () => {
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

  test('a lost connection is shown, also over the browser, and what was missed is there when it is found again', async () => {
    const { page } = await site.open('#/chat?history=1');
    await page.getByText('500 sessions').waitFor();
    await site.server.stop();
    await page.getByText('The server cannot be reached.').waitFor();
    site.server.history.begin('Meanwhile');
    await site.server.start();
    await page.getByText('501 sessions').waitFor();
    expect(await page.getByText('The server cannot be reached.').count()).toBe(0);
    expect(await page.locator('.session-row').first().textContent()).toContain('Meanwhile');
  });

  test('a call that was made while there was no connection is sent once', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    expect(site.server.called('project.list')).toHaveLength(1);
    expect(site.server.called('history.listSessions')).toHaveLength(1);
  });

  test('a warning is shown as it is given', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    site.server.notify('warning.given', {
      project: 'aaaa1111',
      warning: { id: 'w', command: 'npm run build\u202e', reason: 'It failed twice.', ended: 'open' },
    });
    await page.locator('.notices').getByText('Warned: npm run build⟨U+202E⟩. It failed twice.').waitFor();
  });

  test('a history that is still being read says how far it is, and is listed when it is read', async () => {
    site.server.isComplete = false;
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    site.server.notify('history.indexed', { done: 40, total: 100 });
    await page.getByText('reading the history, 40 %').waitFor();
    site.server.isComplete = true;
    site.server.history.begin('Read last');
    site.server.notify('history.indexed', { done: 100, total: 100 });
    await page.getByText('501 sessions', { exact: true }).waitFor();
  });
});
