import { describe, expect, it } from 'vitest';
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
    chats: 1,
    lastSessions: [{ agent: 'yore', preview: QUESTION }, { sessionId: 'redis-1' }, { sessionId: 'auth-1' }],
  });
  const status = yore(place, []).stdout;
  expect(status).toMatch(/2 sessions.*1 chat/);
  expect(status).toContain('2 previous sessions');
  expect(yoreJson(place, ['recap'])).toMatchObject({ totals: { sessions: 2, requests: 2 } });
  expect(yore(place, ['recap']).stdout).not.toContain(QUESTION);
  expect(yoreJson(place, ['timeline'])).toMatchObject({ days: [{ sessions: 1 }, { sessions: 1 }] });
  expect(yoreJson(place, ['search', QUESTION])).toMatchObject({
    sessions: [{ sessionId: 'redis-1' }, { sessionId: expect.not.stringMatching(/-1$/) }],
  });
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
