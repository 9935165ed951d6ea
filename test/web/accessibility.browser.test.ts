import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, pressUntil, violations } from './browser.ts';
import { createTimeline } from './fake-project.ts';
import { useSite } from './site.ts';

const PAGES = [
  ['#/', '.project-row .sparkline'],
  ['#/settings', '[data-agent]'],
  ['#/search', '.empty-state'],
  ['#/search?find=needle&agent=codex&since=2026-11-01', '.result-hit'],
  ['#/chat', '.chat-messages .message'],
  ['#/chat?history=1&session=sess-1', '[data-message]'],
  ['#/history?session=sess-1', '[data-message]'],
  ['#/history', '.session-row[data-session]'],
  ['#/history?agent=pi', '.list-panel .empty button'],
  ['#/history?in=all&outcome=failure', '.session-row[data-session]'],
  ['#/history?session=nowhere', '.session-panel .problem'],
  ['#/history?q=needle-2&session=sess-2&match=message-2-5', '.is-match'],
  ['#/history?q=needle-3-&in=all', '.result-more'],
  ['#/history?session=sess-8&of=aaaa1111&match=attempt-8-2', '.attempt.is-match'],
  ['#/chat?history=1&q=nothing-like-it', '.list-panel .empty'],
  ['#/overview', '.chart rect'],
  ['#/timeline', '.timeline-table a'],
  ['#/memory', '.card'],
  ['#/search?find=needle', '.result-hit'],
] as const;
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1400, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 380, height: 900 } },
] as const;
/** Between a phone and a desktop. */
const TABLET = { width: 800, height: 900 };

/** Expects a page to be accessible, and to need no scrolling to the side, as it is and on a tablet. */
async function expectAccessible(page: Page, state: string): Promise<void> {
  expect(await violations(page), state).toEqual([]);
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  expect(await fits(), `${state} fits`).toBe(true);
  const viewport = page.viewportSize();
  if (viewport === null || viewport.width < TABLET.width) return;
  await page.setViewportSize(TABLET);
  expect(await fits(), `${state} fits on a tablet`).toBe(true);
  await page.setViewportSize(viewport);
}

describe.skipIf(CHROMIUM === undefined)('Every page', () => {
  const site = useSite();

  test.each(LOOKS)('is accessible, $colorScheme, $viewport.width wide', async (look) => {
    const { chat } = site.server;
    chat.ask('Why?');
    chat.say('Because of `this`:\n\n```ts\nconst x = "y"; // why\n```\n\n> a quote\n\n[a link](https://example.com)');
    chat.end();
    const { page, problems } = await site.open('#/chat', look);
    for (const [fragment, sign] of PAGES) {
      await page.goto('about:blank');
      await page.goto(`${site.server.url}${fragment}`);
      await page.locator(sign).first().waitFor({ state: 'attached' });
      await expectAccessible(page, fragment);
    }
    await page.goto(`${site.server.url}#/history`);
    await page.locator('.session-row[data-session]').first().waitFor();
    const filters = page.getByRole('button', { name: 'Filters' });
    if (await filters.isVisible()) {
      await filters.click();
      await page.getByRole('group', { name: 'Filters' }).waitFor();
      expect(await violations(page), 'filters').toEqual([]);
    }
    expect(problems).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('Every overlay', () => {
  const site = useSite({ sessions: 20 });

  test.each([
    { colorScheme: 'light', viewport: { width: 380, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 1400, height: 900 } },
  ] as const)('is accessible, $colorScheme, $viewport.width wide', async (look) => {
    site.server.isDemo = true;
    const { page } = await site.open('#/memory', look);
    await page.locator('.card').first().waitFor();
    expect(await violations(page), 'page').toEqual([]);
    const bar = page.locator('.bottom').getByRole('button', { name: 'More' });
    const shown = [
      ['Control+k', 'Jump to'],
      ['?', 'Keyboard shortcuts'],
      ['g g', 'Switch project'],
      ...((await bar.isVisible()) ? [['More', 'More pages'] as const] : []),
    ] as const;
    for (const [keys, name] of shown) {
      const dialog = page.getByRole('dialog', { name });
      if (keys === 'More') await bar.click();
      else if (keys === 'g g') await pressUntil(page, ['g', 'g'], () => dialog.isVisible());
      else await page.keyboard.press(keys);
      await dialog.waitFor();
      expect(await violations(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
  });
});

describe.skipIf(CHROMIUM === undefined)('Every state of the chat and project pages', () => {
  const site = useSite({ sessions: 20 });

  test.each(LOOKS)('is accessible, $colorScheme, $viewport.width wide', async (look) => {
    const { page } = await site.open('#/chat', look);
    const check = (state: string) => expectAccessible(page, state);
    await page.getByText('No messages yet.').waitFor();
    await check('an empty chat');
    await chatStates(page, check);
    await projectStates(page, check);
  });

  async function chatStates(page: Page, check: (state: string) => Promise<void>): Promise<void> {
    const { chat } = site.server;
    chat.ask('Why?');
    chat.say('Because:\n\n```ts\nconst x = 1;\n```\n\nand\n\n```ts\nlet y');
    await page.locator('.is-growing').getByText('let y').waitFor();
    chat.percent = 95;
    await page.locator('summary', { hasText: 'Files' }).click();
    await page.locator('.history-bar summary').click();
    await check('a streaming reply, with files and details open');
    const requestId = chat.streaming?.requestId ?? '';
    chat.streaming = null;
    chat.emit({ type: 'failed', requestId, error: { code: 'MODEL', message: 'The model is asleep.' } });
    await page.getByRole('alert').waitFor();
    const box = page.getByLabel('Message', { exact: true });
    await expect.poll(() => box.isEnabled()).toBe(true);
    await box.pressSequentially('se');
    await page.locator('.suggestions [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await check('a failed reply, with suggestions');
    chat.emit({ type: 'compaction-start' });
    await page.getByText('Compacting…').waitFor();
    await check('a chat during compaction');
  }

  async function projectStates(page: Page, check: (state: string) => Promise<void>): Promise<void> {
    const go = async (name: string) => {
      await page.goto('about:blank');
      await page.goto(`${site.server.url}#/${name}`);
    };
    await go('overview');
    await page.getByText('Show as table').first().click();
    await page.locator('.plot a').first().focus();
    await check('an overview with a table');
    await go('timeline');
    await page.locator('g.failure .mark').first().hover();
    await page.locator('.axis-tip').waitFor();
    await check('a timeline with a tooltip');
    site.server.timeline = createTimeline(500, 3_600_000);
    await go('timeline');
    await page.locator('.mark.many').first().waitFor();
    await check('a full timeline');
    site.server.timeline = { days: [], sessions: [], total: 0 };
    await go('timeline');
    await page.getByRole('heading', { name: 'Nothing recorded yet' }).waitFor();
    await check('an empty timeline');
    await go('memory');
    const card = page.locator('.card').filter({ hasText: 'Evidence' }).first();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await card.getByText('Evidence').click();
    await card.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('button', { name: 'heeded' }).click();
    await check('a memory page after an action');
  }
});
