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
  ['message-1-11', `${'*a_'.repeat(1_600)}\n`.repeat(4)],
  ['message-2-0', `${'>'.repeat(4_000)} deep`],
  ['message-2-1', `${'- '.repeat(2_000)}deep`],
  ['message-2-3', `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${`|${'b|'.repeat(50)}\n`.repeat(10_000)}`],
  ['message-2-4', `${'1. '.repeat(1_600)}\n`.repeat(4)],
  [
    'message-2-5',
    '<details open ontoggle=hacked=1><summary>x</summary></details><math><mi xlink:href="javascript:hacked=1">',
  ],
];

const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const ELSEWHERE: readonly (readonly [name: string, content: string])[] = [
  ['preview-0', `${SCRIPT}\u202e preview \u001b[31mred`],
  ['branch-0', `${SCRIPT}\u202ebranch`],
  ['agent-0', `${SCRIPT}${'y'.repeat(1_000)}`],
  ['attempt-0-2', `echo ${SCRIPT}\u202e`],
  ['error-0-2', `Error: ${SCRIPT}\u202e error\n${'z'.repeat(500_000)}`],
];

describe.skipIf(CHROMIUM === undefined)('Hostile content', () => {
  const site = useSite({ special: new Map([...HOSTILE, ...ELSEWHERE]) });

  test.each([
    ['in the history', '#/history?session=sess-1'],
    ['in the chat', '#/chat'],
  ])('is harmless %s', async (_where, fragment) => {
    const shown = HOSTILE.filter(([id]) => fragment === '#/chat' || id.startsWith('message-1-'));
    site.server.chat.messages = shown.map(([id, content]) => ({ id, role: 'assistant', content }));
    const { page, problems } = await site.open(fragment);
    await page.locator('[data-message="message-1-0"]').waitFor();
    for (const [id] of shown) {
      const message = page.locator(`[data-message="${id}"]`);
      const scroller = page.locator('.virtual, .chat-messages').last();
      const isRendered = async () => {
        if ((await message.count()) > 0) return true;
        await scroller.evaluate((element) => element.scrollBy(0, 400));
        return false;
      };
      await expect.poll(isRendered).toBe(true);
      await message.scrollIntoViewIfNeeded();
      expect(await message.locator('script, iframe, svg, style, form, .markdown img, [onclick], [style]').count()).toBe(
        0,
      );
      const links = await message.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(
        links.filter((href) => href !== null && !href.startsWith('https://') && !href.startsWith('/image/')),
      ).toEqual([]);
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test('does not block the page by keeping the parser busy', async () => {
    const { page } = await site.open('#/history?session=sess-2&of=aaaa1111');
    await page.locator('[data-message="message-2-5"]').waitFor();
    expect(await page.locator('[data-message="message-2-0"]').textContent()).toContain('> deep');
    await page.getByRole('button', { name: /^Show all 1,\d+,\d+ characters$/ }).waitFor();
    await page.locator('[data-session="sess-1"]').click();
    await page.locator('[data-message="message-1-0"]').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('is harmless in previews, branches, names, attempts, errors and snippets', async () => {
    const { history } = site.server;
    site.server.projects = site.server.projects.map((project) => ({ ...project, name: `${SCRIPT}\u202e` }));
    const { page } = await site.open('#/history?in=all&session=sess-0&of=aaaa1111');
    await page.locator('[data-message="message-0-0"]').waitFor();
    const row = page.locator('[data-session="sess-0"]');
    expect(await row.locator('.session-preview').textContent()).toBe(`${SCRIPT}⟨U+202E⟩ preview red`);
    expect(await row.locator('.branch').textContent()).toBe(`${SCRIPT}⟨U+202E⟩branch`);
    expect(await row.getByRole('img').getAttribute('aria-label')).toContain('<img src=x');
    expect(await row.getByRole('img').textContent()).toBe('<i');
    expect(await row.textContent()).toContain(`${SCRIPT}⟨U+202E⟩`);
    const attempt = page.locator('[data-message="attempt-0-2"]');
    expect(await attempt.locator('code').textContent()).toBe(`echo ${SCRIPT}⟨U+202E⟩`);
    expect(await attempt.locator('.attempt-error').textContent()).toContain('⟨U+202E⟩ error');
    await attempt.getByRole('button').first().click();
    const shown = await attempt.locator('pre.output').textContent();
    expect(shown).toContain(`Error: ${SCRIPT}⟨U+202E⟩ error`);
    expect(shown?.length).toBeLessThan(5_000);
    await attempt.getByRole('button', { name: /^Copy/ }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`echo ${SCRIPT}⟨U+202E⟩`);
    await page.getByLabel('Search the history').fill('onerror');
    const snippet = page.locator('[data-hit="message-1-0"] .snippet');
    await snippet.waitFor();
    expect(await snippet.textContent()).toContain('onerror="window.hacked');
    expect(await page.locator('.list-panel :is(script, img, iframe, svg)').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(history.summary(0).preview).toContain('\u001b');
  });

  test('is shown as text, with misleading characters spelled out', async () => {
    const { page } = await site.open('#/history?session=sess-1');
    const text = (id: string) => page.locator(`[data-message="${id}"] .markdown`).textContent();
    await page.locator('[data-message="message-1-0"]').waitFor();
    // A message that is markup from start to end is a notice, which is shown on one line.
    await page.locator('[data-message="message-1-0"] .notice-line').click();
    expect(await text('message-1-0')).toContain('<script>window.hacked = 1</script>');
    expect(await text('message-1-4')).toContain('safe ⟨U+202E⟩txt.exe⟨U+2066⟩ end red  bell');
  });

  test('is truncated when a line is huge, and does not break the layout', async () => {
    const { page } = await site.open('#/history?session=sess-1&match=message-1-7');
    const huge = page.locator('[data-message="message-1-7"]');
    await huge.waitFor();
    expect((await huge.locator('pre').textContent())?.length).toBeLessThan(10_000);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await huge.getByRole('button', { name: 'Show all 300,000 characters' }).click();
    await expect.poll(async () => (await huge.locator('pre').textContent())?.length).toBe(300_000);
  });
});
