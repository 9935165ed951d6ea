import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../sqlite.mjs';
import { generateSessions } from './generated-sessions.mjs';

const TOOLS = { shell: 'bash', read: 'read', edit: 'edit' };
const MODEL = 'kimi-k3';
const TABLES = `
  create table session (id text primary key, project_id text not null, parent_id text, slug text not null,
    directory text not null, title text not null, version text not null, time_created integer not null,
    time_updated integer not null);
  create table message (id text primary key, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create table part (id text primary key, message_id text not null, session_id text not null,
    time_created integer not null, time_updated integer not null, data text not null);
  create index message_session_idx on message (session_id);
  create index part_message_idx on part (message_id);
`;

/**
 * Writes a home folder with the database of opencode: replies with parts, sub-agents, compactions, images. Where a file
 * would be torn, there is an unfinished reply.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}} `lines` counts rows of messages and parts
 */
export function writeHistory({ folder, bytes, random, text }) {
  const place = join(folder, '.local', 'share', 'opencode');
  mkdirSync(place, { recursive: true });
  const database = openDatabase(join(place, 'opencode.db'));
  database.exec(`pragma journal_mode = wal; pragma synchronous = off; ${TABLES}; begin`);
  const writer = createWriter(database, random);
  for (const session of generateSessions({ folder, random, text })) {
    if (writer.bytes() >= bytes) break;
    const sessionId = `ses_${session.id.replaceAll('-', '')}`;
    writer.session(sessionId, session, null);
    for (const turn of session.turns) writeTurn(writer, sessionId, turn);
    if (session.isTorn)
      writer.message(sessionId, session.time, { role: 'assistant' }, [{ type: 'text', text: 'Unfini' }]);
    if (!random.chance(0.1)) continue;
    writer.session(`${sessionId}s`, session, sessionId);
    writeTurn(writer, `${sessionId}s`, { ...session.turns[0], isCompacted: false });
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
  return { files: 1, lines: writer.rows() };
}

function createWriter(database, random) {
  const addSession = database.prepare('insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addMessage = database.prepare('insert into message values (?, ?, ?, ?, ?)');
  const addPart = database.prepare('insert into part values (?, ?, ?, ?, ?, ?)');
  const written = { bytes: 0, rows: 0 };
  const counted = (data) => {
    const text = JSON.stringify(data);
    written.bytes += text.length + 100;
    written.rows++;
    return text;
  };
  return {
    bytes: () => written.bytes,
    rows: () => written.rows,
    session: (id, { cwd, time, project }, parent) =>
      addSession.run(id, project, parent, 'slug', cwd, 'A title', '1.18.33', time, time),
    message: (sessionId, time, data, parts) => {
      const id = `msg_${time.toString(16)}${random.hex(14)}`;
      addMessage.run(id, sessionId, time, time, counted({ ...data, time: { created: time, ...data.time } }));
      for (const [index, part] of parts.entries()) {
        const partId = `prt_${time.toString(16)}${String(index).padStart(4, '0')}${random.hex(10)}`;
        addPart.run(partId, id, sessionId, time, time, counted(part));
      }
    },
  };
}

function writeTurn(writer, sessionId, { time, prompt, image, replies, isCompacted }) {
  if (isCompacted) {
    const summary = { role: 'assistant', summary: true, modelID: MODEL, time: { completed: time } };
    writer.message(sessionId, time, summary, [{ type: 'text', text: replies[0].text || 'Nothing so far' }]);
  }
  const url = `data:image/png;base64,${image}`;
  const file = image === undefined ? [] : [{ type: 'file', mime: 'image/png', filename: 'shot.png', url }];
  const injected = { type: 'text', text: 'Called the Read tool with the following input', synthetic: true };
  const model = { providerID: 'x', modelID: MODEL };
  writer.message(sessionId, time, { role: 'user', agent: 'build', model }, [
    { type: 'text', text: prompt },
    injected,
    ...file,
  ]);
  for (const reply of replies) {
    const { input, output, cached } = reply.tokens;
    const tokens = { input: input - cached, output, reasoning: 10, cache: { read: cached, write: 0 } };
    const completed = reply.time + 1;
    const data = { role: 'assistant', agent: 'build', modelID: MODEL, tokens, time: { completed } };
    writer.message(sessionId, reply.time, data, [
      { type: 'step-start' },
      ...(reply.text ? [{ type: 'text', text: reply.text }] : []),
      ...reply.calls.map((call) => toolPart(call, reply.time)),
      { type: 'step-finish', reason: 'stop', tokens },
    ]);
  }
}

function toolPart(call, start) {
  const { id, kind, command, path, output, exitCode, isRejected, milliseconds } = call;
  const input =
    kind === 'shell' ? { command, description: 'Run it' } : { filePath: path, newString: output.slice(0, 400) };
  const time = { start, end: start + milliseconds };
  const failed = isRejected ? 'The user rejected permission to use this specific tool call.' : output;
  const isError = isRejected || (kind !== 'shell' && exitCode !== 0);
  const metadata = kind === 'shell' ? { output: output.slice(0, 1000), exit: exitCode } : {};
  const state = isError
    ? { status: 'error', input, error: failed, time }
    : { status: 'completed', input, output, title: command ?? path, metadata, time };
  return { type: 'tool', callID: id, tool: TOOLS[kind], state };
}
