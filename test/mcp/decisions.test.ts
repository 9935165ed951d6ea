import { expect, it } from 'vitest';
import { playSessions, REDIS, RELAY } from '../cli/built/agent.ts';
import { createPlace } from '../cli/built/run-yore.ts';
import { connect } from './serve.ts';

it('lists what was decided, all of it or what is about a question', async () => {
  const place = createPlace();
  playSessions(place, [...RELAY, REDIS]);
  const { call } = await connect(place);
  const { text, data } = await call('decisions');
  expect(text).toMatch(
    /^- "Which port does the relay use\? 9000" \(the user answered an agent, [\d-]+\); session relay-2, id /m,
  );
  expect(text).toMatch(/^ {2}was: "Which port does the relay use\? 8443" \([\d-]+\)$/m);
  expect(data).toMatchObject({
    total: 2,
    decisions: [
      { kind: 'decision', session: 'relay-2', was: 'Which port does the relay use? 8443' },
      { text: 'Where are traces of the gateway kept? SQLite, one file for each day' },
    ],
  });
  const asked = await call('decisions', { about: 'why do we keep traces in SQLite?' });
  expect(asked.data).toMatchObject({ total: 1, decisions: [{ session: 'relay-1' }] });
  expect((await call('decisions', { about: 'which colour has the logo?' })).data).toMatchObject({
    total: 0,
    decisions: [],
  });
});

it('says that nothing was decided', async () => {
  const place = createPlace();
  playSessions(place, [REDIS]);
  const { call } = await connect(place);
  expect((await call('decisions')).text).toContain('No decisions or corrections');
});
