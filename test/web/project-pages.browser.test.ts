import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The project pages', () => {
  const site = useSite();

  test('the overview describes the project, and each day of the calendar links to its sessions', async () => {
    const { page, problems } = await site.open('#/overview');
    await page.getByText('A web shop with a TypeScript backend.').waitFor();
    await page.getByText('Not everything of codex is recorded').getByText('/t/rollout.jsonl').waitFor();
    await page.getByRole('link', { name: '1,240' }).waitFor();
    await page.getByLabel(/^Saturday, Nov 14: .* sessions/).click();
    await expect
      .poll(() => site.server.called('history.listSessions').at(-1)?.params)
      .toMatchObject({
        since: '2026-11-14T00:00:00.000Z',
        until: '2026-11-14T23:59:59.999Z',
      });
    expect(problems).toEqual([]);
  });

  test('a chart names its last day, and no names overlap', async () => {
    for (const width of [1400, 800, 380]) {
      const { page } = await site.open('#/overview', { viewport: { width, height: 900 } });
      const names = page.locator('.chart .tick-name');
      await names.first().waitFor();
      const boxes = await Promise.all((await names.all()).map((name) => name.boundingBox()));
      const ends = boxes.map((box) => ({ from: box?.x ?? 0, to: (box?.x ?? 0) + (box?.width ?? 0) }));
      for (const [index, { from }] of ends.slice(1).entries())
        expect(from, `${width} px`).toBeGreaterThan(ends[index]?.to ?? 0);
      const plot = await page.locator('.plot svg', { has: page.locator('.tick-name') }).boundingBox();
      expect(ends.at(-1)?.to).toBeLessThanOrEqual((plot?.x ?? 0) + (plot?.width ?? 0) + 1);
      expect(await names.last().textContent()).toBe('Nov 14');
    }
  });

  test('the list of projects does not say that there are no warnings before it knows', async () => {
    site.server.failing.set('project.warnings', 'no answer');
    const { page } = await site.open('#/projects');
    const row = page.locator('.project-row').first();
    await row.locator('.sparkline').waitFor();
    expect(await row.locator('.project-warnings').textContent()).toBe('');
    site.server.failing.clear();
    await page.reload();
    await expect.poll(() => row.locator('.project-warnings').textContent()).not.toBe('');
  });

  test('usage without anything in the chosen days offers all time, and then says what to do', async () => {
    const { page } = await site.open('#/usage');
    await page.getByRole('heading', { name: 'No usage recorded in this time' }).waitFor();
    expect(await page.locator('.empty-command').count()).toBe(0);
    await page.getByRole('link', { name: 'Show all time' }).click();
    await page.getByRole('heading', { name: 'No usage recorded yet' }).waitFor();
    expect(await page.locator('.empty-command').textContent()).toBe('yore init');
    expect(page.url()).toContain('range=all');
  });

  test('the overview begins with the latest sessions, and with active warnings and what worked instead', async () => {
    const { page } = await site.open('#/overview');
    await page.getByText('docker-compose: command not found').waitFor();
    await page.getByText('docker compose up', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'All 4' }).getAttribute('href')).toContain('#/memory');
    await page.locator('.latest').getByText('✗ 2').waitFor();
    await page.getByRole('link', { name: 'Load the list in pages' }).click();
    await expect.poll(() => page.url()).toContain('session=sess-3');
  });

  test('while a large project is read for the first time, the overview says so under the latest sessions', async () => {
    site.server.failing.set('project.overview', 'no answer');
    const { page } = await site.open('#/overview');
    await page.getByRole('heading', { name: 'shop' }).waitFor();
    expect(await page.locator('.latest li').count()).toBe(5);
    await page.getByText('Reading the sessions of this project.').waitFor();
  });

  test('scrolling to the end of a long page does not move the rail', async () => {
    const { page } = await site.open('#/memory', { viewport: { width: 900, height: 400 } });
    await page.getByText('Warnings given').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  });

  test('the numbers of the overview link to what they count', async () => {
    const { page } = await site.open('#/overview');
    await page.getByRole('link', { name: '96', exact: true }).click();
    await expect.poll(() => page.url()).toContain('outcome=failure');
    await page.goBack();
    await page.getByLabel('Saturday, Nov 14: 3 sessions').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Saturday, Nov 7: /);
    await page.getByText('Show as table').first().click();
    await page.getByRole('link', { name: '2026-11-14', exact: true }).click();
    await expect.poll(() => page.url()).toContain('since=2026-11-14');
  });

  test('the overview is refreshed when something is recorded', async () => {
    const { page } = await site.open('#/overview');
    await page.getByText('A web shop').waitFor();
    const calls = site.server.called('project.overview').length;
    site.server.notify('history.changed', { project: 'aaaa1111', sessionIds: ['sess-1'] });
    await expect.poll(() => site.server.called('project.overview').length).toBe(calls + 1);
  });

  test('a failure can be pinned, dismissed, reset and forgotten, and links to its evidence', async () => {
    const { page, problems } = await site.open('#/memory');
    const card = page.locator('.memory-columns .card').first();
    await card.getByRole('button', { name: 'Pin' }).click();
    await card.getByText('pinned').waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.getByText('dismissed').waitFor();
    await card.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => card.getByText('dismissed').count()).toBe(0);
    const second = page.locator('.memory-columns .card').nth(1);
    await second.getByRole('button', { name: 'Forget' }).click();
    expect(site.server.called('memory.forget')).toHaveLength(0);
    await second.getByRole('button', { name: 'Forget permanently' }).click();
    await expect
      .poll(() => page.locator('.memory-columns .card').getByText('docker compose up --wait').count())
      .toBe(0);
    await page.locator('.warnings').getByText('overridden, failed').waitFor();
    await card.getByText('Evidence (3)').click();
    await card.getByRole('link', { name: 'npm test -- case-2' }).click();
    await page.locator('[data-message="attempt-2-2"].is-match').waitFor();
    expect(problems).toEqual([]);
  });

  test('the search over all projects links to the message in its session', async () => {
    const { page, problems } = await site.open('#/search');
    await page.getByLabel('Search all projects').last().fill('needle-7-5.');
    await page.getByText('1 match in 1 session').waitFor();
    expect(site.server.called('history.search').at(-1)?.params).not.toHaveProperty('project');
    await page.locator('a.result-hit').click();
    await page.locator('[data-message="message-7-5"].is-match').waitFor();
    expect(problems).toEqual([]);
  });

  test('the selected project is kept in the address', async () => {
    const { page } = await site.open('#/overview');
    await page.getByText('A web shop').waitFor();
    await page.getByRole('button', { name: 'Switch project' }).click();
    await page.getByRole('combobox', { name: 'Projects' }).fill('tool');
    await page.keyboard.press('Enter');
    await expect.poll(() => site.server.called('project.overview').at(-1)?.params.project).toBe('bbbb2222');
    expect(page.url()).toContain('p=bbbb2222');
  });

  test('a warning is shown when it is given', async () => {
    const { page } = await site.open('#/overview');
    await page.getByText('A web shop').waitFor();
    const warning = { command: 'npm install ioredis', reason: 'This failed on Nov 12.' };
    site.server.notify('warning.given', { project: 'aaaa1111', warning });
    await page.getByText('Agent warned: npm install ioredis. This failed on Nov 12.').waitFor();
  });
});
