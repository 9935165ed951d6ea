import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeSession } from '../../import/machine.ts';
import { type AgentSession, AUTHENTICATION, playSessions, REDIS, startOf } from './agent.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

const QUESTION = 'what did we do about redis?';

it('a question to yore chat is listed and found, but counts nowhere as work', () => {
  const place = createPlace();
  playSessions(place, [AUTHENTICATION, REDIS]);
  const ask = () => yore(place, ['chat'], { input: `${QUESTION}\n` });
  const first = ask();
  expect(first.stdout).toContain('redis-1');
  expect(ask().stdout).toBe(first.stdout);

  expect(yoreJson(place, ['status'])).toMatchObject({
    sessions: 2,
    withoutWork: 1,
    lastSessions: [{ sessionId: 'redis-1' }, { sessionId: 'auth-1' }],
  });
  const status = yore(place, []).stdout;
  expect(status).toMatch(/2 sessions.*1 without work/);
  expect(status).toContain('2 previous sessions');
  expect(yoreJson(place, ['recap'])).toMatchObject({ totals: { sessions: 2, requests: 2 } });
  expect(yore(place, ['recap']).stdout).not.toContain(QUESTION);
  expect(yoreJson(place, ['timeline'])).toMatchObject({ days: [{ sessions: 1 }, { sessions: 1 }] });
  expect(yoreJson(place, ['search', QUESTION])).toMatchObject({
    sessions: [{ sessionId: 'redis-1' }, { sessionId: expect.not.stringMatching(/-1$/) }],
  });
});

it('a session that only asks an agent what was worked on counts nowhere as work', () => {
  const place = createPlace();
  playSessions(place, [AUTHENTICATION, REDIS]);
  const asks = new ClaudeSession('aaaa1111-0000-4000-8000-000000000001', place.cwd, 24 * 60 * 3650)
    .asks('What have we worked on?')
    .runs('c1', 'git log --oneline -20', '1a2b3c4 Add a cache')
    .says('A cache in Redis, and authentication.');
  const path = join(place.folder, '.claude', 'projects', 'my-app', `${asks.id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, asks.text);
  yore(place, ['import', 'claude-code']);

  expect(yoreJson(place, ['status'])).toMatchObject({
    sessions: 2,
    withoutWork: 1,
    lastSessions: [{ sessionId: 'redis-1' }, { sessionId: 'auth-1' }],
  });
  expect(yore(place, []).stdout).toContain('2 previous sessions');
  expect(yoreJson(place, ['projects'])).toMatchObject({ projects: [{ sessions: 2 }] });
  expect(yoreJson(place, ['recap'])).toMatchObject({ totals: { sessions: 2 } });
  expect(yoreJson(place, ['timeline'])).toMatchObject({ days: [{ sessions: 1 }, { sessions: 1 }] });
  expect(yoreJson(place, ['sessions'])).toMatchObject({ total: 3 });
  expect(yore(place, ['chat'], { input: 'what did I do last?\n' }).stdout).toContain('Add Redis caching');
});

describe('yore chat without a model', () => {
  const FLAKY: AgentSession = {
    sessionId: 'flaky-1',
    daysAgo: 4,
    request: 'Fix the flaky upload test',
    done: [
      { command: 'npm test -- upload', error: 'AssertionError: expected 3 retries, got 2' },
      { writes: 'src/upload/retry.ts' },
      { command: 'npm test -- upload', output: '4 pass, 0 fail' },
    ],
  };
  const ask = (place: Place, question: string) => yore(place, ['chat'], { input: `${question}\n` }).stdout;

  it('answers what fails, what was done on a day, who changed a file, and how something was fixed', () => {
    const place = createPlace();
    playSessions(place, [FLAKY, REDIS]);
    const day = new Date(startOf(FLAKY));
    const named = day.toLocaleDateString('en', { month: 'short', day: 'numeric' });
    expect(ask(place, 'which commands keep failing here?')).toContain('npm install redis-node');
    const done = ask(place, `what did the agent do on ${named}?`);
    expect(done).toContain('Fix the flaky upload test');
    expect(done).not.toContain('Add Redis caching');
    expect(ask(place, 'who changed src/upload/retry.ts and why?')).toContain('Fix the flaky upload test');
    expect(ask(place, 'how did we fix the flaky test?')).toContain('flaky-1');
  });

  it('asks nothing that a search for the same question finds before the work itself', () => {
    const place = createPlace();
    playSessions(place, [FLAKY, REDIS]);
    const question = 'how did we fix the flaky upload test?';
    ask(place, question);
    ask(place, question);
    const { sessions } = yoreJson(place, ['search', question]) as { sessions: readonly { sessionId: string }[] };
    expect(sessions[0]?.sessionId).toBe('flaky-1');
    expect(sessions.length).toBeGreaterThan(1);
  });
});
