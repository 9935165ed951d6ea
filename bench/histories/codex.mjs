import { createHistoryFolder, generateSessions, uuid } from './generated-sessions.mjs';

const MODEL = 'gpt-plover';
/** Codex truncates longer outputs. */
const MAX_OUTPUT = 40_000;

/**
 * Writes a home folder with rollouts of Codex: instructions, messages as items and as events, reasoning, token counts,
 * patches, background processes, forks that begin with a copy, sub-agents, compactions, torn last lines.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    const id = uuidV7(session.time, random);
    const lines = rollout(session, id, random, text, {});
    home.writeLines(pathOf(session.time, id, random), lines, session.isTorn);
    if (random.chance(0.1)) {
      const child = uuidV7(session.time + 1000, random);
      const parent = { parent_thread_id: id, thread_source: 'subagent' };
      const part = { ...session, time: session.time + 1000, turns: session.turns.slice(0, 1) };
      home.writeLines(pathOf(part.time, child, random), rollout(part, child, random, text, parent));
    }
    if (!session.isForked) continue;
    const time = session.turns.at(-1).time + 3_600_000;
    const fork = uuidV7(time, random);
    const own = { ...session, time, turns: [{ ...session.turns[0], time, isCompacted: false }] };
    const [head, ...rest] = rollout(own, fork, random, text, { forked_from_id: id });
    const copied = lines.map((line) => ({ ...line, timestamp: new Date(time).toISOString() }));
    home.writeLines(pathOf(time, fork, random), [head, ...copied, ...rest]);
  }
  return home.totals();
}

/** A version 7 UUID, which begins with its time. */
function uuidV7(time, random) {
  const [, ...rest] = uuid(random).split('-');
  const stamp = Math.floor(time).toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${rest[1].slice(1)}-8${rest[2].slice(1)}-${rest[3]}`;
}

function pathOf(time, id, random) {
  const stamp = new Date(time).toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = random.chance(0.1) ? 'archived_sessions' : `sessions/${stamp.slice(0, 10).replaceAll('-', '/')}`;
  return `.codex/${folder}/rollout-${stamp}-${id}.jsonl`;
}

function rollout(session, id, random, text, more) {
  const lines = [];
  const add = (time, type, payload) => lines.push({ timestamp: new Date(time).toISOString(), type, payload });
  const item = (time, type, fields) => add(time, 'response_item', { type, ...fields });
  const event = (time, type, fields) => add(time, 'event_msg', { type, ...fields });
  add(session.time, 'session_meta', {
    id,
    timestamp: new Date(session.time).toISOString(),
    cwd: session.cwd,
    originator: 'codex-tui',
    cli_version: '0.150.0',
    source: 'cli',
    base_instructions: { text: 'You are a coding agent. '.repeat(300) },
    git: { commit_hash: random.hex(40), branch: session.branch },
    ...more,
  });
  const usage = { total: 0 };
  for (const [index, turn] of session.turns.entries()) {
    const turnId = uuidV7(turn.time, random);
    event(turn.time, 'task_started', { turn_id: turnId, model_context_window: 258400 });
    if (index === 0) writeInstructions(item, turn.time, session.cwd);
    add(turn.time, 'turn_context', { turn_id: turnId, cwd: session.cwd, model: MODEL, effort: 'high' });
    writeTurn({ add, item, event, turn, random, text, usage, cwd: session.cwd });
    event(turn.replies.at(-1).time, 'task_complete', {
      turn_id: turnId,
      last_agent_message: turn.replies.at(-1).text,
    });
  }
  return lines;
}

function writeInstructions(item, time, cwd) {
  const say = (role, text) => item(time, 'message', { role, content: [{ type: 'input_text', text }] });
  say('developer', `<permissions instructions>\n${'Everything is allowed. '.repeat(60)}\n</permissions instructions>`);
  say('user', `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${'Use tabs. '.repeat(200)}\n</INSTRUCTIONS>`);
  say('user', `<environment_context>\n  <cwd>${cwd}</cwd>\n  <shell>zsh</shell>\n</environment_context>`);
}

function writeTurn({ add, item, event, turn, random, text, usage, cwd }) {
  if (turn.isCompacted) {
    add(turn.time, 'compacted', { message: turn.replies[0].text, replacement_history: [] });
    event(turn.time, 'context_compacted', {});
  }
  const image =
    turn.image === undefined ? [] : [{ type: 'input_image', image_url: `data:image/png;base64,${turn.image}` }];
  item(turn.time, 'message', {
    role: 'user',
    content: [{ type: 'input_text', text: turn.prompt }, ...image],
  });
  event(turn.time, 'user_message', { message: turn.prompt, images: image.map((part) => part.image_url) });
  for (const reply of turn.replies) {
    item(reply.time, 'reasoning', { summary: [], encrypted_content: random.hex(800) });
    if (random.chance(0.3)) event(reply.time, 'agent_reasoning', { text: text.reply() });
    if (reply.text !== '') {
      event(reply.time, 'agent_message', { message: reply.text, phase: 'commentary' });
      item(reply.time, 'message', {
        role: 'assistant',
        content: [{ type: 'output_text', text: reply.text }],
      });
    }
    for (const call of reply.calls) writeCall({ item, event, call, random, cwd, time: reply.time });
    writeTokens(event, reply, usage);
  }
}

function writeCall({ item, event, call, random, cwd, time }) {
  const callId = call.id;
  const output = call.output.slice(0, MAX_OUTPUT);
  if (call.kind === 'edit') {
    const lines = output
      .slice(0, 200)
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n');
    const input = `*** Begin Patch\n*** Update File: ${call.path}\n@@\n${lines}\n*** End Patch`;
    item(time, 'custom_tool_call', { status: 'completed', call_id: callId, name: 'apply_patch', input });
    const isOk = call.exitCode === 0 && !call.isRejected;
    if (isOk)
      event(time, 'patch_apply_end', {
        call_id: callId,
        success: true,
        stdout: 'Success.',
        stderr: '',
        changes: {},
      });
    const said = isOk
      ? 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n'
      : 'apply_patch verification failed: Failed to find expected lines';
    item(time, 'custom_tool_call_output', { call_id: callId, output: said });
    return;
  }
  const cmd = call.kind === 'shell' ? call.command : `sed -n '1,200p' ${call.path}`;
  const run = (id, name, fields) =>
    item(time, 'function_call', { name, arguments: JSON.stringify(fields), call_id: id });
  const end = (id, said) => item(time, 'function_call_output', { call_id: id, output: said });
  const seconds = (call.milliseconds / 1000).toFixed(4);
  const head = `Chunk ID: ${random.hex(6)}\nWall time: ${seconds} seconds\n`;
  const exited = `${head}Process exited with code ${call.exitCode}\nOriginal token count: 9\nOutput:\n${output}`;
  run(callId, 'exec_command', { cmd, workdir: cwd, yield_time_ms: 1000 });
  if (call.isRejected)
    return end(callId, 'exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }');
  if (!random.chance(0.05)) return end(callId, exited);
  const process = random.between(1000, 99_999);
  end(callId, `${head}Process running with session ID ${process}\nOriginal token count: 0\nOutput:\n`);
  run(`${callId}w`, 'write_stdin', { session_id: process, chars: '', yield_time_ms: 1000 });
  end(`${callId}w`, exited);
}

function writeTokens(event, { tokens, time }, usage) {
  const last = {
    input_tokens: tokens.input + tokens.cached,
    cached_input_tokens: tokens.cached,
    output_tokens: tokens.output,
    total_tokens: tokens.input + tokens.cached + tokens.output,
  };
  usage.total += last.total_tokens;
  const info = {
    total_token_usage: { total_tokens: usage.total },
    last_token_usage: last,
    model_context_window: 258400,
  };
  event(time, 'token_count', { info, rate_limits: { primary: { used_percent: 8 } } });
}
