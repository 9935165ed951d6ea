import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ImportOptions, type ImportReport, importTranscripts } from '../../src/import/index.ts';
import { type Home, openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');

/** A line of a Claude Code transcript. */
export type ClaudeLine = Readonly<Record<string, unknown>>;

/** Writes a transcript as Claude Code does. The time advances by a minute with each line. */
export class ClaudeSession {
  readonly id: string;
  readonly cwd: string;
  readonly lines: ClaudeLine[] = [];
  #minute: number;

  constructor(id: string, cwd: string, minute = 0) {
    this.id = id;
    this.cwd = cwd;
    this.#minute = minute;
  }

  asks(text: string): this {
    return this.#add('user', { role: 'user', content: text });
  }

  says(text: string): this {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const content = [{ type: 'text', text }];
    return this.#add('assistant', {
      id: `msg_${this.lines.length}`,
      role: 'assistant',
      model: 'large-1',
      content,
      usage,
    });
  }

  runs(callId: string, command: string, output: string, isError = false): this {
    const call = { type: 'tool_use', id: callId, name: 'Bash', input: { command } };
    const result = { type: 'tool_result', tool_use_id: callId, content: output, is_error: isError };
    this.#add('assistant', { id: `msg_${this.lines.length}`, role: 'assistant', content: [call] });
    return this.#add('user', { role: 'user', content: [result] });
  }

  edits(callId: string, input: object): this {
    const call = { type: 'tool_use', id: callId, name: 'Edit', input };
    this.#add('assistant', { id: `msg_${this.lines.length}`, role: 'assistant', content: [call] });
    return this.#add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: callId, content: 'done' }],
    });
  }

  get text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }

  #add(type: string, message: object): this {
    this.lines.push({
      type,
      uuid: `${this.id}-${this.lines.length}`,
      parentUuid: null,
      isSidechain: false,
      sessionId: this.id,
      cwd: this.cwd,
      gitBranch: 'main',
      version: '2.1.0',
      timestamp: new Date(START + this.#minute++ * 60_000).toISOString(),
      message,
    });
    return this;
  }
}

/** A machine with a user, transcripts of agents and a yore home. */
export class TestMachine {
  readonly folder: string = temporaryFolder();
  readonly user: string = join(this.folder, 'user');
  readonly app: string = join(this.folder, 'user', 'app');
  now: number = START + 3 * 86_400_000;

  constructor() {
    mkdirSync(this.app, { recursive: true });
  }

  get home(): Home {
    return openHome({ home: join(this.folder, 'yore'), now: () => this.now, env: {} });
  }

  transcript(id: string): string {
    return join(this.user, '.claude', 'projects', 'app', `${id}.jsonl`);
  }

  write({ id, text }: ClaudeSession): string {
    return this.writeText(this.transcript(id), text);
  }

  writeText(path: string, text: string): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  async import(options: Partial<ImportOptions> = {}, home: Home = this.home): Promise<ImportReport> {
    const places = { home: this.user, env: {}, platform: 'linux', projects: [] } as const;
    try {
      return await importTranscripts(home, { places, now: () => this.now, ...options });
    } finally {
      home.close();
    }
  }
}
