import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

const PAGES = [
  ['#/chat', '.chat-messages .message'],
  ['#/chat?history=1&session=sess-1', '[data-message]'],
  ['#/history?session=sess-1', '[data-message]'],
  ['#/history?q=needle-2&session=sess-2&match=message-2-5', '.is-match'],
  ['#/overview', '.chart rect'],
  ['#/timeline', '.timeline-table a'],
  ['#/memory', '.card'],
  ['#/search?find=needle', '.result-hit'],
] as const;
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1200, 380].map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
);

describe.skipIf(CHROMIUM === undefined)('Every page', () => {
  const site = useSite();

  test.each(LOOKS)(
    'can be used by everybody, $colorScheme, $viewport.width wide',
    { timeout: 60_000 },
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
      expect(problems).toEqual([]);
    },
  );
});

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) => [id, impact, html, failureSummary])))',
  )) as readonly (readonly [string, string, string, string])[];
  return found
    .filter(([, impact]) => impact === 'serious' || impact === 'critical')
    .map(([id, , html, summary]) => `${id}: ${html.slice(0, 160)} ${summary.slice(0, 240)}`);
}
