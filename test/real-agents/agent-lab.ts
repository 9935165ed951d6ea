import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RealAgent, SessionOptions } from './agents.ts';
import type { Fields, Script } from './script.ts';
import type { ModelRequest, ScriptedModel } from './scripted-model.ts';

const CLI = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));
const SESSION_TIMEOUT_MS = 150_000;

/** How a program of the story ends when it is called with certain arguments. */
export interface FakeRun {
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  /** How long it runs, in seconds. Default: not at all. */
  readonly seconds?: number;
}

/** A session of the agent that is over. */
export interface PlayedSession {
  readonly exitCode: number | null;
  readonly output: string;
  /** The requests that are steps of the script. */
  readonly steps: readonly ModelRequest[];
}

/** A record of yore's, in short. */
export interface RecordLine {
  readonly session: string;
  readonly parent?: string;
  /** `user: text`, `assistant: text`, or the outcome and what the call was about, e.g. `failure: make`. */
  readonly text: string;
  readonly isCheckpoint: boolean;
}

/** A real agent with a home and a project of its own, yore beside it, and programs that end as the story wants. */
export class AgentLab {
  readonly home: string;
  readonly project: string;
  readonly yoreHome: string;
  readonly #agent: RealAgent;
  readonly #model: ScriptedModel;
  readonly #bin: string;
  readonly #log: string;
  readonly #path: string;
  #sessions = 0;

  /** `packages` is the folder that the agents are installed in. */
  constructor(agent: RealAgent, model: ScriptedModel, folder: string, packages: string) {
    this.#agent = agent;
    this.#model = model;
    this.home = join(folder, 'home');
    this.yoreHome = join(this.home, '.yore');
    this.project = join(folder, 'shop');
    this.#bin = join(folder, 'bin');
    this.#log = join(folder, 'runs.log');
    const installed = (name: string): string => join(packages, name, 'node_modules', '.bin');
    this.#path = [this.#bin, installed(agent.agent), installed('node'), '/usr/bin', '/bin'].join(':');
    for (const path of [this.home, this.project, this.#bin]) mkdirSync(path, { recursive: true });
    this.#addProgram('yore', `exec ${process.execPath} ${CLI} "$@"`);
    // Some agents run commands in a login shell, which makes its own PATH.
    for (const name of ['.bashrc', '.bash_profile']) {
      writeFileSync(join(this.home, name), `export PATH=${this.#path}\n`);
    }
    this.addFile('README.md', '# Shop\n\nA small shop.\n');
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'Begin');
    agent.setUp({ home: this.home, project: this.project, modelUrl: model.url });
  }

  addFile(path: string, content: string): void {
    mkdirSync(join(this.project, path, '..'), { recursive: true });
    writeFileSync(join(this.project, path), content);
  }

  readFile(path: string): string {
    return readFileSync(join(this.project, path), 'utf8');
  }

  git(...args: readonly string[]): void {
    this.#runToEnd('git', args);
  }

  /** Programs that do nothing but end as they are told. */
  addPrograms(runs: readonly FakeRun[]): void {
    for (const name of new Set(runs.map(({ command }) => command.split(' ', 1)[0] ?? ''))) {
      const choices = runs
        .filter(({ command }) => command.startsWith(`${name} `))
        .map(({ command, output, exitCode = 0, seconds = 0 }) => {
          const args = command.slice(name.length + 1);
          const end = `cat ${exitCode === 0 ? '' : '>&2 '}<<'END'\n${output}\nEND\nsleep ${seconds}\nexit ${exitCode}`;
          return `'${args}')\n${end}\n;;`;
        });
      this.#addProgram(name, `echo "${name} $*" >>${this.#log}\ncase "$*" in\n${choices.join('\n')}\nesac`);
    }
  }

  #addProgram(name: string, body: string): void {
    writeFileSync(join(this.#bin, name), `#!/bin/bash\n${body}\n`);
    chmodSync(join(this.#bin, name), 0o755);
  }

  /** How often a fake program was run like this. */
  countRuns(command: string): number {
    const log = statSync(this.#log, { throwIfNoEntry: false }) ? readFileSync(this.#log, 'utf8') : '';
    return log.split('\n').filter((line) => line === command).length;
  }

  /** Runs a command of yore's; throws if it fails. */
  yore(...args: readonly string[]): string {
    return this.#runToEnd('yore', args);
  }

  /** The output of a command of yore's as JSON, also if it found problems. */
  yoreJson(command: string): string {
    return this.#run('yore', [command, '--json']).stdout;
  }

  #runToEnd(program: string, args: readonly string[]): string {
    const { status, stdout, stderr } = this.#run(program, args);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  }

  #run(program: string, args: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(program, args, { cwd: this.project, env: this.#environment(), encoding: 'utf8' });
  }

  #environment(): Record<string, string> {
    return {
      PATH: this.#path,
      HOME: this.home,
      USER: 'tester',
      LOGNAME: 'tester',
      SHELL: '/bin/bash',
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ...this.#agent.env({ home: this.home, project: this.project, modelUrl: this.#model.url }),
    };
  }

  /** Plays one session to its end. */
  async play(prompt: string, script: Script, options: SessionOptions = {}): Promise<PlayedSession> {
    const requests = this.#model.play(prompt, script);
    const [program = '', ...args] = this.#agent.command(prompt, options);
    const { exitCode, output } = await runAgent(program, args, { cwd: this.project, env: this.#environment() });
    const transcript = { prompt, exitCode, output, requests };
    writeFileSync(join(this.home, '..', `session-${++this.#sessions}.json`), JSON.stringify(transcript, undefined, 1));
    const [error] = this.#model.errors;
    if (error) throw new Error(`The script failed: ${error.message}`, { cause: error });
    return { exitCode, output, steps: requests.filter(({ isStep }) => isStep) };
  }

  /** Makes the hook keep what the agent sends to it. Call it after `yore init`. */
  tapHooks(): void {
    const hook = join(this.yoreHome, 'bin', 'yore-hook');
    const real = `${hook}-real`;
    renameSync(hook, real);
    const keep = `input=$(cat); printf '%s\\n' "$*" "$input" >"${this.#tapFolder}/$(date +%s%N)"`;
    writeFileSync(hook, `#!/bin/bash\n${keep}\nprintf '%s' "$input" | "${real}" "$@"\n`);
    chmodSync(hook, 0o755);
    mkdirSync(this.#tapFolder, { recursive: true });
  }

  get #tapFolder(): string {
    return join(this.home, '..', 'taps');
  }

  /** What the agent sent to hooks, with made-up folders instead of those of this machine. */
  tappedEvents(): readonly Fields[] {
    const replaced = [
      [this.project, '/home/ada/shop'],
      [this.home, '/home/ada'],
      [this.#bin, '/home/ada/bin'],
    ] as const;
    return readdirSync(this.#tapFolder)
      .sort()
      .map((name) => {
        const text = replaced.reduce(
          (scrubbed, [path, other]) => scrubbed.replaceAll(path, other),
          readFileSync(join(this.#tapFolder, name), 'utf8'),
        );
        const [args = '', ...lines] = text.split('\n');
        const event = args.split(' ')[1];
        return {
          agent: this.#agent.agent,
          ...(event === undefined ? {} : { event }),
          payload: JSON.parse(lines.join('\n')),
        };
      });
  }

  /** What yore has recorded, in the order of time. */
  records(home: string = this.yoreHome): readonly RecordLine[] {
    const lines = this.yore('--home', home, 'export').split('\n').filter(Boolean);
    return lines.map((line) => this.#describe(JSON.parse(line)));
  }

  #describe(record: Fields): RecordLine {
    const { sessionId, parentSessionId, kind, role, content, outcome, command, path, tool } = record;
    const subject = String(command ?? path ?? tool).replaceAll(`${this.project}/`, '');
    const text = outcome === undefined ? `${role}: ${unquote(String(content))}` : `${outcome}: ${subject}`;
    return {
      session: String(sessionId),
      text,
      isCheckpoint: kind === 'checkpoint',
      ...(parentSessionId === undefined ? {} : { parent: String(parentSessionId) }),
    };
  }

  /** All files of the agent's home with their content, except yore's own. */
  settings(): ReadonlyMap<string, string> {
    const files = readdirSync(this.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    const others = paths.filter((path) => !path.startsWith(`${this.yoreHome}/`));
    return new Map(others.sort().map((path) => [relative(this.home, path), readFileSync(path, 'latin1')]));
  }

  removeYoreHome(): void {
    rmSync(this.yoreHome, { recursive: true, force: true });
  }
}

/** opencode puts a prompt from the command line into quotation marks. */
function unquote(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}

function runAgent(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), SESSION_TIMEOUT_MS);
    child.on('error', reject);
    // A server that the agent left running may keep the pipes open.
    child.on('exit', (exitCode) => {
      clearTimeout(timer);
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ exitCode, output });
      }, 200);
    });
  });
}
