import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionMarks } from '../../src/hook/session-marks.ts';
import { temporaryFolder } from '../temp-folder.ts';

const CALL = { tool: 'bash', input: { command: 'npm test' } };

describe('the marks of a session', () => {
  it('remember what each session has been told', () => {
    const folder = temporaryFolder();
    const marks = new SessionMarks(folder, 'one');
    expect(marks.shown().size).toBe(0);
    marks.addShown('a@1');
    marks.addShown('b@2');
    expect([...new SessionMarks(folder, 'one').shown()]).toEqual(expect.arrayContaining(['a@1', 'b@2']));
    expect(new SessionMarks(folder, 'two').shown().size).toBe(0);
  });

  it('return a note once, for the call it belongs to', () => {
    const marks = new SessionMarks(temporaryFolder(), 'one');
    marks.keepNote(CALL, 'it failed');
    expect(marks.takeNote({ ...CALL, tool: 'sh' })).toBeUndefined();
    expect(marks.takeNote({ ...CALL, callId: 'only the result names it' })).toBe('it failed');
    expect(marks.takeNote(CALL)).toBeUndefined();
  });

  it('recognise an event that is reported twice within seconds', () => {
    const marks = new SessionMarks(temporaryFolder(), 'one');
    const now = Date.now();
    expect(marks.isFirst('x', now)).toBe(true);
    expect(marks.isFirst('x', now + 1_000)).toBe(false);
    expect(marks.isFirst('x', now + 60_000)).toBe(true);
    expect(marks.isFirst('x', now + 61_000)).toBe(false);
  });

  it('are removed after two days', () => {
    const folder = temporaryFolder();
    const marks = new SessionMarks(folder, 'one');
    marks.addShown('a');
    marks.keepNote(CALL, 'x');
    const [name = ''] = readdirSync(join(folder, 'told'));
    utimesSync(join(folder, 'told', name), 1, 1);
    marks.tidy(Date.now());
    expect(readdirSync(join(folder, 'told'))).toHaveLength(1);
  });
});
