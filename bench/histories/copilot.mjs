import { createHistoryFolder, generateSessions, uuid } from './generated-sessions.mjs';

const TOOLS = { shell: 'bash', read: 'view', edit: 'edit' };
const MODEL = 'claude-heron';

/**
 * Writes a home folder with sessions of Copilot CLI: hooks, turns, sub-agents, torn last lines.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    const path = `.copilot/session-state/${session.id}${random.chance(0.1) ? '.jsonl' : '/events.jsonl'}`;
    home.writeLines(path, events(session, random), session.isTorn);
  }
  return home.totals();
}

function events(session, random) {
  const lines = [];
  let parentId = null;
  const add = (time, type, data, more = {}) => {
    const id = uuid(random);
    lines.push({ type, data, id, timestamp: new Date(time).toISOString(), parentId, ...more });
    parentId = id;
  };
  const context = {
    cwd: session.cwd,
    gitRoot: session.cwd,
    branch: session.branch,
    headCommit: random.hex(40),
  };
  add(session.time, 'session.start', {
    sessionId: session.id,
    version: 1,
    producer: 'copilot-agent',
    context,
  });
  add(session.time, 'session.model_change', { newModel: MODEL });
  let shell = 0;
  for (const turn of session.turns) {
    const agentId = random.chance(0.05) ? `scout-${random.hex(4)}` : undefined;
    writeTurn({ add, turn, agentId, nextShell: () => shell++, sessionId: session.id, cwd: session.cwd });
  }
  add(session.turns.at(-1).replies.at(-1).time, 'session.shutdown', shutdown(session));
  return lines;
}

function writeTurn({ add, turn, agentId, nextShell, sessionId, cwd }) {
  const { time, prompt, image } = turn;
  if (turn.isCompacted) {
    add(time, 'session.compaction_start', {});
    add(time, 'session.compaction_complete', { success: true, summaryContent: turn.replies[0].text });
  }
  add(time, 'hook.start', { hookType: 'userPromptSubmitted', input: { sessionId, cwd, prompt } });
  add(time, 'hook.end', { hookType: 'userPromptSubmitted', success: true });
  const blob = { type: 'blob', data: image, mimeType: 'image/png' };
  add(time, 'user.message', {
    content: prompt,
    transformedContent: `<current_datetime>${time}</current_datetime>\n\n${prompt}\n<system_reminder>x</system_reminder>`,
    attachments: image === undefined ? [] : [blob],
  });
  if (agentId !== undefined) add(time, 'subagent.started', { agentName: 'scout' }, { agentId });
  const who = agentId === undefined ? {} : { agentId };
  for (const [index, reply] of turn.replies.entries()) {
    add(reply.time, 'assistant.turn_start', { turnId: String(index) }, who);
    writeReply((...line) => add(...line, who), reply, nextShell);
    add(reply.time, 'assistant.turn_end', { turnId: String(index) }, who);
  }
  if (turn.isRewound) add(time, 'abort', { reason: 'user initiated' });
}

function writeReply(add, { time, text, calls, tokens }, nextShell) {
  const requests = calls.map((call) => ({
    toolCallId: call.id,
    name: TOOLS[call.kind],
    arguments: toArguments(call),
    type: 'function',
  }));
  const data = { model: MODEL, content: text, toolRequests: requests, outputTokens: tokens.output };
  add(time, 'assistant.message', { ...data, reasoningOpaque: 'x'.repeat(400) });
  for (const call of calls) {
    const { id: toolCallId, milliseconds } = call;
    add(time, 'tool.execution_start', {
      toolCallId,
      toolName: TOOLS[call.kind],
      arguments: toArguments(call),
    });
    add(time + milliseconds, 'hook.start', { hookType: 'postToolUse', input: { toolResult: call.output } });
    add(time + milliseconds, 'hook.end', { hookType: 'postToolUse', success: true });
    add(time + milliseconds, 'tool.execution_complete', {
      toolCallId,
      model: MODEL,
      ...toOutcome(call, nextShell),
    });
  }
}

function toArguments({ kind, command, path, output }) {
  if (kind === 'shell') return { command, description: 'Run it' };
  return kind === 'read' ? { path } : { path, old_str: path, new_str: output.slice(0, 400) };
}

function toOutcome({ kind, output, exitCode, isRejected }, nextShell) {
  if (isRejected) return { success: false, error: { message: 'The user rejected this tool call.', code: 'rejected' } };
  if (kind !== 'shell' && exitCode !== 0) return { success: false, error: { message: output, code: 'failure' } };
  const content =
    kind === 'shell' ? `${output}\n<shellId: ${nextShell()} completed with exit code ${exitCode}>` : output;
  return { success: true, result: { content, detailedContent: content } };
}

function shutdown(session) {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (const { tokens } of session.turns.flatMap((turn) => turn.replies)) {
    usage.inputTokens += tokens.input;
    usage.outputTokens += tokens.output;
    usage.cacheReadTokens += tokens.cached;
  }
  return { shutdownType: 'routine', totalPremiumRequests: 1, modelMetrics: { [MODEL]: { usage } } };
}
