import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, pressUntil } from './browser.ts';
import { useSite } from './site.ts';

const PHONE = { viewport: { width: 380, height: 800 } } as const;

describe.skipIf(CHROMIUM === undefined)('The frame of the app', () => {
  const site = useSite({ sessions: 60 });
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.className');

  test('has every page in a rail, with the current one marked and in the title', async () => {
    const { page } = await site.open('#/memory');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expect
      .poll(() => links.allTextContents())
      .toEqual(
        expect.arrayContaining([
          'Projects',
          'Search',
          'Overview',
          'Sessions',
          'Timeline',
          'Memory',
          'Chat',
          'Settings',
        ]),
      );
    expect(await page.locator('.rail [aria-current=page]').textContent()).toBe('Memory');
    await expect.poll(() => page.title()).toBe('Memory · shop · yore');
    for (const [key, title] of [
      ['o', 'Overview'],
      ['h', 'Sessions'],
      ['p', 'Projects'],
      [',', 'Settings'],
    ] as const) {
      const current = page.locator('.rail [aria-current=page]');
      await pressUntil(page, ['g', key], async () => (await current.textContent()) === title);
      await page.evaluate('document.activeElement.blur()');
    }
  });

  test('keeps content at most 1,200 pixels wide', async () => {
    const { page } = await site.open('#/', { viewport: { width: 1900, height: 900 } });
    const list = page.getByRole('list', { name: 'Projects' });
    await list.waitFor();
    expect((await list.boundingBox())?.width).toBeLessThanOrEqual(1200);
  });

  test('switches projects from the keyboard: by name or path, with their last activity', async () => {
    const { page } = await site.open('#/overview');
    await page.getByText('A web shop').waitFor();
    const box = page.getByRole('combobox', { name: 'Projects' });
    await pressUntil(page, ['g', 'g'], () => box.isVisible());
    expect(await page.getByRole('option').count()).toBe(2);
    expect(await page.getByRole('option').first().locator('time').count()).toBe(1);
    await page.keyboard.type('~/too');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('p=bbbb2222');
    expect(page.url()).toContain('#/overview');
    await page.getByRole('button', { name: 'Switch project' }).click();
    await box.fill('nowhere');
    await page.getByText('No project matches.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('combobox').count()).toBe(0);
    expect(await focused(page)).toContain('switcher');
  });

  test('tells projects of the same name apart by their folders', async () => {
    const active = { lastActiveAt: '2026-11-15T11:00:00.000Z' };
    site.server.projects = [
      { id: 'aaaa1111', name: 'api', label: 'work/api', path: '~/work/api', ...active },
      { id: 'bbbb2222', name: 'api', label: 'play/api', path: '~/play/api', ...active },
    ];
    const { page } = await site.open('#/');
    await expect.poll(() => page.locator('.project-title').allTextContents()).toEqual(['work/api', 'play/api']);
    expect(await page.locator('.rail .switcher-name').textContent()).toContain('work/api');
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toContainEqual(expect.stringContaining('play/api'));
  });

  test('has at most five entries in the bar of a phone, and the other pages under More', async () => {
    const { page } = await site.open('#/overview', PHONE);
    const bar = page.locator('.bottom');
    await bar.getByText('Overview').waitFor();
    expect(await bar.locator('a, button').count()).toBeLessThanOrEqual(5);
    const reachable = await bar.getByRole('link').allTextContents();
    for (const title of ['Timeline', 'Memory', 'Chat', 'Settings']) {
      await bar.getByRole('button', { name: 'More' }).click();
      const sheet = page.getByRole('dialog', { name: 'More pages' });
      await sheet.getByRole('link', { name: title }).click();
      await expect.poll(() => page.title()).toContain(title);
      await expect.poll(() => sheet.count()).toBe(0);
      reachable.push(title);
    }
    expect(reachable).toEqual(expect.arrayContaining(['Projects', 'Search', 'Overview', 'Sessions']));
  });

  test('says that the data is that of the demo', async () => {
    const { page } = await site.open('#/overview');
    await page.getByText('A web shop').waitFor();
    expect(await page.getByText('Demo data').count()).toBe(0);
    site.server.isDemo = true;
    await page.reload();
    await page.locator('.rail').getByText('Demo data').waitFor();
  });

  test('remembers the theme and the width of panes in the browser, set by pointer or keyboard', async () => {
    const { page } = await site.open('#/history', { colorScheme: 'light' });
    const handle = page.getByRole('separator', { name: 'Width of the session list' });
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await handle.getAttribute('aria-valuenow')).toBe('412');
    const width = async () => Math.round((await page.locator('.list-panel').boundingBox())?.width ?? 0);
    expect(await width()).toBe(412);
    const box = await handle.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 3, 400);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) - 60, 400, { steps: 4 });
    await page.mouse.up();
    const dragged = await width();
    expect(dragged).toBeLessThan(370);
    await page.evaluate('document.activeElement.blur()');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    for (const theme of ['light', 'dark']) {
      await page.keyboard.press('T');
      await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
    }
    expect(await background()).not.toBe(light);
    await page.goto(`${site.server.url}#/history`);
    await page.reload();
    await page.locator('.list-panel').waitFor();
    expect(await width()).toBe(dragged);
    expect(await background()).not.toBe(light);
  });

  test('shows the shape of a page only when loading takes a while', async () => {
    site.server.failing.set('project.overview', 'no answer');
    const { page } = await site.open('#/overview');
    const skeleton = page.locator('main .skeleton');
    await skeleton.waitFor();
    expect(await page.evaluate('getComputedStyle(document.querySelector(".skeleton")).animationDelay')).toBe('0.15s');
  });
});
