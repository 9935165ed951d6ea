import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { createTimeline } from './fake-project.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The timeline', () => {
  const site = useSite({ sessions: 60 });

  const shown = async (page: Page) => Number((await page.getByRole('status').first().textContent())?.split(' ')[0]);
  /** The table follows the axis with a delay. */
  const tableIsCurrent = (page: Page) =>
    expect.poll(async () => (await page.locator('.timeline-table tbody tr').count()) - (await shown(page))).toBe(0);
  const centre = async (page: Page, share = 0.5) => {
    const box = await page.locator('svg.axis').boundingBox();
    if (box === null) throw new Error('There is no axis.');
    return { x: box.x + box.width * share, y: box.y + 40, width: box.width };
  };

  test('zooms at the pointer with the wheel, and moves by dragging without a click', async () => {
    const { page } = await site.open('#/timeline');
    await page.getByText('30 of 30 sessions').waitFor();
    const { x, y } = await centre(page, 0.9);
    await page.mouse.move(x, y);
    for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(0, -240);
    await expect.poll(() => shown(page)).toBeLessThan(8);
    await tableIsCurrent(page);
    // The sessions at nine tenths of the axis are among the last.
    expect(await page.locator('.timeline-table tbody tr').first().textContent()).toMatch(/Session 2[6-9]/);
    const before = await page.locator('.timeline-table tbody tr').first().textContent();
    const { x: left } = await centre(page, 0.1);
    await page.mouse.move(left, y);
    await page.mouse.down();
    for (let step = 1; step <= 10; step += 1) await page.mouse.move(left + step * 70, y);
    await page.mouse.up();
    await expect.poll(() => page.locator('.timeline-table tbody tr').first().textContent()).not.toBe(before);
    expect(page.url()).toContain('#/timeline');
  });

  test('lists the sessions that ended last first', async () => {
    const timeline = createTimeline(3, 100_000_000);
    const [long, ...others] = timeline.sessions;
    if (long === undefined) throw new Error('There is no session.');
    // The first session was continued after the others had ended.
    site.server.timeline = { ...timeline, sessions: [{ ...long, to: '2026-11-01T00:00:00.000Z' }, ...others] };
    const { page } = await site.open('#/timeline');
    await page.getByText('3 of 3 sessions').waitFor();
    await tableIsCurrent(page);
    const titles = await page.locator('.timeline-table tbody a[data-row]').allTextContents();
    expect(titles).toEqual(['Session 0', 'Session 2', 'Session 1']);
  });

  test('zooms with two fingers', async () => {
    const { page } = await site.open('#/timeline', { hasTouch: true, viewport: { width: 380, height: 800 } });
    await page.getByText('30 of 30 sessions').waitFor();
    const { x, y } = await centre(page);
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [
                { x: x - apart, y, id: 1 },
                { x: x + apart, y, id: 2 },
              ],
      });
    await touch('touchStart', 20);
    for (const apart of [40, 60, 80, 120]) await touch('touchMove', apart);
    await touch('touchEnd', 120);
    await expect.poll(() => shown(page)).toBeLessThan(15);
  });

  test('is usable by keyboard: zoom, move, step from mark to mark, open one', async () => {
    const { page } = await site.open('#/timeline');
    await page.getByText('30 of 30 sessions').waitFor();
    const axis = page.getByRole('group', { name: /^Time axis/ });
    await axis.focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect.poll(() => shown(page)).toBeLessThan(12);
    await tableIsCurrent(page);
    const middle = await page.locator('.timeline-table tbody tr').first().textContent();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.timeline-table tbody tr').first().textContent()).not.toBe(middle);
    await page.keyboard.press('-');
    await page.keyboard.press('Home');
    await page.getByText('30 of 30 sessions').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.axis-tip').getByText('Session 0').waitFor();
    await page.keyboard.press('ArrowDown');
    await page
      .locator('.axis-tip')
      .getByText(/^Request,/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page
      .locator('.axis-tip')
      .getByText(/^Failure,/)
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('session=sess-1');
    expect(decodeURIComponent(page.url())).toContain('match=2026-10-11T');
  });

  test('shows a tooltip for a mark, and links to its record', async () => {
    const { page } = await site.open('#/timeline');
    const failure = page.locator('g.failure .mark').nth(3);
    await failure.hover();
    await page.locator('.axis-tip').getByText('npm test: expected 3').waitFor();
    await failure.click();
    await expect.poll(() => page.url()).toContain('session=sess-3');
  });

  test('links failures to their resolutions', async () => {
    const { page } = await site.open('#/timeline');
    await page.getByText('30 of 30 sessions').waitFor();
    expect(await page.locator('.links path').count()).toBe(30);
  });

  test('shows many marks as a number that zooms in', async () => {
    site.server.timeline = createTimeline(500, 3_600_000);
    const { page } = await site.open('#/timeline');
    await page.getByText('500 of 500 sessions').waitFor();
    expect(await page.locator('svg.axis .mark').count()).toBeLessThan(400);
    await page.locator('g.failure .mark.many').first().click();
    await expect.poll(() => shown(page)).toBeLessThan(100);
  });

  test('fetches older sessions when they become visible', async () => {
    site.server.timeline = createTimeline(800, 36_000_000);
    const { page } = await site.open('#/timeline');
    await page.getByText('500 of 800 sessions').waitFor();
    await page.getByText('800 of 800 sessions').waitFor();
    expect(site.server.called('project.timeline').at(-1)?.params).toHaveProperty('until');
  });

  test('keeps the visible window when new sessions are recorded', async () => {
    site.server.timeline = createTimeline(30, 100_000_000);
    const { page } = await site.open('#/timeline');
    await page.getByText('30 of 30 sessions').waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const rows = () => page.locator('.timeline-table tbody tr').allTextContents();
    await expect.poll(async () => (await rows()).length).toBeLessThan(30);
    const before = await rows();
    await page.locator('svg.axis').evaluate((element) => element.setAttribute('data-kept', ''));
    site.server.timeline = createTimeline(31, 100_000_000);
    site.server.notify('history.changed', { project: 'aaaa1111', sessionIds: ['sess-30'] });
    await page.getByText(/ of 31 sessions/).waitFor();
    expect(await rows()).toEqual(before);
    await page.locator('svg.axis[data-kept]').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('31 of 31 sessions').waitFor();
  });

  test('counts the failures of a session as the list of sessions does', async () => {
    const timeline = createTimeline(1, 0);
    site.server.timeline = { ...timeline, sessions: timeline.sessions.map((each) => ({ ...each, failures: 7 })) };
    const { page } = await site.open('#/timeline');
    await page.getByRole('link', { name: '7 failures' }).waitFor();
  });

  test('says when nothing is recorded', async () => {
    site.server.timeline = { days: [], sessions: [], total: 0 };
    const { page } = await site.open('#/timeline');
    await page.getByRole('heading', { name: 'Nothing recorded yet' }).waitFor();
  });
});
