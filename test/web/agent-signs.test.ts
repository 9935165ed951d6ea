import { expect, test } from 'vitest';
import { AGENT_NAMES } from '../../src/agents/agent-name.ts';
import { AGENT_SIGNS } from '../../web/src/history/agent-signs.ts';

test('the app has a sign for every agent', () => {
  expect(Object.keys(AGENT_SIGNS)).toEqual([...AGENT_NAMES, 'yore']);
});
