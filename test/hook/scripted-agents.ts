import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createOpencodeDatabase } from '../agents/opencode/opencode-database.ts';
import { callHook } from './hook-process.ts';

/** How a command ends when it runs. */
interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
}

/** An agent that works by a script: it fires its hooks as it would in a session, and keeps its transcript. */
export interface ScriptedAgent {
  /** What it was told at the start of the session. */
  start(): string;
  prompt(text: string): string;
  /** Runs a command; the reason when it was denied. */
  call(command: string, result: CommandResult): string | undefined;
  /** Its reply ends the turn. */
  stop(reply: string): void;
  end(): void;
}

/** Where an agent works. */
export interface AgentPlace {
  readonly home: string;
  readonly userHome: string;
  readonly cwd: string;
}

/** Agents by name, each beginning a session of that id. */
export const SCRIPTED_AGENTS: Readonly<Record<string, (place: AgentPlace, sessionId: string) => ScriptedAgent>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  copilot,
  opencode,
};

interface Firing {
  readonly fire: (fields: object, event?: string) => Readonly<Record<string, unknown>>;
  readonly write: (...lines: readonly object[]) => void;
  readonly transcript: string;
}

function firing(agent: string, { home, userHome }: AgentPlace, transcript: string): Firing {
  mkdirSync(dirname(transcript), { recursive: true });
  return {
    transcript,
    fire(fields, event) {
      const { code, stdout, stderr } = callHook(
        home,
        event === undefined ? [agent] : [agent, event],
        JSON.stringify(fields),
        userHome,
      );
      if (code !== 0 || stderr !== '') throw new Error(`the hook ended with ${code}: ${stderr}`);
      return stdout === '' ? {} : JSON.parse(stdout);
    },
    write(...lines) {
      for (const line of lines) appendFileSync(transcript, `${JSON.stringify(line)}\n`);
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

function contextIn(reply: Readonly<Record<string, unknown>>): string {
  const specific = reply.hookSpecificOutput as { readonly additionalContext?: string } | undefined;
  return specific?.additionalContext ?? ((reply.additionalContext ?? reply.context) as string | undefined) ?? '';
}

function denialIn(reply: Readonly<Record<string, unknown>>): string | undefined {
  const specific = (reply.hookSpecificOutput ?? reply) as {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly decision?: string;
    readonly reason?: string;
  };
  if (specific.permissionDecision === 'deny') return specific.permissionDecisionReason;
  return specific.decision === 'deny' ? specific.reason : undefined;
}

function claudeCode(place: AgentPlace, sessionId: string): ScriptedAgent {
  const file = join(place.userHome, '.claude', 'projects', '-shop', `${sessionId}.jsonl`);
  const { fire, write } = firing('claude-code', place, file);
  const base = { session_id: sessionId, transcript_path: file, cwd: place.cwd, permission_mode: 'default' };
  let count = 0;
  const line = (type: string, message: object, more: object = {}): object => ({
    type,
    uuid: `${sessionId}-${count++}`,
    parentUuid: null,
    isSidechain: false,
    cwd: place.cwd,
    sessionId,
    version: '2.1.325',
    gitBranch: 'main',
    timestamp: now(),
    message,
    ...more,
  });
  const say = (content: object): object =>
    line('assistant', {
      id: `msg_${count}`,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [content],
    });
  return {
    start: () => contextIn(fire({ ...base, hook_event_name: 'SessionStart', source: 'startup' })),
    prompt(text) {
      const reply = fire({ ...base, hook_event_name: 'UserPromptSubmit', prompt: text });
      write(line('user', { role: 'user', content: text }));
      return contextIn(reply);
    },
    call(command, { exitCode, output }) {
      const id = `toolu_${sessionId}_${count}`;
      const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
      write(say({ type: 'tool_use', id, name: 'Bash', input: { command } }));
      const result = (content: string, isError: boolean, extra: unknown): object =>
        line(
          'user',
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
          { toolUseResult: extra },
        );
      const denied = denialIn(fire({ ...base, hook_event_name: 'PreToolUse', ...call }));
      if (denied !== undefined) {
        write(result(denied, true, `Error: ${denied}`));
        return denied;
      }
      if (exitCode === 0) {
        const response = { stdout: output, stderr: '', interrupted: false, isImage: false };
        fire({ ...base, hook_event_name: 'PostToolUse', ...call, tool_response: response });
        write(result(output, false, response));
      } else {
        const error = `Exit code ${exitCode}\n${output}`;
        fire({ ...base, hook_event_name: 'PostToolUseFailure', ...call, error });
        write(result(error, true, `Error: ${error}`));
      }
      return undefined;
    },
    stop(reply) {
      write(say({ type: 'text', text: reply }));
      fire({ ...base, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: reply });
    },
    end: () => void fire({ ...base, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' }),
  };
}

/** The rollout grows while it works, and is the only place that tells exit codes. */
function codex(place: AgentPlace, sessionId: string): ScriptedAgent {
  const file = join(
    place.userHome,
    '.codex',
    'sessions',
    '2026',
    '03',
    '04',
    `rollout-2026-03-04T10-00-00-${sessionId}.jsonl`,
  );
  const { fire, write } = firing('codex', place, file);
  const base = {
    session_id: sessionId,
    turn_id: 't',
    transcript_path: file,
    cwd: place.cwd,
    model: 'gpt-5.2-codex',
  };
  const line = (type: string, payload: object): object => ({ timestamp: now(), type, payload });
  write(
    line('session_meta', {
      id: sessionId,
      timestamp: now(),
      cwd: place.cwd,
      originator: 'codex_cli_rs',
      cli_version: '0.166.0',
      source: 'cli',
      git: { branch: 'main' },
    }),
    line('turn_context', {
      turn_id: 't',
      cwd: place.cwd,
      model: 'gpt-5.2-codex',
      approval_policy: 'on-request',
    }),
  );
  let count = 0;
  return {
    start: () => contextIn(fire({ ...base, hook_event_name: 'SessionStart', source: 'startup' })),
    prompt(text) {
      const reply = fire({ ...base, hook_event_name: 'UserPromptSubmit', prompt: text });
      write(
        line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
        line('event_msg', { type: 'user_message', message: text }),
      );
      return contextIn(reply);
    },
    call(command, { exitCode, output }) {
      const id = `call_${sessionId}_${count++}`;
      const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
      const args = JSON.stringify({ cmd: command, workdir: place.cwd });
      write(line('response_item', { type: 'function_call', name: 'exec_command', arguments: args, call_id: id }));
      const report = (text: string): void =>
        write(line('response_item', { type: 'function_call_output', call_id: id, output: text }));
      const denied = denialIn(fire({ ...base, hook_event_name: 'PreToolUse', ...call }));
      if (denied !== undefined) {
        report(`Command blocked by PreToolUse hook: ${denied}. Command: ${command}`);
        return denied;
      }
      fire({ ...base, hook_event_name: 'PostToolUse', ...call, tool_response: output });
      report(`Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}`);
      return undefined;
    },
    stop(reply) {
      write(
        line('response_item', {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: reply }],
        }),
        line('event_msg', { type: 'agent_message', message: reply }),
      );
      fire({ ...base, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: reply });
    },
    end: () => void fire({ ...base, hook_event_name: 'SessionEnd', reason: 'other' }),
  };
}

function gemini(place: AgentPlace, sessionId: string): ScriptedAgent {
  const file = join(place.userHome, '.gemini', 'tmp', 'shop', 'chats', `session-2026-03-04T10-00-${sessionId}.jsonl`);
  const { fire, write } = firing('gemini', place, file);
  const base = () => ({ session_id: sessionId, transcript_path: file, cwd: place.cwd, timestamp: now() });
  write({ sessionId, projectHash: 'abc', startTime: now(), lastUpdated: now(), kind: 'main' });
  let count = 0;
  let briefing = '';
  return {
    start() {
      const context = contextIn(fire({ ...base(), hook_event_name: 'SessionStart', source: 'startup' }));
      if (context) briefing = `<hook_context>${context}</hook_context>\n\n`;
      return context;
    },
    prompt(typed) {
      const text = `${briefing}${typed}`;
      briefing = '';
      const reply = fire({ ...base(), hook_event_name: 'BeforeAgent', prompt: text });
      const content = [{ text }];
      write({ id: `u-${count++}`, timestamp: now(), type: 'user', content, displayContent: content });
      return contextIn(reply);
    },
    call(command, { exitCode, output }) {
      const call = { tool_name: 'run_shell_command', tool_input: { command } };
      const started = now();
      const ending = `Exit Code: ${exitCode}\nProcess Group PGID: 4711`;
      const text = `<untrusted_context>\nOutput: ${output}\n${ending}\n</untrusted_context>`;
      const denied = denialIn(fire({ ...base(), hook_event_name: 'BeforeTool', ...call }));
      if (denied === undefined) {
        fire({
          ...base(),
          hook_event_name: 'AfterTool',
          ...call,
          tool_response: { llmContent: text, returnDisplay: output },
        });
      }
      const id = `run_shell_command-${count}`;
      const response = denied === undefined ? { output: text } : { error: `Tool execution blocked: ${denied}` };
      write({
        id: `g-${count++}`,
        timestamp: started,
        type: 'gemini',
        content: '',
        model: 'gemini-3-pro',
        toolCalls: [
          {
            id,
            name: 'run_shell_command',
            args: { command },
            status: denied === undefined ? 'success' : 'error',
            timestamp: now(),
            result: [{ functionResponse: { id, name: 'run_shell_command', response } }],
          },
        ],
      });
      return denied;
    },
    stop(reply) {
      write({ id: `g-${count++}`, timestamp: now(), type: 'gemini', content: reply, model: 'gemini-3-pro' });
      fire({
        ...base(),
        hook_event_name: 'AfterAgent',
        prompt: '',
        prompt_response: reply,
        stop_hook_active: false,
      });
    },
    end: () => void fire({ ...base(), hook_event_name: 'SessionEnd', reason: 'exit' }),
  };
}

/** Its payloads name neither the event nor the transcript nor the call. */
function copilot(place: AgentPlace, sessionId: string): ScriptedAgent {
  const file = join(place.userHome, '.copilot', 'session-state', sessionId, 'events.jsonl');
  const { fire, write } = firing('copilot', place, file);
  const base = () => ({ sessionId, timestamp: Date.now(), cwd: place.cwd });
  let count = 0;
  const line = (type: string, data: object): object => ({
    type,
    data,
    id: `e-${count++}`,
    timestamp: now(),
    parentId: null,
  });
  write(
    line('session.start', {
      sessionId,
      version: 1,
      producer: 'copilot-agent',
      copilotVersion: '1.0.102',
      startTime: now(),
      context: { cwd: place.cwd, branch: 'main' },
    }),
  );
  return {
    start: () => contextIn(fire({ ...base(), source: 'new' }, 'sessionStart')),
    prompt(text) {
      const reply = fire({ ...base(), prompt: text }, 'userPromptSubmitted');
      write(line('user.message', { content: text }));
      return contextIn(reply);
    },
    call(command, { exitCode, output }) {
      const toolCallId = `call_${sessionId}_${count}`;
      const call = { toolName: 'bash', toolArgs: JSON.stringify({ command }) };
      write(
        line('assistant.message', {
          messageId: `m-${count}`,
          content: '',
          toolRequests: [{ toolCallId, name: 'bash', arguments: { command } }],
        }),
        line('tool.execution_start', { toolCallId, toolName: 'bash', arguments: { command } }),
      );
      const denied = denialIn(fire({ ...base(), ...call }, 'preToolUse'));
      if (denied !== undefined) {
        write(
          line('tool.execution_complete', {
            toolCallId,
            success: false,
            error: { message: denied, code: 'denied' },
          }),
        );
        return denied;
      }
      const text = `${output}\n<shellId: 0 completed with exit code ${exitCode}>`;
      fire({ ...base(), ...call, toolResult: { resultType: 'success', textResultForLlm: text } }, 'postToolUse');
      write(line('tool.execution_complete', { toolCallId, success: true, result: { content: text } }));
      return undefined;
    },
    stop(reply) {
      write(line('assistant.message', { messageId: `m-${count}`, content: reply, toolRequests: [] }));
      fire({ ...base(), stopReason: 'end_turn' }, 'agentStop');
    },
    end: () => void fire({ ...base(), reason: 'complete' }, 'sessionEnd'),
  };
}

/** Its plugin fires the hooks; all sessions are in one database. */
function opencode(place: AgentPlace, sessionId: string): ScriptedAgent {
  const path = join(place.userHome, '.local', 'share', 'opencode', 'opencode.db');
  const { fire } = firing('opencode', place, path);
  const database = createOpencodeDatabase(path);
  const base = { sessionId, cwd: place.cwd };
  database.session(sessionId, { directory: place.cwd });
  let count = 0;
  const save = (role: string, part: object): void => {
    const time = { created: Date.now(), completed: Date.now() };
    database.message(`msg_${sessionId}_${count++}`, sessionId, { role, time, modelID: 'kimi-k3' }, [part]);
  };
  return {
    start: () => contextIn(fire({ event: 'start', ...base, source: 'startup' })),
    prompt(text) {
      save('user', { type: 'text', text });
      return contextIn(fire({ event: 'prompt', ...base, prompt: text }));
    },
    call(command, { exitCode, output }) {
      const call = { tool: 'bash', callId: `call_${count}`, input: { command } };
      const deny = fire({ event: 'beforeCall', ...base, ...call }).deny as string | undefined;
      if (deny === undefined) fire({ event: 'afterCall', ...base, ...call, output, exitCode });
      const time = { start: Date.now(), end: Date.now() };
      const ended = { status: 'completed', output, metadata: { exit: exitCode } };
      const state = { ...(deny ? { status: 'error', error: deny } : ended), input: { command }, time };
      save('assistant', { type: 'tool', callID: call.callId, tool: 'bash', state });
      return deny;
    },
    stop(text) {
      save('assistant', { type: 'text', text });
      fire({ event: 'stop', ...base });
    },
    end: () => void fire({ event: 'end', ...base }),
  };
}
