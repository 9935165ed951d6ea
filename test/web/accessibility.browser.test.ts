import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

const PAGES = [
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
  { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 380, height: 800 } },
] as const;

describe.skipIf(CHROMIUM === undefined)('Every page', () => {
  const site = useSite();

  test.each(LOOKS)(
    'can be used by everybody, $colorScheme, $viewport.width wide',
    { timeout: 120_000 },
    async (look) => {
      const { chat } = site.server;
      chat.ask('Why?');
      chat.say(
        'Because of `this`:\n\n```ts\nconst x = "y"; // why\n```\n\n> a quote\n\n[a link](https://example.com)',
      );
      chat.end();
      const { page, problems } = await site.open('#/chat', look);
      for (const [fragment, sign] of PAGES) {
        await page.goto('about:blank');
        await page.goto(`${site.server.url}${fragment}`);
        await page.locator(sign).first().waitFor({ state: 'attached' });
        expect(await violations(page), fragment).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), fragment).toBe(
          true,
        );
      }
      await page.goto(`${site.server.url}#/history`);
      const filters = page.getByRole('button', { name: 'Filters' });
      if (await filters.isVisible()) {
        await filters.click();
        await page.getByRole('group', { name: 'Filters' }).waitFor();
        expect(await violations(page), 'filters').toEqual([]);
      }
      expect(problems).toEqual([]);
    },
  );
});

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then(({ violations }) => violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) => [id, impact, html, failureSummary])))',
  )) as readonly (readonly [string, string, string, string])[];
  return found
    .filter(([, impact]) => impact === 'serious' || impact === 'critical')
    .map(([id, , html, summary]) => `${id}: ${html.slice(0, 160)} ${summary.slice(0, 240)}`);
}
