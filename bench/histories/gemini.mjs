import { createHistoryFolder, generateSessions, uuid } from './generated-sessions.mjs';

const TOOLS = { shell: 'run_shell_command', read: 'read_file', edit: 'replace' };
const MODEL = 'gemini-plover';

/**
 * Writes a home folder with sessions of Gemini CLI: messages that are repeated with their calls, rewinds, compactions,
 * sub-agents, sessions as one document (the older format), torn last lines.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  const projects = {};
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    if (projects[session.cwd] === undefined)
      home.writeText(`.gemini/tmp/${session.project}/.project_root`, session.cwd);
    projects[session.cwd] = session.project;
    const chats = `.gemini/tmp/${session.project}/chats`;
    const parent = session.isForked ? uuid(random) : undefined;
    const name = `session-${new Date(session.time).toISOString().slice(0, 16).replace(':', '-')}-${session.id.slice(0, 8)}`;
    if (parent !== undefined)
      home.writeLines(`${chats}/${parent}/${session.id}.jsonl`, records(session, random, 'subagent'));
    else if (random.chance(0.1)) home.writeText(`${chats}/${name}.json`, wholeDocument(session, random));
    else home.writeLines(`${chats}/${name}.jsonl`, records(session, random, 'main'), session.isTorn);
  }
  home.writeText('.gemini/projects.json', JSON.stringify({ projects }));
  return home.totals();
}

function toHeader(session, kind) {
  const time = new Date(session.time).toISOString();
  return {
    sessionId: session.id,
    projectHash: session.id.replaceAll('-', '').padEnd(64, '0'),
    startTime: time,
    lastUpdated: time,
    kind,
  };
}

function wholeDocument(session, random) {
  const last = new Map();
  for (const record of records(session, random, 'main')) if (record.id !== undefined) last.set(record.id, record);
  return JSON.stringify({ ...toHeader(session, 'main'), messages: [...last.values()] }, undefined, 2);
}

function records(session, random, kind) {
  const lines = [toHeader(session, kind)];
  const add = (time, type, content, more = {}) => {
    const record = { id: uuid(random), timestamp: new Date(time).toISOString(), type, content, ...more };
    lines.push(record, { $set: { lastUpdated: record.timestamp } });
    return record;
  };
  const preamble = {
    id: uuid(random),
    type: 'user',
    content: [{ text: '<session_context>\nx\n</session_context>' }],
  };
  lines.push({ $set: { messages: [preamble] } });
  for (const turn of session.turns) {
    if (turn.isCompacted) lines.push({ $set: { messages: compactedMessages(turn, random, lines) } });
    const { id } = add(turn.time, 'user', userContent(turn));
    for (const reply of turn.replies) writeReply(lines, add, reply);
    if (turn.isRewound) lines.push({ $rewindTo: id });
  }
  return lines;
}

/** What the model is sent after a compaction: a summary, and the last messages under new ids. */
function compactedMessages(turn, random, lines) {
  const summary = { text: `<state_snapshot>\n${turn.replies[0].text}\n</state_snapshot>` };
  const kept = lines.filter((line) => line.id !== undefined).slice(-4);
  return [{ type: 'user', content: [summary] }, ...kept].map((message) => ({ ...message, id: uuid(random) }));
}

function userContent({ prompt, image }) {
  const text = { text: prompt };
  return image === undefined ? [text] : [text, { inlineData: { mimeType: 'image/png', data: image } }];
}

function writeReply(lines, add, { time, text, calls, tokens }) {
  const { input, output, cached } = tokens;
  const record = add(time, 'gemini', text, {
    thoughts: [{ subject: 'Plan', description: text.slice(0, 200), timestamp: new Date(time).toISOString() }],
    tokens: { input, output, cached, thoughts: 0, tool: 0, total: input + output },
    model: MODEL,
  });
  if (calls.length > 0) lines.push({ ...record, toolCalls: calls.map((call) => toolCall(call, time)) });
}

function toolCall(call, time) {
  const { id, kind, command, path, output, exitCode, isRejected } = call;
  const name = TOOLS[kind];
  const failed = isRejected || (kind !== 'shell' && exitCode !== 0);
  const error = isRejected ? '[Operation Cancelled] Reason: User denied execution.' : output;
  const response = failed ? { error } : { output: kind === 'shell' ? framed(call) : output };
  return {
    id,
    name,
    args: kind === 'shell' ? { command } : { file_path: path },
    result: [{ functionResponse: { id, name, response } }],
    status: isRejected ? 'cancelled' : failed ? 'error' : 'success',
    timestamp: new Date(time + call.milliseconds).toISOString(),
    resultDisplay: output.slice(0, 400),
  };
}

function framed({ output, exitCode }) {
  return `Output: ${output}${exitCode === 0 ? '' : `\nExit Code: ${exitCode}`}\nProcess Group PGID: 4242`;
}
