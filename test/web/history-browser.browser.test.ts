import { describe, expect, test } from 'vitest';
import { CHROMIUM, waitUntilStable } from './browser.ts';
import { LONG_SESSION } from './fake-history.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The history browser', () => {
  const site = useSite();

  test('opens over the chat and lists sessions, newest first', async () => {
    const { page, problems } = await site.open('#/chat');
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    await dialog.getByText('500 sessions').waitFor();
    expect(await dialog.locator('.session-row').first().textContent()).toContain('Session 0: pagination');
    expect(page.url()).toContain('history=1');
    expect(problems).toEqual([]);
  });

  test('does not fetch the list again when reopened within ten seconds', async () => {
    const { page } = await site.open('#/chat');
    await page.clock.setFixedTime('2026-11-15T14:30:00.000Z');
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('500 sessions').waitFor();
    const before = site.server.called('history.listSessions').length;
    await page.getByRole('button', { name: 'Close history' }).click();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('500 sessions').waitFor();
    expect(site.server.called('history.listSessions')).toHaveLength(before);
  });

  test('fetches the list again when reopened after ten seconds', async () => {
    const { page } = await site.open('#/chat');
    await page.clock.install();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('500 sessions').waitFor();
    await page.getByRole('button', { name: 'Close history' }).click();
    const before = site.server.called('history.listSessions').length;
    await page.clock.fastForward(11_000);
    site.server.history.begin('Something new');
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('501 sessions').waitFor();
    expect(site.server.called('history.listSessions').length).toBeGreaterThan(before);
    expect(await page.locator('.session-row').first().textContent()).toContain('Something new');
  });

  test('shows time, counts, agent, branch and project of a session', async () => {
    const { page } = await site.open('#/history?in=all');
    await page.clock.setFixedTime('2026-11-15T14:30:00.000Z');
    await page.reload();
    const row = (index: number) => page.locator(`[data-session="sess-${index}"]`);
    await row(8).waitFor();
    expect(await row(0).locator('time').textContent()).toBe('2 h');
    expect(await row(0).locator('.branch').textContent()).toBe('main');
    expect(await row(0).getByText('shop').count()).toBe(1);
    expect(await row(8).locator('.badge').allTextContents()).toEqual([
      'Failures: ✗ 2',
      'Successes: ✓ 3',
      'Messages: 6',
    ]);
    expect(await row(0).getByRole('img', { name: 'claude-code' }).textContent()).toBe('CC');
    expect(await row(1).getByRole('img', { name: 'codex' }).textContent()).toBe('Cx');
    expect(await row(3).getByRole('img', { name: 'yore' }).count()).toBe(1);
  });

  test('jumps to the next failure or success when its count is clicked', async () => {
    const { page } = await site.open('#/history');
    await page.locator('[data-session="sess-8"] [data-outcome="failure"]').click();
    await page.locator('[data-message="attempt-8-2"].failure.is-match').waitFor();
    const head = page.locator('.session-head');
    await head.getByRole('button', { name: 'Failures: ✗ 2' }).click();
    await page.locator('[data-message="attempt-8-10"].failure.is-match').waitFor();
    await head.getByRole('button', { name: 'Failures: ✗ 2' }).click();
    await page.locator('[data-message="attempt-8-2"].failure.is-match').waitFor();
    await head.getByRole('button', { name: 'Successes: ✓ 3' }).click();
    await page.locator('[data-message="attempt-8-6"].success.is-match').waitFor();
    await page.getByLabel('Search the history').fill(`needle-${LONG_SESSION}-`);
    await page.getByRole('button', { name: /^\d+ more matches$/ }).click();
    await expect.poll(() => page.locator('[data-hit]').count()).toBeGreaterThan(10);
  });

  test('shows the record at the time in the address', async () => {
    const at = new Date(Date.parse('2026-11-15T12:00:00.000Z') - 2 * 600_000 - 3_600_000 + 5_000).toISOString();
    const { page } = await site.open(`#/history?session=sess-2&match=${encodeURIComponent(at)}`);
    await page.locator('[data-message="message-2-5"].is-match').waitFor();
  });

  test('selects a session that was opened by a link in the list', async () => {
    const { page } = await site.open('#/history?session=sess-300&of=aaaa1111');
    await page.locator('[data-session="sess-300"].is-selected').waitFor();
  });

  test('shows one pane where there is no room for two', async () => {
    const { page } = await site.open('#/history', { viewport: { width: 800, height: 900 } });
    await page.locator('.session-row[data-session]').first().click();
    await page.locator('[data-message]').first().waitFor();
    expect(await page.locator('.list-panel').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.locator('.list-panel').waitFor();
    expect(await page.locator('.session-panel').isVisible()).toBe(false);
  });

  test('works as a page: reading, adding to the prompt, loading', async () => {
    const { page } = await site.open('#/history?session=sess-1&of=aaaa1111');
    await page.locator('[data-message="message-1-1"]').getByRole('button', { name: 'Add to prompt' }).click();
    const prompt = page.getByLabel('Message', { exact: true });
    await expect.poll(() => prompt.inputValue()).toContain('needle-1-1');
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await page.locator('[data-message="message-1-1"]').waitFor();
    await page.getByLabel('Search the history').fill('needle');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Search the history').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Load session' }).click();
    await page.getByRole('log').locator('[data-message="message-1-0"]').waitFor();
    await page.goBack();
    await page.locator('[data-message="message-1-1"]').waitFor();
  });

  test('Escape on the page closes the session, then clears the filters, and stays there', async () => {
    const { page } = await site.open('#/history?session=sess-1&of=aaaa1111&outcome=failure');
    await page.locator('[data-message="message-1-1"]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Select a session to read it.').waitFor();
    expect(page.url()).toContain('outcome=failure');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('outcome=failure');
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).hash).toMatch(/^#\/history/);
    await page.locator('.session-row[data-session]').first().waitFor();
  });

  test('shows messages, attempts and images of a session', async () => {
    const { page, problems } = await site.open('#/history');
    await page.locator('[data-session="sess-0"]').click();
    await page.locator('[data-message="message-0-0"]').waitFor();
    expect(await page.locator('[data-message="attempt-0-2"]').textContent()).toContain('npm test -- case-2');
    expect(await page.locator('.attempt-error').first().textContent()).toBe('Error: expected 2');
    await page.locator('[data-message="message-0-0"] img').waitFor();
    expect(page.url()).toContain('#/history');
    await expect.poll(() => page.url()).toContain('session=sess-0');
    expect(problems).toEqual([]);
  });

  test('searches 300 ms after the last key, once', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const searched = () => site.server.called('history.search').map(({ params }) => params.query);
    const box = page.getByLabel('Search the history');
    await box.pressSequentially('needle-');
    await page.clock.runFor(299);
    await box.pressSequentially('2');
    await page.clock.runFor(299);
    // What the page has sent by now arrives before the answer to this.
    await page.evaluate('fetch("/login", { method: "POST" }).then(() => undefined)');
    expect(searched()).toEqual([]);
    await page.clock.runFor(1);
    await page.clock.resume();
    await page.locator('[data-hit]').first().waitFor();
    expect(searched()).toEqual(['needle-2']);
  });

  test('scrolls to the message of a result and highlights it', async () => {
    const { page } = await site.open('#/history');
    await page.getByLabel('Search the history').fill(`needle-${LONG_SESSION}-701.`);
    await page.locator(`[data-hit="message-${LONG_SESSION}-701"]`).click();
    const match = page.locator(`[data-message="message-${LONG_SESSION}-701"]`);
    await match.waitFor();
    await expect.poll(() => match.getAttribute('class')).toContain('is-match');
    const isInView = async () => {
      const panel = await page.getByRole('region', { name: 'Session messages' }).boundingBox();
      const box = await match.boundingBox();
      if (box === null || panel === null) return false;
      return box.y >= panel.y && box.y + box.height <= panel.y + panel.height;
    };
    await expect.poll(isInView).toBe(true);
    expect(await page.evaluate('CSS.highlights.get("match").size')).toBeGreaterThan(0);
    const atMatch = await page.evaluate('document.querySelectorAll(".virtual-row").length');
    expect(atMatch).toBeLessThan(80);
  });

  test('copies the source of a message', async () => {
    const { page } = await site.open('#/history?session=sess-1');
    const message = page.locator('[data-message="message-1-0"]');
    await message.locator('header').getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      '- one\n- two\n\n```ts\nconst answer = 42;',
    );
  });

  test('adds a message to the prompt', async () => {
    const { page } = await site.open('#/chat?history=1&session=sess-1');
    await page.locator('[data-message="message-1-1"]').getByRole('button', { name: 'Add to prompt' }).click();
    const prompt = page.getByLabel('Message', { exact: true });
    expect(await prompt.inputValue()).toContain('needle-1-1');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('textarea:focus').waitFor();
  });

  test('loads a session into the chat', async () => {
    const { page } = await site.open('#/chat?history=1');
    expect(await page.getByRole('button', { name: 'Load session' }).isDisabled()).toBe(true);
    await page.locator('[data-session="sess-4"]').click();
    await page.getByRole('button', { name: 'Load session' }).click();
    await page.getByRole('log').locator('[data-message="message-4-0"]').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(site.server.called('context.loadSession').map(({ params }) => params.id)).toEqual(['sess-4']);
  });

  test('clears the query on Escape, then closes', async () => {
    const { page } = await site.open('#/chat?history=1');
    const search = page.getByLabel('Search the history');
    await search.fill('needle');
    await page.keyboard.press('Escape');
    expect(await search.inputValue()).toBe('');
    await page.locator('.session-row').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).not.toContain('history=1');
  });

  test('keeps session, query, results and scroll positions when reopened', async () => {
    const { page } = await site.open('#/chat?history=1');
    await page.getByLabel('Search the history').fill('about');
    await page.locator(`[data-session="sess-${LONG_SESSION}"]`).click();
    const left = page.getByRole('region', { name: 'Search results' });
    const right = page.getByRole('region', { name: 'Session messages' });
    await right.waitFor();
    await left.evaluate((element) => element.scrollTo(0, 333));
    await right.evaluate((element) => element.scrollTo(0, 2222));
    const positions = () => Promise.all([left, right].map((list) => list.evaluate((element) => element.scrollTop)));
    const before = await waitUntilStable(page, positions);
    const seen = await right.locator('[data-message]').allTextContents();
    expect(Math.min(...before)).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Close history' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    const calls = site.server.calls.length;
    await page.getByRole('button', { name: 'History' }).click();
    await right.waitFor();
    expect(await page.getByLabel('Search the history').inputValue()).toBe('about');
    expect(await waitUntilStable(page, positions)).toEqual(before);
    expect(await right.locator('[data-message]').allTextContents()).toEqual(seen);
    expect(site.server.calls.length).toBe(calls);
  });

  test('scrolls to a message again when it is selected again', async () => {
    const { page } = await site.open('#/history');
    await page.getByLabel('Search the history').fill(`needle-${LONG_SESSION}-701.`);
    const hit = page.locator(`[data-hit="message-${LONG_SESSION}-701"]`);
    const match = page.locator(`[data-message="message-${LONG_SESSION}-701"]`);
    await hit.click();
    await match.waitFor();
    const messages = page.getByRole('region', { name: 'Session messages' });
    await waitUntilStable(page, () => messages.evaluate((element) => element.scrollTop));
    await messages.evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(() => match.count()).toBe(0);
    await hit.click();
    await match.waitFor();
  });

  test('restores query and match from the address after a reload', async () => {
    const { page } = await site.open('#/history');
    await page.getByLabel('Search the history').fill('needle-2');
    await page.locator('[data-hit="message-2-5"]').click();
    await expect.poll(() => page.url()).toContain('match=message-2-5');
    await page.reload();
    expect(await page.getByLabel('Search the history').inputValue()).toBe('needle-2');
    await expect.poll(() => page.locator('[data-message="message-2-5"]').getAttribute('class')).toContain('is-match');
    await page.locator('[data-hit="message-2-5"].is-selected').waitFor();
  });

  test('restores the scroll positions from the address after a reload', async () => {
    const { page } = await site.open(`#/history?session=sess-${LONG_SESSION}`);
    const right = page.getByRole('region', { name: 'Session messages' });
    await right.waitFor();
    await page.getByRole('region', { name: 'Sessions' }).evaluate((element) => element.scrollTo(0, 5600));
    await right.evaluate((element) => element.scrollTo(0, 9000));
    await expect.poll(() => page.url()).toMatch(/row=100&message=\d+/);
    await waitUntilStable(page, () => page.url());
    await page.reload();
    await page.locator('[data-session="sess-102"]').waitFor();
    const row = Number(/message=(\d+)/.exec(page.url())?.[1]);
    await page.locator(`.session-panel [data-index="${row}"] [data-message]`).waitFor();
  });

  test('sends the filters to the server', async () => {
    const { page } = await site.open('#/history');
    await page.getByText('500 sessions').waitFor();
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByLabel('Agent').selectOption('codex');
    await filters.getByLabel('Project').selectOption('all');
    await filters.getByLabel('Date').selectOption('custom');
    await filters.getByLabel('Since').fill('2026-11-01');
    await expect
      .poll(() => site.server.called('history.listSessions').at(-1)?.params)
      .toMatchObject({
        agent: 'codex',
        since: '2026-11-01T00:00:00.000Z',
      });
    expect(site.server.called('history.listSessions').at(-1)?.params).not.toHaveProperty('project');
    await page.getByLabel('Search the history').fill('needle');
    await filters.getByLabel('Role').selectOption('user');
    await filters.getByLabel('Outcome').selectOption('failure');
    await expect
      .poll(() => site.server.called('history.search').at(-1)?.params)
      .toMatchObject({
        agent: 'codex',
        outcome: 'failure',
      });
    expect(site.server.called('history.search').at(-1)?.params).not.toHaveProperty('role');
    await filters.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => site.server.called('history.search').at(-1)?.params).not.toHaveProperty('agent');
  });

  test('filters the list by outcome and role, and says when nothing matches', async () => {
    const { page } = await site.open('#/history?outcome=failure');
    await page.getByText('333 sessions').waitFor();
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByLabel('Role').selectOption('user');
    await expect
      .poll(() => site.server.called('history.listSessions').at(-1)?.params)
      .toMatchObject({ role: 'user', outcome: 'failure' });
    expect(await filters.getByLabel('Agent').locator('option[value=pi]').count()).toBe(0);
    await expect.poll(() => page.url()).toContain('role=user');
    await page.goto(page.url().replace('outcome=failure', 'outcome=failure&agent=pi'));
    await page.getByText('No sessions match these filters.').waitFor();
    await page.locator('.list-panel').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('500 sessions').waitFor();
  });

  test('filters by days in the time zone of the user', async () => {
    const { page } = await site.open('#/history?since=2026-11-03&until=2026-11-03', {
      timezoneId: 'America/New_York',
    });
    await page.locator('.browser').waitFor();
    await expect
      .poll(() => site.server.called('history.listSessions').at(-1)?.params)
      .toMatchObject({ since: '2026-11-03T05:00:00.000Z', until: '2026-11-04T04:59:59.999Z' });
  });

  test('can be used with the keyboard alone', async () => {
    const { page } = await site.open('#/chat');
    await page.getByRole('log').waitFor();
    await page.getByRole('log').focus();
    await page.keyboard.press('/');
    await page.locator('[data-search]:focus').waitFor();
    await page.keyboard.type('needle-5-1.');
    await page.locator('[data-hit]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('[data-message="message-5-1"].is-match').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.session-row.is-cursor[data-session="sess-5"]').waitFor();
    await page.getByRole('region', { name: 'Sessions' }).focus();
    for (const key of ['j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => page.url()).toContain('session=sess-7&');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  });

  test('has one row in the tab order, and the focus follows j and k', async () => {
    const { page } = await site.open('#/history', { viewport: { width: 1400, height: 900 } });
    await page.locator('.session-row[data-session]').first().waitFor();
    await page.getByRole('region', { name: 'Sessions' }).focus();
    await page.keyboard.press('Tab');
    await page.locator('[data-session="sess-0"]:focus').waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await page.locator('[data-session="sess-2"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('session=sess-2&');
    // What comes after the list is one key away.
    await page.keyboard.press('Tab');
    await page.getByRole('separator', { name: 'Width of the session list' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.locator('[data-session="sess-2"]:focus').waitFor();
  });

  test('shows why the list or a session cannot be read', async () => {
    site.server.failing.set('history.listSessions', 'The log cannot be read.');
    site.server.failing.set('history.readSession', 'There is no session sess-1.');
    const { page } = await site.open('#/history?session=sess-1');
    await page.getByText('The log cannot be read.').waitFor();
    await page.getByText('There is no session sess-1.').waitFor();
  });
});
