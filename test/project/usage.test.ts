import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setSetting } from '../../src/config/index.ts';
import { countTokens, type Home, openHome, type UsageGroup, type UsageSums } from '../../src/project/index.ts';
import type { Usage } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.parse('2026-05-18T21:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Replies as they are recorded: session, project, agent, model, minutes after the start, tokens. */
const REPLIES: readonly (readonly [string, 'shop' | 'docs', string, string | undefined, number, Usage])[] = [
  [
    's1',
    'shop',
    'claude-code',
    'claude-sonnet-4-5',
    0,
    { inputTokens: 100, outputTokens: 2000, cacheReadTokens: 9000 },
  ],
  ['s1', 'shop', 'claude-code', 'claude-sonnet-4-5', 5, { inputTokens: 10, outputTokens: 500, cacheWriteTokens: 700 }],
  ['s1', 'shop', 'claude-code', 'claude-haiku-4-5', 400, { inputTokens: 40, outputTokens: 60 }],
  ['s2', 'shop', 'codex', 'gpt-5-codex', 1600, { inputTokens: 5000, outputTokens: 800, cacheReadTokens: 4000 }],
  ['s3', 'docs', 'codex', 'home-grown-7b', 2000, { inputTokens: 900, outputTokens: 100 }],
  ['s4', 'docs', 'aider', undefined, 3000, { inputTokens: 70, outputTokens: 30 }],
];

function homeWithReplies(): Home {
  const folder = temporaryFolder();
  const open = () => openHome({ home: join(folder, 'home'), now: () => START + 5 * DAY });
  const home = open();
  onTestFinished(() => home.close());
  for (const [index, [sessionId, name, agent, model, minutes, usage]] of REPLIES.entries()) {
    mkdirSync(join(folder, name), { recursive: true });
    const { history } = home.openProject(join(folder, name));
    const timestamp = new Date(START + minutes * MINUTE).toISOString();
    history.append({ sessionId, agent, timestamp, role: 'user', content: `Question ${index}` });
    const later = new Date(START + minutes * MINUTE + 30_000).toISOString();
    const said = { sessionId, agent, timestamp: later, role: 'assistant', content: `Reply ${index}` } as const;
    history.append({ ...said, usage, ...(model === undefined ? {} : { model }) });
  }
  return home;
}

/** Adds up groups as a reader of a table would. */
function addUp(groups: readonly UsageSums[]): object {
  const sum = (pick: (sums: UsageSums) => number) => groups.reduce((total, group) => total + pick(group), 0);
  return {
    tokens: sum(countTokens),
    cost: sum(({ cost = 0 }) => cost).toFixed(9),
    unpriced: sum(({ unpricedTokens }) => unpricedTokens),
    active: sum(({ activeMs }) => activeMs),
    replies: sum(({ replies }) => replies),
  };
}

describe('usage', () => {
  it('adds up to the same total by day, model, agent, project and session, and to what was recorded', () => {
    const home = homeWithReplies();
    const { total, by, topSessions } = home.usage();
    const whole = addUp([total]);
    for (const groups of Object.values(by)) expect(addUp(groups)).toEqual(whole);
    expect(addUp(topSessions)).toEqual(whole);
    const recorded = REPLIES.flatMap(([, , , , , usage]) => Object.values(usage)).reduce(
      (sum, count) => sum + count,
      0,
    );
    expect(countTokens(total)).toBe(recorded);
    expect(total).toMatchObject({ sessions: 4, replies: 6 });
  });

  it('counts a session once in each group, and its active time for the model that it used most', () => {
    const { by } = homeWithReplies().usage();
    const sessions = (groups: readonly UsageGroup[]) =>
      Object.fromEntries(groups.map((group) => [group.key, group.sessions]));
    expect(sessions(by.day)).toEqual({ '2026-05-18': 1, '2026-05-19': 2, '2026-05-20': 2 });
    expect(sessions(by.agent)).toEqual({ 'claude-code': 1, codex: 2, aider: 1 });
    expect(by.model.find(({ key }) => key === 'claude-haiku-4-5')).toMatchObject({ sessions: 1, activeMs: 0 });
    expect(by.model.find(({ key }) => key === 'claude-sonnet-4-5')).toMatchObject({ sessions: 1, activeMs: 360_000 });
  });

  it('has for each session what its own usage says', () => {
    const home = homeWithReplies();
    for (const session of home.usage().topSessions) {
      const project = home.findProjectByName(session.project);
      expect(session).toMatchObject(home.sessionUsage(project, session.sessionId));
    }
  });

  it('estimates costs by list price, and gives none for models without a known price', () => {
    const { by, total } = homeWithReplies().usage();
    const costs = new Map(by.model.map(({ key, cost, unpricedTokens }) => [key, { cost, unpricedTokens }]));
    const sonnet = (110 * 3 + 2500 * 15 + 9000 * 0.3 + 700 * 3.75) / 1e6;
    expect(costs.get('claude-sonnet-4-5')?.cost).toBeCloseTo(sonnet, 9);
    expect(costs.get('gpt-5-codex')?.cost).toBeCloseTo((5000 * 1.25 + 800 * 10 + 4000 * 0.125) / 1e6, 9);
    expect(costs.get('home-grown-7b')).toEqual({ cost: undefined, unpricedTokens: 1000 });
    expect(costs.get('')).toEqual({ cost: undefined, unpricedTokens: 100 });
    expect(total.unpricedTokens).toBe(1100);
  });

  it('prices what is kept in the cache for an hour as such, and counts replies that were recorded at their start', () => {
    const home = homeWithReplies();
    const { history } = home.findProjectByName('docs');
    const usage = {
      inputTokens: 10,
      outputTokens: 1,
      cacheWriteTokens: 900,
      cacheHourTokens: 700,
      incompleteReplies: 1,
    };
    const said = { sessionId: 's9', role: 'assistant', content: 'Sold', usage } as const;
    history.append({ ...said, model: 'us.anthropic.claude-opus-4-5-20251101-v1:0' });
    history.append({ ...said, model: 'claude-opus-4.5' });
    history.append({ ...said, model: 'claude-opus-4-5-fast' });
    const { cost, pricedShare, incompleteReplies } = home.sessionUsage(home.findProjectByName('docs'), 's9');
    expect(cost).toBeCloseTo((2 * (10 * 5 + 1 * 25 + 200 * 6.25 + 700 * 10)) / 1e6, 9);
    expect(pricedShare).toBeCloseTo(2 / 3, 9);
    expect(incompleteReplies).toBe(3);
    expect(home.usage().topSessions[0]?.sessionId).toBe('s1');
  });

  it('uses the prices of the settings before list prices', () => {
    const { path, configFile } = homeWithReplies();
    setSetting(
      configFile,
      'usage.prices',
      '{"Home-Grown-*": {"input": 1, "output": 10}, "gpt-5-codex": {"input": 0, "output": 0}}',
    );
    const home = openHome({ home: path });
    onTestFinished(() => home.close());
    const { by } = home.usage();
    expect(by.model.find(({ key }) => key === 'home-grown-7b')?.cost).toBeCloseTo(0.0019, 9);
    expect(by.model.find(({ key }) => key === 'gpt-5-codex')?.cost).toBe(0);
  });

  it('counts as active the time between records, without long pauses', () => {
    const home = homeWithReplies();
    const project = home.findProjectByName('shop');
    // Two minutes of replies and the 4.5 minutes between the first two; not the pause of hours.
    expect(home.sessionUsage(project, 's1').activeMs).toBe(3 * 30_000 + 4.5 * MINUTE);
  });

  it('is limited to a project and a span, with days in a time zone', () => {
    const home = homeWithReplies();
    const shop = home.findProjectByName('shop').info.projectHash;
    const since = new Date(START + DAY).toISOString();
    expect(home.usage({ projects: [shop], since }).topSessions.map(({ sessionId }) => sessionId)).toEqual(['s2']);
    expect(home.usage({ until: since, projects: [shop] }).total.replies).toBe(3);
    const days = (timeZone: string) => home.usage({ projects: [shop], timeZone }).by.day.map(({ key }) => key);
    expect(days('UTC')).toEqual(['2026-05-18', '2026-05-19']);
    expect(days('Asia/Tokyo')).toEqual(['2026-05-19', '2026-05-20']);
    expect(home.usage({ projects: ['deadbeef'] })).toMatchObject({ total: { replies: 0 }, topSessions: [] });
  });

  it('forgets with the session', () => {
    const home = homeWithReplies();
    const project = home.findProjectByName('shop');
    home.usage();
    home.forgetSession(project, 's1');
    expect(home.sessionUsage(project, 's1')).toMatchObject({ replies: 0, activeMs: 0 });
    expect(home.usage({ projects: [project.info.projectHash] }).total.replies).toBe(1);
  });

  it('leaves out replies from transcripts that are not the user’s own', () => {
    const home = homeWithReplies();
    const { history } = home.findProjectByName('docs');
    const message = { sessionId: 's9', role: 'assistant', content: 'Bought', usage: { inputTokens: 5 } } as const;
    history.append({ ...message, foreign: true });
    expect(home.usage().total.replies).toBe(6);
  });

  it('is empty in an empty home', () => {
    const home = openHome({ home: join(temporaryFolder(), 'home') });
    expect(home.usage()).toMatchObject({ total: { replies: 0, sessions: 0 }, topSessions: [], by: { day: [] } });
  });
});
