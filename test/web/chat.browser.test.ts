import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The chat', () => {
  const site = useSite();

  test('sends a message and renders the reply as Markdown while it is streamed', async () => {
    const { page, problems } = await site.open('#/chat');
    await page.getByLabel('Message', { exact: true }).fill('Why does it fail?');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Why does it fail?').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
    site.server.chat.say('The **port** was');
    await page.getByRole('log').locator('strong').getByText('port').waitFor();
    site.server.chat.say(' taken.\n\n```ts\nconst port = 1;\n```\n');
    await page.locator('.hljs-keyword').getByText('const').waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    site.server.chat.end();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await page.getByRole('log').locator('.message').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test('stops a reply', async () => {
    site.server.chat.ask('A long question');
    const { page } = await site.open('#/chat');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => site.server.called('chat.cancel').length).toBe(1);
  });

  test.each([
    { percent: 75, tone: 'good' },
    { percent: 90, tone: 'soon' },
    { percent: 91, tone: 'full' },
  ])('shows a history of $percent percent of the trigger as $tone', async ({ percent, tone }) => {
    site.server.chat.percent = percent;
    const { page } = await site.open('#/chat');
    await page.locator(`meter.${tone}`).waitFor();
    await page.getByText(`${percent} % of 32 k`).waitFor();
  });

  test('takes no input during a compaction, then shows the compacted history and its summary', async () => {
    const { chat } = site.server;
    chat.ask('First');
    chat.say('One');
    chat.end();
    const { page } = await site.open('#/chat');
    await page.getByText('First').waitFor();
    chat.isCompacting = true;
    chat.emit({ type: 'compaction-start' });
    await page.getByText('Compacting…').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).isDisabled()).toBe(true);
    chat.isCompacting = false;
    chat.messages = [{ id: 'kept', role: 'user', content: 'What was kept' }];
    const sizes = { tokensBefore: 40_000, tokensAfter: 8_000 };
    chat.emit({ type: 'compaction-complete', case: 'summarise', summary: 'Asked about the port.', ...sizes });
    await page.getByText('What was kept').waitFor();
    expect(await page.getByText('First').count()).toBe(0);
    await page.getByText('compacted from 40 k to 8 k tokens').click();
    await page.getByText('Asked about the port.').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).isEnabled()).toBe(true);
  });

  test('shows nothing after a compaction that had nothing to do', async () => {
    const { chat } = site.server;
    const { page } = await site.open('#/chat');
    await page.getByRole('log').waitFor();
    chat.emit({ type: 'compaction-start' });
    await page.getByText('Compacting…').waitFor();
    chat.emit({ type: 'compaction-complete', case: 'none', summary: '', tokensBefore: 1, tokensAfter: 1 });
    await expect.poll(() => page.getByText('Compacting…').count()).toBe(0);
    expect(await page.getByText('was compacted').count()).toBe(0);
  });

  test('shows an error and takes input again', async () => {
    const { chat } = site.server;
    const { page } = await site.open('#/chat');
    await page.getByRole('log').waitFor();
    chat.emit({ type: 'compaction-start' });
    await page.getByText('Compacting…').waitFor();
    chat.emit({
      type: 'compaction-error',
      error: { code: 'MODEL', message: 'The history could not be shortened.' },
    });
    await page.getByRole('alert').getByText('could not be shortened').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).isEnabled()).toBe(true);
    const requestId = chat.ask('Again?');
    chat.streaming = null;
    chat.emit({ type: 'failed', requestId, error: { code: 'MODEL', message: 'The model is asleep.' } });
    await page.getByRole('alert').getByText('The model is asleep.').waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  test('restores the draft when it could not be sent', async () => {
    site.server.failing.set('chat.send', 'A reply is being made.');
    const { page } = await site.open('#/chat');
    await page.getByLabel('Message', { exact: true }).fill('Too early');
    await page.keyboard.press('Enter');
    await page.getByText('A reply is being made.').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Too early');
  });

  test('recalls earlier prompts on Up, and the draft on Down', async () => {
    const { page } = await site.open('#/chat');
    const prompt = page.getByLabel('Message', { exact: true });
    await prompt.fill('half a thought');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => prompt.inputValue()).toBe('second earlier prompt');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => prompt.inputValue()).toBe('first earlier prompt');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => prompt.inputValue()).toBe('half a thought');
  });

  test('finds, selects and drops files', async () => {
    const { page } = await site.open('#/chat');
    await page.locator('summary', { hasText: 'Files' }).click();
    await page.getByLabel('Find a file in the project').fill('export');
    await expect.poll(() => page.locator('.picker li').count()).toBe(1);
    await page.getByLabel('src/export.ts').check();
    await expect.poll(() => site.server.chat.files).toEqual(['src/export.ts']);
    await page.getByLabel('src/export.ts').uncheck();
    await expect.poll(() => site.server.chat.files).toEqual([]);
  });

  test('sends chosen images, and refuses other files', async () => {
    const { page } = await site.open('#/chat');
    const chooser = page.locator('input[type=file]');
    await chooser.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await page.getByText('Only PNG, JPEG, GIF and WebP').waitFor();
    await chooser.setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.from('89504e47', 'hex'),
    });
    await page.getByRole('button', { name: 'Remove image 1' }).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Look');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => site.server.called('chat.send').at(0)?.params.images)
      .toEqual(['data:image/png;base64,iVBORw==']);
  });

  test('shows the cache tiers of the last prompt', async () => {
    const empty = { tokens: 0, cached: false, items: 0 };
    const L0 = { tokens: 4_000, cached: true, items: 2 };
    site.server.chat.tiers = { L0, L1: empty, L2: empty, L3: empty, active: empty };
    const { page } = await site.open('#/chat');
    await page.getByText('40 % of 32 k').click();
    const row = page.getByRole('row', { name: 'L0, 2 items' });
    expect(await row.getByRole('cell').allTextContents()).toEqual(['4,000', 'yes']);
  });

  test('takes no input when the server is read-only', async () => {
    site.server.chat.isReadOnly = true;
    const { page } = await site.open('#/chat');
    await page.getByPlaceholder('This server is read-only').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).isDisabled()).toBe(true);
  });

  test('starts a new session', async () => {
    site.server.chat.ask('Old question');
    site.server.chat.say('Old answer');
    site.server.chat.end();
    const { page } = await site.open('#/chat');
    await page.getByText('Old question').waitFor();
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByText('No messages yet.').waitFor();
  });

  test('reconnects without losing or repeating messages', async () => {
    const { chat } = site.server;
    chat.ask('First question');
    chat.say('First answer');
    chat.end();
    chat.ask('Second question');
    chat.say('Half an ');
    const { page } = await site.open('#/chat');
    await page.getByText('Half an').waitFor();
    await site.server.stop();
    await page.getByText('Cannot reach the server.').waitFor();
    chat.say('answer');
    await site.server.start();
    await page.getByText('Half an answer').waitFor();
    expect(await page.getByText('Cannot reach the server.').count()).toBe(0);
    chat.say(' and its end');
    chat.end();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    const messages = await page.getByRole('log').locator('.message .markdown').allTextContents();
    expect(messages.map((text) => text.trim())).toEqual([
      'First question',
      'First answer',
      'Second question',
      'Half an answer and its end',
    ]);
  });

  test('restores a question that the server did not get, and only then', async () => {
    site.server.failing.set('chat.send', 'no answer');
    const { page } = await site.open('#/chat');
    const prompt = page.getByLabel('Message', { exact: true });
    await prompt.fill('Did this arrive?');
    await page.keyboard.press('Enter');
    await expect.poll(() => site.server.called('chat.send').length).toBe(1);
    await site.server.stop();
    site.server.failing.clear();
    await site.server.start();
    await expect.poll(() => prompt.inputValue()).toBe('Did this arrive?');
    expect(site.server.called('chat.send')).toHaveLength(1);
    await prompt.fill('This one does');
    site.server.failing.set('chat.send', 'no answer');
    await page.keyboard.press('Enter');
    await expect.poll(() => site.server.called('chat.send').length).toBe(2);
    await site.server.stop();
    site.server.chat.ask('This one does');
    site.server.failing.clear();
    await site.server.start();
    await page.getByRole('log').getByText('This one does').waitFor();
    expect(await prompt.inputValue()).toBe('');
  });
});
