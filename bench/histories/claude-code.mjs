import { createHistoryFolder, generateSessions, uuid } from './generated-sessions.mjs';

const TOOLS = { shell: 'Bash', read: 'Read', edit: 'Edit' };
const MODEL = 'claude-curlew-5';
const VERSION = '2.1.218';
/** Longer outputs are saved to a file, and the transcript has a preview. */
const MAX_OUTPUT = 30_000;

/**
 * Writes a home folder with sessions of Claude Code: one line per block of a reply, thinking, progress, snapshots,
 * attachments, sub-agents in separate files, saved outputs, forks, compactions, torn last lines.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    const place = `.claude/projects/${session.cwd.replace(/[^A-Za-z0-9]/g, '-')}`;
    const save = (callId, output) => {
      const path = `${place}/${session.id}/tool-results/${callId}.txt`;
      home.writeText(path, output);
      return `${folder}/${path}`;
    };
    const lines = sessionLines(session, random, text, save);
    home.writeLines(`${place}/${session.id}.jsonl`, lines, session.isTorn);
    if (random.chance(0.15)) {
      const agentId = random.hex(7);
      const agent = { isSidechain: true, agentId };
      home.writeLines(
        `${place}/${session.id}/subagents/agent-${agentId}.jsonl`,
        turnLines(session, { ...session.turns[0], isCompacted: false }, random, text, save, agent),
      );
    }
    if (!session.isForked) continue;
    const id = uuid(random);
    const forkedFrom = { sessionId: session.id, messageUuid: uuid(random) };
    const ends = lines.flatMap((line, at) => (line.subtype === 'turn_duration' ? [at + 1] : []));
    const copied = lines.slice(0, random.pick(ends));
    const own = copied.map((line) => (line.uuid ? { ...line, sessionId: id, forkedFrom } : line));
    home.writeLines(`${place}/${id}.jsonl`, own);
  }
  return home.totals();
}

function sessionLines(session, random, text, save) {
  const sessionId = session.id;
  const lines = [{ type: 'permission-mode', permissionMode: 'default', sessionId }];
  for (const turn of session.turns) lines.push(...turnLines(session, turn, random, text, save, {}));
  lines.push({ type: 'last-prompt', lastPrompt: session.turns.at(-1).prompt.slice(0, 200), sessionId });
  return lines;
}

function turnLines(session, turn, random, text, save, more) {
  const lines = [];
  let parentUuid = null;
  const add = (time, type, fields) => {
    const id = uuid(random);
    lines.push({
      parentUuid,
      isSidechain: false,
      ...more,
      userType: 'external',
      cwd: session.cwd,
      sessionId: session.id,
      version: VERSION,
      gitBranch: session.branch,
      type,
      ...fields,
      uuid: id,
      timestamp: new Date(time).toISOString(),
    });
    parentUuid = id;
  };
  if (turn.isCompacted) {
    add(turn.time, 'system', {
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    });
    const summary = `This session is being continued from a previous conversation.\n\n${turn.replies[0].text}`;
    add(turn.time, 'user', { isCompactSummary: true, message: { role: 'user', content: summary } });
  }
  add(turn.time, 'user', { promptId: uuid(random), message: { role: 'user', content: prompt(turn) } });
  lines.push({ type: 'file-history-snapshot', messageId: parentUuid, snapshot: { trackedFileBackups: {} } });
  add(turn.time, 'attachment', { attachment: { type: 'todo_reminder', content: [], itemCount: 0 } });
  for (const reply of turn.replies) writeReply({ add, reply, random, text, save, cwd: session.cwd });
  add(turn.replies.at(-1).time, 'system', { subtype: 'turn_duration', durationMs: 9000 });
  return lines;
}

function prompt({ prompt, image }) {
  if (image === undefined) return prompt;
  const source = { type: 'base64', media_type: 'image/png', data: image };
  return [
    { type: 'text', text: `${prompt} [Image #1]` },
    { type: 'image', source },
  ];
}

function writeReply({ add, reply, random, text, save, cwd }) {
  const id = `msg_${random.hex(24)}`;
  const usage = {
    input_tokens: reply.tokens.input,
    output_tokens: reply.tokens.output,
    cache_read_input_tokens: reply.tokens.cached,
    cache_creation_input_tokens: 0,
    service_tier: 'standard',
  };
  const say = (block) => {
    const message = { model: MODEL, id, type: 'message', role: 'assistant', content: [block], usage };
    add(reply.time, 'assistant', { message, requestId: `req_${id}` });
  };
  if (random.chance(0.5)) say({ type: 'thinking', thinking: text.reply(), signature: random.hex(300) });
  if (reply.text !== '') say({ type: 'text', text: reply.text });
  for (const call of reply.calls) {
    say({ type: 'tool_use', id: toCallId(call), name: TOOLS[call.kind], input: input(call) });
  }
  for (const call of reply.calls) writeResult({ add, call, time: reply.time + call.milliseconds, random, save, cwd });
}

function toCallId({ id }) {
  return id.replace('call_', 'toolu_');
}

function input({ kind, command, path, output }) {
  if (kind === 'shell') return { command, description: 'Run it' };
  if (kind === 'read') return { file_path: path };
  return { file_path: path, old_string: output.slice(0, 80), new_string: output.slice(80, 200) };
}

function writeResult({ add, call, time, random, save, cwd }) {
  const callId = toCallId(call);
  if (call.kind === 'shell') {
    for (let count = random.below(3); count > 0; count--) {
      const data = { type: 'bash_progress', output: call.output.slice(0, 2000), elapsedTimeSeconds: count };
      add(time, 'progress', { data, toolUseID: `bash-progress-${count}`, parentToolUseID: callId });
    }
  }
  const { content, isError, extra } = formatResult(call, callId, save, cwd);
  const block = { tool_use_id: callId, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) };
  add(time, 'user', { message: { role: 'user', content: [block] }, toolUseResult: extra });
}

function formatResult(call, callId, save, cwd) {
  if (call.isRejected) {
    const content = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    return { content, isError: true, extra: 'User rejected tool use' };
  }
  if (call.exitCode !== 0) {
    const output = call.output.slice(0, MAX_OUTPUT);
    const content =
      call.kind === 'shell' ? `Exit code ${call.exitCode}\n${output}` : `<tool_use_error>${output}</tool_use_error>`;
    return { content, isError: true, extra: `Error: ${content}` };
  }
  if (call.kind === 'read') {
    const file = {
      filePath: `${cwd}/${call.path}`,
      content: call.output,
      numLines: 1,
      startLine: 1,
      totalLines: 1,
    };
    return { content: call.output, isError: false, extra: { type: 'text', file } };
  }
  if (call.kind === 'edit') {
    const extra = {
      filePath: `${cwd}/${call.path}`,
      originalFile: call.output,
      structuredPatch: [],
      userModified: false,
    };
    return { content: `The file ${call.path} has been updated successfully.`, isError: false, extra };
  }
  const shell = { stderr: '', interrupted: false, isImage: false };
  if (call.output.length <= MAX_OUTPUT) {
    return { content: call.output, isError: false, extra: { stdout: call.output, ...shell } };
  }
  const persistedOutputPath = save(callId, call.output);
  const preview = call.output.slice(0, 2000);
  const content = `<persisted-output>\nOutput too large. Full output saved to: ${persistedOutputPath}\n\nPreview:\n${preview}\n</persisted-output>`;
  return { content, isError: false, extra: { stdout: preview, ...shell, persistedOutputPath } };
}
