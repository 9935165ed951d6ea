import { describe, expect, test } from 'vitest';
import { CHROMIUM, violations } from './browser.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The palette', () => {
  const site = useSite({ sessions: 100_000 });

  test('opens with Ctrl-K everywhere, also while typing, and gives the focus back', async () => {
    const { page } = await site.open('#/chat');
    const message = page.getByLabel('Message', { exact: true });
    await message.waitFor();
    await message.focus();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Jump to' });
    await box.waitFor();
    expect(await box.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => box.count()).toBe(0);
    expect(await message.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Meta+k');
    await box.waitFor();
  });

  test('goes to pages, projects, sessions and files, and runs actions, by keyboard alone', async () => {
    const { page } = await site.open('#/overview');
    await page.locator('.rail').waitFor();
    const jump = async (text: string, option: RegExp | string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Jump to' }).waitFor();
      await page.keyboard.type(text);
      const wanted = page.getByRole('option', { name: option }).first();
      await wanted.waitFor();
      for (let step = 0; step < 20 && (await wanted.getAttribute('aria-selected')) !== 'true'; step += 1)
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await jump('time', 'Timeline');
    await expect.poll(() => page.url()).toContain('#/timeline');
    await jump('tools', /tools/);
    await expect.poll(() => page.url()).toContain('p=bbbb2222');
    await jump('Session 21', /Session 21:/);
    await expect.poll(() => page.url()).toContain('session=sess-21');
    await page.locator('[data-message="message-21-1"]').waitFor();
    await page.evaluate('document.activeElement.blur()');
    await jump('export.ts', 'src/export.ts');
    await expect.poll(() => decodeURIComponent(page.url())).toContain('src/export.ts');
    await jump('removed', 'src/removed.ts');
    await expect.poll(() => decodeURIComponent(page.url())).toContain('src/removed.ts');
    await jump('shortcuts', /keyboard shortcuts/);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await jump('needle', /Search all sessions for/);
    await expect.poll(() => page.url()).toContain('#/search?');
    expect(page.url()).toContain('find=needle');
  });

  test('shows the keys of each page and action', async () => {
    const { page } = await site.open('#/overview');
    await page.locator('.rail').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Memory' }).waitFor();
    const options = page.locator(
      '[role=group][aria-label=Pages] [role=option], [role=group][aria-label=Actions] [role=option]',
    );
    const keys = await options.locator('kbd').allTextContents();
    expect(keys).toHaveLength(await options.count());
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(['g o', 'g h', 'g g', '?', 'T']));
  });

  test('does bounded work per key with 100,000 sessions', async () => {
    const { page } = await site.open('#/overview');
    await page.locator('.rail').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to' }).waitFor();
    await page.keyboard.type('session 1');
    await page
      .getByRole('option', { name: /Session 1:/ })
      .first()
      .waitFor();
    await expect.poll(() => site.server.called('history.findSessions').at(-1)?.params.query).toBe('session 1');
    const calls = site.server.called('history.findSessions');
    expect(calls.length).toBeLessThanOrEqual('session 1'.length);
    for (const { params } of calls) expect(Number(params.limit)).toBeLessThanOrEqual(10);
    expect(site.server.called('history.search')).toHaveLength(0);
    expect(await page.getByRole('option').count()).toBeLessThan(40);
    expect(await page.locator('.palette *').count()).toBeLessThan(400);
  });

  test('keeps the choice when the sessions arrive after it was made', async () => {
    const { page } = await site.open('#/overview');
    await page.locator('.rail').waitFor();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    site.server.held.set('history.listSessions', answered);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Memory' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const choice = page.locator('[role=option][aria-selected=true]');
    const chosen = await choice.textContent();
    answer();
    await page.getByRole('group', { name: 'Latest sessions' }).getByRole('option').first().waitFor();
    expect(await choice.textContent()).toBe(chosen);
  });

  test('is a combobox that names the chosen option, without accessibility problems', async () => {
    const { page } = await site.open('#/overview');
    await page.locator('.rail').waitFor();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Jump to' });
    await page.getByRole('option').nth(3).waitFor();
    const active = async () => page.locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`);
    expect(await (await active()).getAttribute('aria-selected')).toBe('true');
    const first = await box.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowUp');
    expect(await box.getAttribute('aria-activedescendant')).not.toBe(first);
    expect(await (await active()).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await box.getAttribute('aria-activedescendant')).toBe(first);
    expect(await violations(page)).toEqual([]);
  });
});
