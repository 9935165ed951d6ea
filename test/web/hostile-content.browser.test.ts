import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

const HOSTILE: readonly (readonly [id: string, content: string])[] = [
  [
    'message-1-0',
    '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><b onclick="hacked=1">bold</b>',
  ],
  [
    'message-1-1',
    '[click me](javascript:window.hacked=1) [data](data:text/html,<script>hacked=1</script>) [vb](vbscript:x)',
  ],
  [
    'message-1-3',
    '![picture](https://tracker.invalid/pixel.png) <iframe src="https://frame.invalid"></iframe><svg onload=hacked=1>',
  ],
  ['message-1-4', 'safe \u202Etxt.exe\u2066 end \u001b[31mred\u001b[0m \u001b]0;title\u0007 bell\u0007'],
  [
    'message-1-5',
    '</div></article><style>body{display:none}</style><form action="https://form.invalid"><input></form>',
  ],
  ['message-1-7', `${'x'.repeat(300_000)}`],
  ['message-1-8', `${'[['.repeat(4_000)}${'*_'.repeat(4_000)}`],
  [
    'message-1-9',
    '<a href="#/memory" style="position:fixed;inset:0" id="app" data-session="x" class="cover">cover</a>',
  ],
];

describe.skipIf(CHROMIUM === undefined)('Hostile content', () => {
  const site = useSite({ special: new Map(HOSTILE) });

  test.each([
    ['in the history', '#/history?session=sess-1'],
    ['in the chat', '#/chat'],
  ])('does nothing %s', async (_where, fragment) => {
    site.server.chat.messages = HOSTILE.map(([id, content]) => ({ id, role: 'assistant', content }));
    const { page, problems } = await site.open(fragment);
    await page.locator('[data-message="message-1-0"]').waitFor();
    for (const [id] of HOSTILE) {
      const message = page.locator(`[data-message="${id}"]`);
      for (let tries = 0; tries < 40 && (await message.count()) === 0; tries += 1) {
        await page
          .locator('.virtual, .chat-messages')
          .last()
          .evaluate((element) => element.scrollBy(0, 400));
        await page.waitForTimeout(50);
      }
      await message.scrollIntoViewIfNeeded();
      expect(
        await message.locator('script, iframe, svg, style, form, .markdown img, [onclick], [style]').count(),
      ).toBe(0);
      const links = await message
        .locator('a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(
        links.filter((href) => href !== null && !href.startsWith('https://') && !href.startsWith('/image/')),
      ).toEqual([]);
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test('is shown as it was written, with what would mislead spelled out', async () => {
    const { page } = await site.open('#/history?session=sess-1');
    const text = (id: string) => page.locator(`[data-message="${id}"] .markdown`).textContent();
    await page.locator('[data-message="message-1-0"]').waitFor();
    expect(await text('message-1-0')).toContain('<script>window.hacked = 1</script>');
    expect(await text('message-1-4')).toContain('safe ⟨U+202E⟩txt.exe⟨U+2066⟩ end red  bell');
  });

  test('of a huge line is cut until it is asked for, and breaks no layout', async () => {
    const { page } = await site.open('#/history?session=sess-1&match=message-1-7');
    const huge = page.locator('[data-message="message-1-7"]');
    await huge.waitFor();
    expect((await huge.locator('pre').textContent())?.length).toBeLessThan(10_000);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await huge.getByRole('button', { name: 'Show all 300,000 characters' }).click();
    await expect.poll(async () => (await huge.locator('pre').textContent())?.length).toBe(300_000);
  });
});
