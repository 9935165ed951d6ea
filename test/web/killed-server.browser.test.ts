import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { ModelServer } from '../chat/model-server.ts';
import { newPlace, type ServedPlace } from '../server/serving.ts';
import { CHROMIUM, connectBrowser, openPage } from './browser.ts';
import { bundleServer, type ServerScript, serveProcess } from './server-process.ts';

describe.skipIf(CHROMIUM === undefined)('A server that is killed during a chat', () => {
  let browser: Browser;
  let script: ServerScript;
  beforeAll(async () => {
    [browser, script] = await Promise.all([connectBrowser(), bundleServer()]);
  });
  afterAll(async () => {
    await browser?.close();
    script?.remove();
  });

  /** A home whose chats are answered by a real model server. */
  function placeWith(model: ModelServer): ServedPlace {
    const place = { ...newPlace(), web: inject('app') };
    const settings = { provider: 'openai-compatible', name: 'm', baseUrl: model.url };
    writeFileSync(join(place.home, 'config.json'), JSON.stringify({ model: settings }));
    return place;
  }

  async function open(url: string): Promise<Page> {
    const { page } = await openPage(browser, url);
    onTestFinished(() => page.context().close());
    await page.getByRole('link', { name: 'Chat' }).click();
    return page;
  }

  const said = async (page: Page) =>
    (await page.getByRole('log').locator('.message .markdown').allTextContents()).map((text) => text.trim());
  const isBack = (page: Page) => expect.poll(() => page.getByText('Cannot reach the server.').count()).toBe(0);

  test('reconnects, shows each message once, marks the reply as interrupted, and continues the chat', async () => {
    const model = await ModelServer.start();
    model.script([{ say: 'One.' }], [{ say: 'Half of ' }, { say: 'an answer' }, { stall: true }], [{ say: 'Three.' }]);
    const place = placeWith(model);
    const before = await serveProcess(script, place);
    const page = await open(before.url);
    const prompt = page.getByLabel('Message', { exact: true });
    await prompt.fill('First');
    await prompt.press('Enter');
    await page.getByText('One.').waitFor();
    await prompt.fill('Second');
    await prompt.press('Enter');
    await page.getByText('Half of an answer').waitFor();
    await prompt.fill('typed, but not sent');

    await before.kill();
    await page.getByText('Cannot reach the server.').waitFor();
    expect(await said(page)).toEqual(['First', 'One.', 'Second', 'Half of an answer']);
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);

    await serveProcess(script, place, before.port);
    await isBack(page);
    const broken = page.getByLabel('Interrupted reply');
    await broken.getByText('Half of an answer').waitFor();
    expect(await said(page)).toEqual(['First', 'One.', 'Second', 'Half of an answer']);
    expect(await prompt.inputValue()).toBe('typed, but not sent');

    await prompt.press('Enter');
    await page.getByText('Three.').waitFor();
    expect(await said(page)).toEqual(['First', 'One.', 'Second', 'typed, but not sent', 'Three.']);
    expect(model.requests).toHaveLength(3);

    await page.reload();
    await page.getByText('Three.').waitFor();
    expect(await said(page)).toEqual(['First', 'One.', 'Second', 'typed, but not sent', 'Three.']);
  });

  test('leaves a question that a page opened later shows as interrupted, and can ask again', async () => {
    const model = await ModelServer.start();
    model.script([{ say: 'Half' }, { stall: true }], [{ say: 'Whole.' }]);
    const place = placeWith(model);
    const before = await serveProcess(script, place);
    const first = await open(before.url);
    await first.getByLabel('Message', { exact: true }).fill('Why?');
    await first.keyboard.press('Enter');
    await first.getByText('Half').waitFor();
    await before.kill();
    await first.context().close();

    const after = await serveProcess(script, place, before.port);
    const page = await open(after.url);
    await page.getByText('The reply was interrupted.').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.keyboard.press('Enter');
    await page.getByText('Whole.').waitFor();
    expect(await said(page)).toEqual(['Why?', 'Why?', 'Whole.']);
  });
});
