import { expect, it } from 'vitest';
import { AUTHENTICATION, playSessions, REDIS } from './agent.ts';
import { createPlace, yore, yoreJson } from './run-yore.ts';

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
