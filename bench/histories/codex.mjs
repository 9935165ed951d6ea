import { createHistoryFolder } from './history-folder.mjs';
import { sessionPlots, uuid } from './plot.mjs';

const MODEL = 'gpt-plover';
/** How much of an output Codex keeps. */
const LONGEST_OUTPUT = 40_000;

/**
 * Writes a home folder with rollouts of Codex: instructions, everything said twice, reasoning, token counts, patches,
 * processes that go on, forks that begin with a copy, sub-agents, compactions, torn last lines.
 * @param {import('./history-folder.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  for (const plot of sessionPlots({ folder, random, text })) {
    if (home.isFull()) break;
    const id = timedId(plot.time, random);
    const lines = rollout(plot, id, random, text, {});
    home.writeLines(pathOf(plot.time, id, random), lines, plot.isTorn);
    if (random.chance(0.1)) {
      const child = timedId(plot.time + 1000, random);
      const parent = { parent_thread_id: id, thread_source: 'subagent' };
      const part = { ...plot, time: plot.time + 1000, turns: plot.turns.slice(0, 1) };
      home.writeLines(pathOf(part.time, child, random), rollout(part, child, random, text, parent));
    }
    if (!plot.isForked) continue;
    const time = plot.turns.at(-1).time + 3_600_000;
    const fork = timedId(time, random);
    const own = { ...plot, time, turns: [{ ...plot.turns[0], time, isCompacted: false }] };
    const [head, ...rest] = rollout(own, fork, random, text, { forked_from_id: id });
    const copied = lines.map((line) => ({ ...line, timestamp: new Date(time).toISOString() }));
    home.writeLines(pathOf(time, fork, random), [head, ...copied, ...rest]);
  }
  return home.totals();
}

/** An id of version 7: it begins with its time. */
function timedId(time, random) {
  const [, ...rest] = uuid(random).split('-');
  const stamp = Math.floor(time).toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${rest[1].slice(1)}-8${rest[2].slice(1)}-${rest[3]}`;
}

function pathOf(time, id, random) {
  const stamp = new Date(time).toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = random.chance(0.1)
    ? 'archived_sessions'
    : `sessions/${stamp.slice(0, 10).replaceAll('-', '/')}`;
  return `.codex/${folder}/rollout-${stamp}-${id}.jsonl`;
}

function rollout(plot, id, random, text, more) {
  const lines = [];
  const add = (time, type, payload) => lines.push({ timestamp: new Date(time).toISOString(), type, payload });
  const item = (time, type, fields) => add(time, 'response_item', { type, ...fields });
  const event = (time, type, fields) => add(time, 'event_msg', { type, ...fields });
  add(plot.time, 'session_meta', {
    id,
    timestamp: new Date(plot.time).toISOString(),
    cwd: plot.cwd,
    originator: 'codex-tui',
    cli_version: '0.150.0',
    source: 'cli',
    base_instructions: { text: 'You are a coding agent. '.repeat(300) },
    git: { commit_hash: random.hex(40), branch: plot.branch },
    ...more,
  });
  const usage = { total: 0 };
  for (const [index, turn] of plot.turns.entries()) {
    const turnId = timedId(turn.time, random);
    event(turn.time, 'task_started', { turn_id: turnId, model_context_window: 258400 });
    if (index === 0) tellInstructions(item, turn.time, plot.cwd);
    add(turn.time, 'turn_context', { turn_id: turnId, cwd: plot.cwd, model: MODEL, effort: 'high' });
    tellTurn({ add, item, event, turn, random, text, usage, cwd: plot.cwd });
    event(turn.replies.at(-1).time, 'task_complete', {
      turn_id: turnId,
      last_agent_message: turn.replies.at(-1).text,
    });
  }
  return lines;
}

function tellInstructions(item, time, cwd) {
  const say = (role, text) => item(time, 'message', { role, content: [{ type: 'input_text', text }] });
  say(
    'developer',
    `<permissions instructions>\n${'Everything is allowed. '.repeat(60)}\n</permissions instructions>`,
  );
  say(
    'user',
    `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${'Use tabs. '.repeat(200)}\n</INSTRUCTIONS>`,
  );
  say('user', `<environment_context>\n  <cwd>${cwd}</cwd>\n  <shell>zsh</shell>\n</environment_context>`);
}

function tellTurn({ add, item, event, turn, random, text, usage, cwd }) {
  if (turn.isCompacted) {
    add(turn.time, 'compacted', { message: turn.replies[0].text, replacement_history: [] });
    event(turn.time, 'context_compacted', {});
  }
  const image =
    turn.image === undefined
      ? []
      : [{ type: 'input_image', image_url: `data:image/png;base64,${turn.image}` }];
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
    for (const call of reply.calls) tellCall({ item, event, call, random, cwd, time: reply.time });
    tellTokens(event, reply, usage);
  }
}

function tellCall({ item, event, call, random, cwd, time }) {
  const callId = call.id;
  const output = call.output.slice(0, LONGEST_OUTPUT);
  if (call.kind === 'edit') {
    const lines = output
      .slice(0, 200)
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n');
    const input = `*** Begin Patch\n*** Update File: ${call.path}\n@@\n${lines}\n*** End Patch`;
    item(time, 'custom_tool_call', { status: 'completed', call_id: callId, name: 'apply_patch', input });
    const isFine = call.exitCode === 0 && !call.isRejected;
    if (isFine)
      event(time, 'patch_apply_end', {
        call_id: callId,
        success: true,
        stdout: 'Success.',
        stderr: '',
        changes: {},
      });
    const said = isFine
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

function tellTokens(event, { tokens, time }, usage) {
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
