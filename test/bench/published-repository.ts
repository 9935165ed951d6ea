import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRepository, git } from '../registry/git.ts';

const CWD = '/home/ada/lighthouse';
const EDITED = 'src/lamp.rs';

/** What happens in a session: a prompt, a command, or an edit. `at` is a time of day. */
type Step =
  | { readonly at: string; readonly prompt: string }
  | { readonly at: string; readonly run: string; readonly output: string; readonly exit?: number }
  | { readonly at: string; readonly replace: string; readonly by: string };

export interface Session {
  readonly id: string;
  readonly day: string;
  readonly steps: readonly Step[];
}

/** The transcript of a session as Claude Code writes it. */
export function claudeCodeTranscript({ id, day, steps }: Session): string {
  const lines = steps.flatMap((step, index) => {
    const line = (fields: object, part: number) => ({
      ...{ parentUuid: null, isSidechain: false, userType: 'external', cwd: CWD, sessionId: id, version: '2.1.200' },
      ...{ gitBranch: 'main', uuid: `${id}-${index}-${part}`, timestamp: `${day}T${step.at}:0${part}.000Z` },
      ...fields,
    });
    const user = (content: unknown, part = 0, more = {}) =>
      line({ type: 'user', message: { role: 'user', content }, ...more }, part);
    if ('prompt' in step) return [user(step.prompt)];
    const callId = `toolu_${id}_${index}`;
    const call = (name: string, input: object) => {
      const content = [{ type: 'tool_use', id: callId, name, input }];
      return line({ type: 'assistant', message: { id: `msg_${id}_${index}`, role: 'assistant', content } }, 0);
    };
    const result = (content: string, isError: boolean) =>
      user([{ type: 'tool_result', tool_use_id: callId, content, is_error: isError }], 1);
    if ('replace' in step) {
      const input = { file_path: `${CWD}/${EDITED}`, old_string: step.replace, new_string: step.by };
      return [call('Edit', input), result('The file has been updated.', false)];
    }
    const { exit = 0, output } = step;
    const printed = exit === 0 ? output : `Exit code ${exit}\n${output}`;
    return [call('Bash', { command: step.run }), result(printed, exit !== 0)];
  });
  return toLines(lines);
}

/** The transcript of a session as Codex writes it. */
export function codexTranscript({ id, day, steps }: Session): string {
  const lines = steps.flatMap((step, index) => {
    const line = (type: string, payload: object, part = 0) => ({
      timestamp: `${day}T${step.at}:0${part}.000Z`,
      ...{ type, payload },
    });
    if ('prompt' in step) {
      const content = [{ type: 'input_text', text: step.prompt }];
      return [
        line('response_item', { type: 'message', role: 'user', content }),
        line('event_msg', { type: 'user_message', message: step.prompt, images: [] }),
      ];
    }
    const call_id = `call_${id}_${index}`;
    const ran = 'run' in step ? step : { run: `sed -i s/${step.replace}/${step.by}/ ${EDITED}`, output: '' };
    const exit = 'exit' in step ? (step.exit ?? 0) : 0;
    const input = JSON.stringify({ cmd: ran.run, workdir: CWD });
    const output = `Wall time: 0.2 seconds\nProcess exited with code ${exit}\nOutput:\n${ran.output}`;
    return [
      line('response_item', { type: 'function_call', name: 'exec_command', arguments: input, call_id }),
      line('response_item', { type: 'function_call_output', call_id, output }, 1),
    ];
  });
  const head = { id, timestamp: `${day}T08:00:00.000Z`, cwd: CWD, originator: 'codex-tui', cli_version: '0.150.0' };
  return toLines([{ timestamp: head.timestamp, type: 'session_meta', payload: head }, ...lines]);
}

function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** A session in a checkpoint; what is left out is missing there. */
export interface StoredSession {
  readonly metadata?: string;
  readonly transcript?: string;
}

/** The metadata of a session in a checkpoint. */
export function metadata(sessionId: string, createdAt: string, agent = ''): string {
  return JSON.stringify({ session_id: sessionId, created_at: createdAt, strategy: 'manual-commit', agent });
}

/** A repository that publishes its sessions, in a new folder. */
export function createPublished(folder: string) {
  const repository = createRepository(join(folder, 'lighthouse'));
  const checkpoints = createRepository(join(folder, 'checkpoints'));
  git(repository, 'branch', '-M', 'main');
  /** Stores files in the folder of a checkpoint. */
  const store = (id: string, files: Readonly<Record<string, string | undefined>>) => {
    for (const [name, content] of Object.entries(files)) {
      if (content === undefined) continue;
      const path = join(checkpoints, id.slice(0, 2), id.slice(2), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    git(checkpoints, 'add', '.');
    git(checkpoints, 'commit', '-q', '-m', `Checkpoint: ${id}`);
  };
  return {
    repository,
    /** Commits nothing, with a message that names checkpoints. */
    commit(subject: string, date: string, ...ids: readonly string[]) {
      const trailers = ids.map((id) => `Entire-Checkpoint: ${id}\n`).join('');
      git(repository, 'commit', '-q', '--allow-empty', '--date', date, '-m', subject, '-m', trailers);
    },
    checkpoint(id: string, sessions: readonly StoredSession[]) {
      const files = sessions.flatMap(({ metadata: described, transcript }, index) => [
        [`${index}/prompt.txt`, 'A prompt.'],
        [`${index}/metadata.json`, described],
        [`${index}/full.jsonl`, transcript],
      ]);
      store(id, { 'metadata.json': JSON.stringify({ checkpoint_id: id }), ...Object.fromEntries(files) });
    },
    store,
    /** Pushes the checkpoints to the repository. */
    publish() {
      git(checkpoints, 'push', '-q', repository, 'HEAD:refs/heads/entire/checkpoints/v1');
    },
  };
}
