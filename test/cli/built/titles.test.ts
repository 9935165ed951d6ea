import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOpencodeDatabase } from '../../agents/opencode/opencode-database.ts';
import { ClaudeSession } from '../../import/machine.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

const T = '2026-05-20T10:00:00.000Z';

function write(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function titles(place: Place): Readonly<Record<string, string>> {
  const { sessions } = yoreJson(place, ['sessions']) as { sessions: readonly { sessionId: string; title: string }[] };
  return Object.fromEntries(sessions.map(({ sessionId, title }) => [sessionId, title]));
}

describe('titles of sessions', () => {
  it('of Claude Code are imported, and are shown wherever the session is named', () => {
    const here = createPlace();
    const folder = join(here.folder, '.claude', 'projects', 'my-app');
    const named = new ClaudeSession('aaaa1111-0000-4000-8000-000000000001', here.cwd)
      .asks('/mcp')
      .asks('can you make the kettle faster')
      .says('It boils faster now.');
    const ai = (aiTitle: string) => ({ type: 'ai-title', aiTitle, sessionId: named.id });
    write(join(folder, `${named.id}.jsonl`), [ai('Old title'), ...named.lines, ai('Speed up the kettle')]);
    const renamed = new ClaudeSession('bbbb1111-0000-4000-8000-000000000002', here.cwd, 60)
      .asks('please warm the pot')
      .says('It is warm.');
    write(join(folder, `${renamed.id}.jsonl`), [
      { type: 'summary', summary: 'About something else', leafUuid: 'in-another-file' },
      ...renamed.lines,
      { type: 'custom-title', customTitle: 'Teatime', sessionId: renamed.id },
      { type: 'ai-title', aiTitle: 'Greeting', sessionId: renamed.id },
    ]);
    const summarised = new ClaudeSession('cccc1111-0000-4000-8000-000000000003', here.cwd, 120)
      .asks('go on')
      .says('Ok.');
    const summary = { type: 'summary', summary: 'Descaling', leafUuid: `${summarised.id}-1` };
    write(join(folder, `${summarised.id}.jsonl`), [summary, ...summarised.lines]);
    const plain = new ClaudeSession('dddd1111-0000-4000-8000-000000000004', here.cwd, 180)
      .asks('/model')
      .asks('could you please repair the lid?')
      .says('Repaired.');
    write(join(folder, `${plain.id}.jsonl`), plain.lines);

    yore(here, ['import', 'claude-code']);
    const expected = {
      [named.id]: 'Speed up the kettle',
      [renamed.id]: 'Teatime',
      [summarised.id]: 'Descaling',
      [plain.id]: 'Repair the lid',
    };
    expect(titles(here)).toEqual(expected);
    const listed = yore(here, ['sessions'], { env: { COLUMNS: '200' } }).stdout;
    for (const title of Object.values(expected)) expect(listed).toContain(title);
    expect(yore(here, ['show', named.id]).stdout).toMatch(/^Speed up the kettle\n/);
    expect(yore(here, ['show', named.id]).stdout.match(/Speed up the kettle/g)).toHaveLength(1);
    expect(yore(here, ['export', '--session', renamed.id, '--format', 'markdown']).stdout).toMatch(/^# Teatime\n/);
    expect(yore(here, ['recap']).stdout).toContain('Teatime');

    // A new title alone is a change, and a title that was imported is not imported again.
    write(join(folder, `${named.id}.jsonl`), [
      ai('Old title'),
      ...named.lines,
      ai('Speed up the kettle'),
      ai('A faster kettle'),
    ]);
    yore(here, ['import', 'claude-code']);
    expect(titles(here)).toEqual({ ...expected, [named.id]: 'A faster kettle' });
    yore(here, ['reindex']);
    expect(titles(here)).toEqual({ ...expected, [named.id]: 'A faster kettle' });
    expect(yoreJson(here, ['sessions'])).toMatchObject({ total: 4 });
  });

  it('of other agents are imported', () => {
    const here = createPlace();
    const codex = '019c0000-0000-7000-8000-000000000001';
    const codexLine = (type: string, payload: object) => ({ timestamp: T, type, payload });
    write(join(here.folder, '.codex', 'sessions', '2026', '05', '20', `rollout-2026-05-20T10-00-00-${codex}.jsonl`), [
      codexLine('session_meta', { id: codex, cwd: here.cwd, timestamp: T }),
      codexLine('event_msg', { type: 'user_message', message: 'hello', images: [] }),
      codexLine('event_msg', { type: 'thread_name_updated', thread_id: codex, thread_name: 'Codex title' }),
    ]);
    const piText = [{ type: 'text', text: 'hello' }];
    write(join(here.folder, '.pi', 'agent', 'sessions', '--my-app--', `x_pi-1.jsonl`), [
      { type: 'session', version: 3, id: 'pi-1', timestamp: T, cwd: here.cwd },
      { type: 'message', id: 'a', parentId: null, timestamp: T, message: { role: 'user', content: piText } },
      { type: 'session_info', id: 'b', parentId: 'a', timestamp: T, name: 'Pi title' },
    ]);
    const copilotLine = (id: string, type: string, data: object) => ({ type, data, id, timestamp: T, parentId: null });
    write(join(here.folder, '.copilot', 'session-state', 'copilot-1', 'events.jsonl'), [
      copilotLine('e1', 'session.start', { sessionId: 'copilot-1', context: { cwd: here.cwd } }),
      copilotLine('e2', 'user.message', { content: 'hello' }),
      copilotLine('e3', 'session.title_changed', { title: 'Copilot title' }),
    ]);
    const qwen = { parentUuid: null, sessionId: 'qwen-1', timestamp: T, cwd: here.cwd };
    const said = { role: 'user', parts: [{ text: 'hello' }] };
    write(join(here.folder, '.qwen', 'projects', 'my-app', 'chats', 'qwen-1.jsonl'), [
      { ...qwen, uuid: 'u1', type: 'user', provenance: 'real_user', message: said },
      { ...qwen, uuid: 'u2', type: 'system', subtype: 'custom_title', systemPayload: { customTitle: 'Qwen title' } },
    ]);
    const data = join(here.folder, '.local', 'share', 'opencode');
    mkdirSync(data, { recursive: true });
    const database = createOpencodeDatabase(join(data, 'opencode.db'));
    const message = { role: 'user', time: { created: Date.parse(T) } };
    for (const [id, title] of [
      ['open-1', 'Opencode title'],
      ['open-2', 'New session - 2026-05-20T10:00:00.000Z'],
    ] as const) {
      database.session(id, { directory: here.cwd });
      database.database.prepare('update session set title = ? where id = ?').run(title, id);
      database.message(`m-${id}`, id, message, [{ type: 'text', text: 'paint the door' }]);
    }
    yore(here, ['import']);
    expect(titles(here)).toEqual({
      [codex]: 'Codex title',
      'pi-1': 'Pi title',
      'copilot-1': 'Copilot title',
      'qwen-1': 'Qwen title',
      'open-1': 'Opencode title',
      'open-2': 'Paint the door',
    });
  });
});
