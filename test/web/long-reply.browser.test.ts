import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

const paragraph = (index: number) =>
  `## Part ${index}\n\nSome **words** about part ${index} and \`code ${index}\`.\n\n\`\`\`ts\nconst part = ${index};\n\nexport { part };\n\`\`\`\n\n`;

describe.skipIf(CHROMIUM === undefined)('A long reply', () => {
  const site = useSite();

  test('is rendered block by block, and complete blocks are not rendered again', async () => {
    const { chat } = site.server;
    const { page } = await site.open('#/chat');
    await page.getByRole('log').waitFor();
    chat.ask('Tell me everything');
    const text = Array.from({ length: 700 }, (_, index) => paragraph(index)).join('');
    expect(text.length).toBeGreaterThan(60_000);
    for (let at = 0; at < 30_000; at += 40) chat.say(text.slice(at, at + 40));
    await page.getByRole('heading', { name: 'Part 200' }).waitFor();
    await page.evaluate(
      `document.querySelectorAll('.is-growing .markdown').forEach((block) => block.setAttribute('data-seen', ''))`,
    );
    const seen = await page.locator('[data-seen]').count();
    expect(seen).toBeGreaterThan(50);
    for (let at = 30_000; at < text.length; at += 40) chat.say(text.slice(at, at + 40));
    await page.getByRole('heading', { name: 'Part 699' }).waitFor();
    // The last one of those was still growing.
    expect(await page.locator('[data-seen]').count()).toBeGreaterThanOrEqual(seen - 1);
    chat.end();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await page.locator('[data-seen]').count()).toBeGreaterThanOrEqual(seen - 1);
    expect(await page.locator('.message.assistant h2').count()).toBe(700);
    expect(await page.locator('.message.assistant pre').count()).toBe(700);
  });

  test('is followed to its end unless the user has scrolled up', async () => {
    const { chat } = site.server;
    const { page } = await site.open('#/chat');
    const log = page.getByRole('log');
    await log.waitFor();
    chat.ask('Tell me much');
    for (let index = 0; index < 40; index += 1) chat.say(paragraph(index));
    await page.getByRole('heading', { name: 'Part 39' }).waitFor();
    const isAtEnd = () =>
      log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 80);
    await expect.poll(isAtEnd).toBe(true);
    await log.evaluate((element) => element.scrollTo(0, 100));
    for (let index = 40; index < 60; index += 1) chat.say(paragraph(index));
    await page.getByRole('heading', { name: 'Part 59' }).waitFor({ state: 'attached' });
    // The browser keeps the text in place, so the offset may change a little.
    expect(await log.evaluate((element) => element.scrollTop)).toBeLessThan(200);
  });

  test('has code blocks that can be copied', async () => {
    const { chat } = site.server;
    chat.ask('How?');
    chat.say('Like this:\n\n```ts\nconst port = 1;\nopen(port); // <now>\n```\n');
    chat.end();
    const { page } = await site.open('#/chat');
    await page.getByRole('button', { name: 'Copy code' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('const port = 1;\nopen(port); // <now>');
  });
});
