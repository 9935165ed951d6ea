import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { AgentStatus } from '../../src/server/index.ts';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { newPlace, type Serving, serve } from '../server/serving.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { CHROMIUM, connectBrowser, openPage, type WatchedPage } from './browser.ts';

const AGENTS: readonly AgentStatus[] = [
  { agent: 'claude-code', title: 'Claude Code', state: 'recording', message: 'Hooks are installed.' },
  {
    agent: 'codex',
    title: 'Codex',
    state: 'needsAction',
    message: 'Codex does not run its hooks until you trust them.',
  },
  {
    agent: 'gemini',
    title: 'Gemini CLI',
    state: 'notSetUp',
    message: 'Not installed.',
    fix: 'yore init --agent gemini',
  },
];

describe.skipIf(CHROMIUM === undefined)('Projects and settings with the real server', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());

  /** A home with two sessions in one project and an older session in another project of the same name. */
  async function serveProjects(): Promise<Serving> {
    const place = { ...newPlace(), web: inject('app') };
    playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [AUTHENTICATION, REDIS]);
    const server = await serve({ place, cwd: temporaryFolder(), checkAgents: async () => AGENTS });
    const other = server.openedHome.openProject(temporaryFolder());
    const timestamp = new Date(Date.now() - 20 * 86_400_000).toISOString();
    other.history.append({ sessionId: 'shed-1', role: 'user', content: 'Paint the shed', agent: 'codex', timestamp });
    return server;
  }

  async function open(url: string): Promise<WatchedPage['page']> {
    const { page, problems } = await openPage(browser, url);
    onTestFinished(async () => {
      await page.context().close();
      expect(problems).toEqual([]);
    });
    return page;
  }

  test('opens on the projects, the last active first, with counts that lead to their evidence', async () => {
    const server = await serveProjects();
    const page = await open(server.url);
    const rows = page.locator('.project-row');
    await expect.poll(() => rows.count()).toBe(2);
    const first = rows.first();
    await first.getByRole('link', { name: '2 sessions' }).waitFor();
    await first.getByRole('img', { name: 'claude-code' }).waitFor();
    await first.getByRole('img', { name: '2 sessions in 30 days' }).waitFor();
    await first.getByRole('link', { name: /active warning/ }).waitFor();
    await rows.last().getByRole('img', { name: 'codex' }).waitFor();
    const name = (await first.locator('.project-title').textContent()) ?? '';
    expect(await page.locator('.rail .switcher-name').textContent()).toContain(name);
    expect(await first.locator('.project-path').textContent()).toBe(
      (await first.locator('.project-name').getAttribute('title'))?.split('\n')[1],
    );
    await first.getByRole('link', { name: /failures?$/ }).click();
    await expect.poll(() => page.url()).toContain('outcome=failure');
    await page.getByText('2 sessions').first().waitFor();
  });

  test('finds a project by typing and opens it with the keyboard', async () => {
    const server = await serveProjects();
    const [shed] = server.openedHome.projects().filter(({ projectPath }) => projectPath !== server.place.cwd);
    const page = await open(server.url);
    await expect.poll(() => page.locator('.project-row').count()).toBe(2);
    await page.keyboard.press('/');
    await page.keyboard.type(shed?.displayName ?? '');
    await expect.poll(() => page.locator('.project-row').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`p=${shed?.projectHash}`);
    expect(page.url()).toContain('#/overview');
  });

  test('tells projects of the same name apart by their folders, wherever they are named', async () => {
    const server = await serve({ place: { ...newPlace(), web: inject('app') }, cwd: temporaryFolder() });
    for (const folder of ['work', 'play']) {
      const path = join(temporaryFolder(), folder, 'api');
      mkdirSync(path, { recursive: true });
      const said = { role: 'user', content: `Start the ${folder}`, agent: 'codex' } as const;
      server.openedHome.openProject(path).history.append({ sessionId: folder, ...said });
    }
    const page = await open(server.url);
    const titles = page.locator('.project-title');
    await expect.poll(async () => (await titles.allTextContents()).toSorted()).toEqual(['play/api', 'work/api']);
    await page.getByRole('link', { name: 'work/api' }).click();
    await page.getByRole('heading', { level: 1, name: 'work/api' }).waitFor();
    await page.getByRole('button', { name: 'Switch project: work/api' }).waitFor();
  });

  test('shows new activity without a reload', async () => {
    const server = await serveProjects();
    const page = await open(server.url);
    const shed = page.locator('.project-row').last();
    await shed.getByRole('link', { name: '1 session' }).waitFor();
    const path = await shed.locator('.project-name').getAttribute('title');
    const [info] = server.openedHome.projects().filter(({ projectPath }) => projectPath === path?.split('\n').at(-1));
    const project = server.openedHome.findProjectByName(info?.projectHash ?? '');
    project.history.append({ sessionId: 'shed-2', role: 'user', content: 'Paint it again', agent: 'codex' });
    const first = page.locator('.project-row').first();
    await expect.poll(() => first.locator('.project-name').getAttribute('title')).toBe(path);
    await first.getByRole('link', { name: '2 sessions' }).waitFor();
  });

  test('says what to do in an empty home', async () => {
    const server = await serve({ place: { ...newPlace(), web: inject('app') } });
    const page = await open(server.url);
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByText('yore init').waitFor();
  });

  test('the settings say which agents are recorded, as they were checked', async () => {
    const server = await serveProjects();
    const page = await open(server.url);
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    const agents = page.getByRole('region', { name: 'Agents' });
    await agents.locator('[data-state=recording]').getByText('Claude Code').waitFor();
    await agents.locator('[data-state=needsAction]').getByText('until you trust them').waitFor();
    await agents.locator('[data-state=notSetUp]').getByText('yore init --agent gemini').waitFor();
  });

  test('the settings change what the command line would change, and pause recording', async () => {
    const server = await serveProjects();
    const page = await open(server.url);
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    const config = () => JSON.parse(readFileSync(join(server.place.home, 'config.json'), 'utf8'));
    const days = page.getByLabel('Days to warn about a failure');
    await days.fill('30');
    await page.keyboard.press('Enter');
    await page.getByText('retrieval.failureLookbackDays is now 30.').waitFor();
    expect(config()).toMatchObject({ retrieval: { failureLookbackDays: 30 } });
    await page.getByRole('button', { name: 'Use default of retrieval.failureLookbackDays' }).click();
    await expect.poll(() => days.inputValue()).toBe('7');
    await days.fill('never');
    await days.blur();
    await page.locator('.notices .warning').waitFor();
    await expect.poll(() => days.inputValue()).toBe('7');
    await page.getByRole('switch', { name: /Record in all projects/ }).click();
    await page.getByText('Paused: nothing is recorded.').waitFor();
    expect(config()).toMatchObject({ recording: { enabled: false } });
    await page.keyboard.press('R');
    await page.getByText('Recording is on.').first().waitFor();
    await expect.poll(() => config().recording?.enabled).toBe(true);
  });

  test('the settings show what would be masked, with the real redactor', async () => {
    const server = await serveProjects();
    const page = await open(server.url);
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    const box = page.getByLabel('What would be masked?');
    await box.fill('GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789');
    await page.locator('.redacted mark').waitFor();
    expect(await page.locator('.redacted').textContent()).not.toContain('ghp_');
    await box.fill('npm test');
    await page.getByText('Nothing would be masked.').waitFor();
  });
});
