import { createHistoryFolder } from './history-folder.mjs';
import { sessionPlots, uuid } from './plot.mjs';

const TOOLS = { shell: 'run_shell_command', read: 'read_file', edit: 'replace' };
const MODEL = 'gemini-plover';

/**
 * Writes a home folder with sessions of Gemini CLI: messages that are written again with their calls, rewinds, compressed
 * contexts, sub-agents, older whole documents, torn last lines.
 * @param {import('./history-folder.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  const projects = {};
  for (const plot of sessionPlots({ folder, random, text })) {
    if (home.isFull()) break;
    if (projects[plot.cwd] === undefined)
      home.writeText(`.gemini/tmp/${plot.project}/.project_root`, plot.cwd);
    projects[plot.cwd] = plot.project;
    const chats = `.gemini/tmp/${plot.project}/chats`;
    const parent = plot.isForked ? uuid(random) : undefined;
    const name = `session-${new Date(plot.time).toISOString().slice(0, 16).replace(':', '-')}-${plot.id.slice(0, 8)}`;
    if (parent !== undefined)
      home.writeLines(`${chats}/${parent}/${plot.id}.jsonl`, records(plot, random, 'subagent'));
    else if (random.chance(0.1)) home.writeText(`${chats}/${name}.json`, wholeDocument(plot, random));
    else home.writeLines(`${chats}/${name}.jsonl`, records(plot, random, 'main'), plot.isTorn);
  }
  home.writeText('.gemini/projects.json', JSON.stringify({ projects }));
  return home.totals();
}

function headerOf(plot, kind) {
  const time = new Date(plot.time).toISOString();
  return {
    sessionId: plot.id,
    projectHash: plot.id.replaceAll('-', '').padEnd(64, '0'),
    startTime: time,
    lastUpdated: time,
    kind,
  };
}

function wholeDocument(plot, random) {
  const last = new Map();
  for (const record of records(plot, random, 'main'))
    if (record.id !== undefined) last.set(record.id, record);
  return JSON.stringify({ ...headerOf(plot, 'main'), messages: [...last.values()] }, undefined, 2);
}

function records(plot, random, kind) {
  const lines = [headerOf(plot, kind)];
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
  for (const turn of plot.turns) {
    if (turn.isCompacted) lines.push({ $set: { messages: compressed(turn, random, lines) } });
    const { id } = add(turn.time, 'user', userContent(turn));
    for (const reply of turn.replies) tellReply(lines, add, reply);
    if (turn.isRewound) lines.push({ $rewindTo: id });
  }
  return lines;
}

/** What the model sees after a compression: a summary, and the last messages under new ids. */
function compressed(turn, random, lines) {
  const summary = { text: `<state_snapshot>\n${turn.replies[0].text}\n</state_snapshot>` };
  const kept = lines.filter((line) => line.id !== undefined).slice(-4);
  return [{ type: 'user', content: [summary] }, ...kept].map((message) => ({ ...message, id: uuid(random) }));
}

function userContent({ prompt, image }) {
  const text = { text: prompt };
  return image === undefined ? [text] : [text, { inlineData: { mimeType: 'image/png', data: image } }];
}

function tellReply(lines, add, { time, text, calls, tokens }) {
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
