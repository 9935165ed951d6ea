import { createHistoryFolder, generateSessions, uuid } from './generated-sessions.mjs';

const TOOLS = { shell: 'bash', read: 'read', edit: 'edit' };

/**
 * Writes a home folder with sessions of pi: trees with branches, forks in separate files, torn last lines.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    const file = pathOf(session, session.id);
    const lines = [header(session, session.id), ...entries(session, random)];
    home.writeLines(file, lines, session.isTorn);
    if (!session.isForked) continue;
    const id = uuid(random);
    const copied = lines.slice(1, random.between(4, lines.length));
    home.writeLines(pathOf(session, id), [{ ...header(session, id), parentSession: `${folder}/${file}` }, ...copied]);
  }
  return home.totals();
}

function pathOf(session, id) {
  const place = session.cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-');
  const time = new Date(session.time).toISOString().replace(/[:.]/g, '-');
  return `.pi/agent/sessions/--${place}--/${time}_${id}.jsonl`;
}

function header(session, id) {
  return {
    type: 'session',
    version: 3,
    id,
    timestamp: new Date(session.time).toISOString(),
    cwd: session.cwd,
  };
}

function entries(session, random) {
  const lines = [];
  let parentId = null;
  const add = (time, fields) => {
    const id = random.hex(8);
    lines.push({ type: 'message', id, parentId, timestamp: new Date(time).toISOString(), ...fields });
    parentId = id;
  };
  const say = (time, message) => add(time, { message: { ...message, timestamp: time } });
  add(session.time, { type: 'model_change', provider: 'birds', modelId: 'tern-5' });
  for (const turn of session.turns) {
    const before = parentId;
    if (turn.isCompacted) {
      add(turn.time, {
        type: 'compaction',
        summary: turn.replies[0].text,
        firstKeptEntryId: parentId,
        tokensBefore: 9,
      });
    }
    say(turn.time, { role: 'user', content: userContent(turn) });
    for (const reply of turn.replies) writeReply(say, reply);
    if (turn.isRewound) parentId = before;
  }
  return lines;
}

function userContent({ prompt, image }) {
  const text = { type: 'text', text: prompt };
  return image === undefined ? [text] : [text, { type: 'image', data: image, mimeType: 'image/png' }];
}

function writeReply(say, { time, text, calls, tokens }) {
  say(time, {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: text.slice(0, 200), thinkingSignature: 'x'.repeat(300) },
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({
        type: 'toolCall',
        id: call.id,
        name: TOOLS[call.kind],
        arguments: toArguments(call),
      })),
    ],
    provider: 'birds',
    model: 'tern-5',
    usage: {
      input: tokens.input - tokens.cached,
      output: tokens.output,
      cacheRead: tokens.cached,
      cacheWrite: 0,
    },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
  });
  for (const call of calls) {
    say(time + call.milliseconds, {
      role: 'toolResult',
      toolCallId: call.id,
      toolName: TOOLS[call.kind],
      content: [{ type: 'text', text: toResultText(call) }],
      isError: call.exitCode !== 0 || call.isRejected,
    });
  }
}

function toArguments({ kind, command, path, output }) {
  if (kind === 'shell') return { command };
  return kind === 'read' ? { path } : { path, oldText: path, newText: output.slice(0, 400) };
}

function toResultText({ kind, output, exitCode, isRejected }) {
  if (isRejected) return 'Operation aborted';
  return kind === 'shell' && exitCode !== 0 ? `${output}\n\nCommand exited with code ${exitCode}` : output;
}
