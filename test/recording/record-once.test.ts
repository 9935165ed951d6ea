import { expect, test } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

test('records an attempt of the same session and call once, also in another process', () => {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const attempt = {
    sessionId: 's1',
    callId: 'c1',
    outcome: 'failure',
    tool: 'Bash',
    command: 'make',
  } as const;
  const project = openHome({ home }).openProject(folder);
  expect(project.record(attempt)).toMatchObject({ callId: 'c1' });
  expect(project.record(attempt)).toBeUndefined();
  const other = openHome({ home }).openProject(folder);
  expect(other.record(attempt)).toBeUndefined();
  expect(other.record({ ...attempt, sessionId: 's2' })).toMatchObject({ sessionId: 's2' });
  expect(other.record({ ...attempt, callId: 'c2' })).toMatchObject({ callId: 'c2' });
  const { callId: _, ...withoutId } = attempt;
  expect(other.record(withoutId)).toBeDefined();
  expect(other.record(withoutId)).toBeDefined();
  expect(other.session('s1').records).toHaveLength(4);
});
