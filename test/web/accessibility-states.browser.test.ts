import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousViolations } from './axe.ts';
import { CHROMIUM } from './browser.ts';
import { inventTimeline } from './invented-project.ts';
import { useSite } from './site.ts';

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1400, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 380, height: 900 } },
] as const;

describe.skipIf(CHROMIUM === undefined)('Chat and project pages in every state', () => {
  const site = useSite({ sessions: 20 });

  test.each(LOOKS)(
    'can be used by everybody, $colorScheme, $viewport.width wide',
    { timeout: 120_000 },
    async (look) => {
      const { page } = await site.open('#/chat', look);
      const check = async (state: string) => {
        expect(await seriousViolations(page), state).toEqual([]);
        const isFitting = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
        expect(isFitting, `${state} fits`).toBe(true);
      };
      await page.getByText('Nothing has been said yet.').waitFor();
      await check('an empty chat');
      await chatStates(page, check);
      await projectStates(page, check);
    },
  );

  async function chatStates(page: Page, check: (state: string) => Promise<void>): Promise<void> {
    const { chat } = site.server;
    chat.ask('Why?');
    chat.say('Because:\n\n```ts\nconst x = 1;\n```\n\nand\n\n```ts\nlet y');
    await page.locator('.is-growing').getByText('let y').waitFor();
    chat.percent = 95;
    await page.getByText('Files').click();
    await page.locator('.history-bar summary').click();
    await check('a growing reply, with files and figures open');
    const requestId = chat.streaming?.requestId ?? '';
    chat.streaming = null;
    chat.emit({ type: 'failed', requestId, error: { code: 'MODEL', message: 'The model is asleep.' } });
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Message', { exact: true }).pressSequentially('se');
    await page.locator('.suggestions [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await check('a failed reply, with suggestions');
    chat.emit({ type: 'compaction-start' });
    await page.getByText('Compacting…').waitFor();
    await check('a chat that is being shortened');
  }

  async function projectStates(page: Page, check: (state: string) => Promise<void>): Promise<void> {
    const go = async (name: string) => {
      await page.goto('about:blank');
      await page.goto(`${site.server.url}#/${name}`);
    };
    await go('overview');
    await page.getByText('As a table').first().click();
    await page.locator('.plot a').first().focus();
    await check('an overview with a table');
    await go('timeline');
    await page.locator('g.failure .mark').first().hover();
    await page.locator('.axis-tip').waitFor();
    await check('a timeline with something pointed at');
    site.server.timeline = inventTimeline(500, 3_600_000);
    await go('timeline');
    await page.locator('.mark.many').first().waitFor();
    await check('a full timeline');
    site.server.timeline = { days: [], sessions: [], total: 0 };
    await go('timeline');
    await page.getByText('Nothing has been recorded yet.').waitFor();
    await check('an empty timeline');
    await go('memory');
    const card = page.locator('.card').first();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await card.getByText('Evidence').click();
    await card.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('button', { name: 'heeded' }).click();
    await check('a memory in which something was done');
  }
});
