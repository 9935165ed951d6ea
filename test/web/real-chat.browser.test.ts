import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openChat } from '../../src/chat/index.ts';
import { openHome, type Project } from '../../src/project/index.ts';
import { ModelServer } from '../chat/model-server.ts';
import { newPlace, serve } from '../server/serving.ts';
import { CHROMIUM, connectBrowser, openPage, PIXEL } from './browser.ts';

describe.skipIf(CHROMIUM === undefined)('The chat with a model, over the real server', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  /** A page whose chat is answered by a model server. */
  async function open(
    model: ModelServer,
    settings: object = {},
    prepare: (project: Project) => void = () => undefined,
  ): Promise<Page> {
    const place = { ...newPlace(), web: inject('app') };
    writeFileSync(join(place.cwd, 'list.ts'), 'export const list = [1, 2, 3];\n');
    const chosen = { provider: 'openai-compatible', name: 'm', baseUrl: model.url };
    writeFileSync(join(place.home, 'config.json'), JSON.stringify({ model: chosen, ...settings }));
    const home = openHome({ home: place.home, env: { PATH: process.env.PATH } });
    onTestFinished(() => home.close());
    prepare(home.openProject(place.cwd));
    const env = { OPENAI_API_KEY: 'none' };
    const server = await serve({
      place,
      home,
      openChat: (project, root) => openChat({ home, project, root, env, now: Date.now }).chat,
    });
    const { page } = await openPage(browser, server.url);
    onTestFinished(() => page.context().close());
    await page.getByRole('link', { name: 'Chat' }).click();
    await page.getByText('answered by').waitFor();
    return page;
  }

  async function ask(page: Page, prompt: string): Promise<void> {
    await page.getByLabel('Message', { exact: true }).fill(prompt);
    await page.keyboard.press('Enter');
  }

  test('streams Markdown, and keeps a stopped reply with a mark', async () => {
    const model = await ModelServer.start();
    model.script([{ say: 'The **po' }, { say: 'rt** is' }, { stall: true }]);
    const page = await open(model);
    await ask(page, 'Which port?');
    await page.getByLabel('Reply in progress').locator('strong').getByText('port').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.message.assistant .badge').getByText('stopped').waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await expect.poll(() => model.hangUps).toBe(1);
    await page.reload();
    await page.locator('.message.assistant .badge').getByText('stopped').waitFor();
    expect(await page.locator('.message.assistant .markdown').allTextContents()).toEqual(['The port is\n']);
  });

  test('shows suggested commands with what the guard says and a Copy button', async () => {
    const model = await ModelServer.start();
    model.script([
      { say: 'Install it:\nCMD: npm install redis-node\nor:\nCMD: npm run build\n```\nCMD: quoted\n```\n' },
    ]);
    const page = await open(model, {}, (project) => {
      const recorder = project.recorder();
      const run = (command: string, minutesAgo: number) => ({
        sessionId: 'earlier',
        tool: 'Bash',
        input: { command },
        timestamp: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
      });
      const output = 'npm error code E404\nnpm error 404 Not Found';
      recorder.record(run('npm install redis-node', 90), { status: 'error', exitCode: 1, output });
      recorder.record(run('npm install ioredis', 80), { status: 'ok', exitCode: 0, output: 'added 1 package' });
    });
    await ask(page, 'How do I add redis?');
    const commands = page.locator('.suggested-command');
    await commands.nth(1).getByText('no known failure').waitFor();
    expect(await commands.locator('pre').allTextContents()).toEqual(['npm install redis-node', 'npm run build']);
    const warned = commands.nth(0);
    await warned.getByText('Failed before').waitFor();
    expect(await warned.textContent()).toMatch(/npm install redis-node failed on .*: .*404 Not Found/);
    expect(await warned.textContent()).toContain('Worked instead: npm install ioredis');
    // A quoted line is not a suggestion.
    await page.locator('.markdown pre').getByText('CMD: quoted').waitFor();
    await page.getByRole('button', { name: 'Copy the command npm run build' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm run build');
    await page.reload();
    await page.locator('.suggested-command').getByText('Failed before').waitFor();
  });

  test('finds the messages of a chat that is not recorded, and leads back to it', async () => {
    const model = await ModelServer.start();
    model.script([{ say: 'Okapis are related to giraffes.' }]);
    const page = await open(model, { recording: { enabled: false } });
    await ask(page, 'What is an okapi?');
    await page.getByText('related to giraffes').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('searchbox').fill('GIRAFFES');
    await page.getByText('Current chat (not recorded)').waitFor();
    await page.locator('.result-hit').click();
    await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
    await page.getByText('related to giraffes').waitFor();
  });

  test('shows why a question failed, and lets the user ask again', async () => {
    const model = await ModelServer.start();
    model.script([{ status: 401, message: 'This key is not known.' }], [{ say: 'Now it works.' }]);
    const page = await open(model);
    await ask(page, 'Are you there?');
    await page.getByRole('alert').getByText('This key is not known.').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.keyboard.press('Enter');
    await page.getByText('Now it works.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('sends files and images, shows images after a reload, and sends them once', async () => {
    const model = await ModelServer.start();
    model.script([{ say: 'A tiny one.' }], [{ say: 'Still tiny.' }]);
    const page = await open(model);
    await page.locator('summary', { hasText: 'Files' }).click();
    await page.getByLabel('list.ts').check();
    await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('button', { name: 'Remove image 1' }).waitFor();
    await ask(page, 'What is this?');
    await page.getByText('A tiny one.').waitFor();
    await page.reload();
    const image = page.getByRole('img', { name: 'Attachment 1' });
    await image.waitFor();
    await expect.poll(() => image.evaluate((element) => Object(element).naturalWidth)).toBe(1);
    await ask(page, 'And now?');
    await page.getByText('Still tiny.').waitFor();
    const [first, second] = model.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('image_url');
    expect(first).toContain('export const list');
    expect(second).not.toContain('image_url');
  });

  test('compacts a long history and says so', async () => {
    const model = await ModelServer.start();
    const long = 'many words about lists and ports '.repeat(120);
    model.script([{ say: long }]);
    const page = await open(model, {
      compaction: {
        triggerTokens: 1200,
        verbatimWindowTokens: 200,
        minVerbatimExchanges: 1,
        summaryBudgetTokens: 100,
      },
    });
    await ask(page, 'First question');
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await ask(page, 'Second question');
    await page.getByText(/The history was compacted from .* tokens\./).waitFor();
    expect(await page.getByLabel('Message', { exact: true }).isEnabled()).toBe(true);
    await page.getByRole('log').getByText('Second question').waitFor();
  });
});
