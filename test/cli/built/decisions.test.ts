import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { playSessions, RELAY } from './agent.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

interface Listed {
  readonly total: number;
  readonly decisions: readonly { readonly id: string; readonly text: string }[];
}

function list(place: Place, ...args: readonly string[]): Listed {
  return yoreJson(place, ['decisions', ...args]) as Listed;
}

function texts(place: Place, ...args: readonly string[]): readonly string[] {
  return list(place, ...args).decisions.map(({ text }) => text);
}

const PORT = 'Which port does the relay use? 9000';
const TRACES = 'Where are traces of the gateway kept? SQLite, one file for each day';

describe('yore decisions', () => {
  it('lists what holds with its words, session and what it replaced', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    const { stdout, stderr } = yore(place, ['decisions']);
    expect(stderr).toBe('');
    expect(stdout).toContain(PORT);
    expect(stdout).toContain('session relay-2');
    expect(stdout).toContain('was: Which port does the relay use? 8443');
    expect(list(place)).toMatchObject({
      total: 2,
      decisions: [
        { kind: 'decision', text: PORT, quote: PORT, sessionId: 'relay-2', state: 'current' },
        { text: TRACES, sessionId: 'relay-1' },
      ],
    });
    expect(texts(place, '--limit', '1')).toEqual([PORT]);
  });

  it('finds by words, kind and age, and with --all what was replaced', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    expect(texts(place, 'traces', 'gateways')).toEqual([TRACES]);
    expect(texts(place, '--days', '5')).toEqual([PORT]);
    expect(texts(place, '--kind', 'correction')).toEqual([]);
    expect(list(place, '--all')).toMatchObject({ total: 3, decisions: [{}, {}, { state: 'replaced' }] });
    expect(yore(place, ['decisions', '--all']).stdout).toContain('replaced');
    expect(yore(place, ['decisions', '--kind', 'rumour'])).toMatchObject({ code: 2 });
  });

  it('puts one into other words, pins or dismisses it, and undoes each', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    const id = list(place, 'traces').decisions[0]?.id ?? '';
    const edited = yore(place, ['decisions', 'edit', id, 'Traces', 'are', 'in SQLite']);
    expect(edited.stdout).toContain('Traces are in SQLite');
    expect(edited.stdout).toContain(`yore decisions undo ${id}`);
    expect(yoreJson(place, ['decisions', 'pin', id])).toMatchObject({ decision: { id, isPinned: true } });
    expect(texts(place)).toEqual(['Traces are in SQLite', PORT]);
    yore(place, ['decisions', 'dismiss', id]);
    expect(texts(place)).toEqual([PORT]);
    for (const _ of [1, 2, 3]) yore(place, ['decisions', 'undo', id]);
    expect(texts(place)).toEqual([PORT, TRACES]);
    expect(yore(place, ['decisions', 'edit', id])).toMatchObject({ code: 2 });
    expect(yore(place, ['decisions', 'pin', 'd-none'])).toMatchObject({ code: 4 });
  });

  it('says what to do when there is none', () => {
    const place = createPlace();
    expect(yore(place, ['decisions']).stdout).toContain('Nothing is recorded');
    playSessions(
      place,
      RELAY.map((session) => ({ ...session, done: [] })),
    );
    expect(yore(place, ['decisions']).stdout).toContain('yore remember');
    expect(yore(place, ['decisions', 'redis']).stdout).toContain('yore search redis');
  });

  it('fits into 40 columns', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    const { stdout } = yore(place, ['decisions'], { env: { COLUMNS: '40' } });
    for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });
});

/** What an agent is told by its hook. */
function hear(place: Place, event: Readonly<Record<string, string>>): string {
  const input = JSON.stringify({ session_id: 'today', cwd: place.cwd, ...event });
  const { stdout } = yore(place, ['hook', 'claude-code'], { input });
  return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

describe('an agent', () => {
  it('is told at the start of a session what was decided, before anything else', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    const [{ id } = { id: '' }] = list(place, 'relay').decisions;
    const briefing = hear(place, { hook_event_name: 'SessionStart', source: 'startup' });
    const [, title, heading, ...lines] = briefing.split('\n');
    expect(title).toContain('## Project context');
    expect(heading).toBe('Decisions and corrections:');
    expect(lines[0]).toMatch(
      /^- "Which port does the relay use\? 9000" \(the user answered an agent, \d{4}-\d\d-\d\d\)$/,
    );
    expect(briefing).not.toContain('8443');
    yore(place, ['decisions', 'dismiss', id]);
    list(place);
    expect(hear(place, { hook_event_name: 'SessionStart', source: 'startup' })).not.toContain('use? 9000');
  });

  it('is told after a compaction what was decided in its session', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    const briefing = hear(place, { hook_event_name: 'SessionStart', source: 'compact', session_id: 'relay-1' });
    expect(briefing).toContain('traces of the gateway');
    expect(briefing).not.toContain('use? 9000');
  });

  it('hears a decision when a prompt names its subject, once a session', () => {
    const place = createPlace();
    playSessions(place, RELAY);
    list(place);
    const ask = (prompt: string): string => hear(place, { hook_event_name: 'UserPromptSubmit', prompt });
    expect(ask('Write a relay race game')).not.toContain('Decided before');
    expect(ask('Let the relay use another port')).toMatch(
      /^Decided before: "Which port does the relay use\? 9000" \(the user answered an agent, \d{4}-\d\d-\d\d\)\.$/m,
    );
    expect(ask('Now print the port that the relay uses')).not.toContain('Decided before');
  });
});
