import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { joinTeam, type ShareLevel, type SyncReport, shareProject, syncHome } from '../../src/team/index.ts';
import { ClaudeSession } from '../hook/claude-session.ts';
import { temporaryFolder } from '../temp-folder.ts';

const REMOTE = 'https://git.example.org/acme/shop.git';

/** The built command line. */
export const YORE: string = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

/** How a command ended. */
interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine with a home of its own, and a clone of the team's repository. */
export class Machine {
  readonly folder: string;
  readonly cwd: string;
  now: number;
  #sessions = 0;

  constructor(now: number = Date.now(), folder: string = temporaryFolder()) {
    this.folder = folder;
    this.cwd = join(folder, 'shop');
    this.now = now;
    if (existsSync(this.cwd)) return;
    execFileSync('git', ['init', '-q', this.cwd]);
    execFileSync('git', ['-C', this.cwd, 'remote', 'add', 'origin', REMOTE]);
  }

  /** A new session of an agent. */
  session(): ClaudeSession {
    return new ClaudeSession(this.folder, `${this.folder.slice(-6)}-session-${this.#sessions++}`, this.now);
  }

  get homeFolder(): string {
    return join(this.folder, 'home');
  }

  /** Does something with the home. */
  async use<T>(work: (home: Home, project: Project) => T | Promise<T>): Promise<T> {
    const home = openHome({ home: this.homeFolder, now: () => this.now });
    try {
      return await work(home, home.openProject(this.cwd));
    } finally {
      home.close();
    }
  }

  /** The environment of processes on this machine. */
  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.folder, YORE_HOME: this.homeFolder };
  }

  /** Runs the built command line in the clone. */
  yore(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, [YORE, ...args], {
      cwd: this.cwd,
      env: { ...this.env, ...env },
      input,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  }

  async join(url: string, share?: ShareLevel, name?: string): Promise<void> {
    await this.use(async (home, project) => {
      await joinTeam(home, url, name === undefined ? {} : { name });
      if (share !== undefined) shareProject(home, project, share);
    });
  }

  sync(): Promise<SyncReport> {
    return this.use((home) => syncHome(home, { now: () => this.now }));
  }
}

export const NOT_FOUND = {
  error: 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node - Not found',
};
export const INSTALLED = { stdout: 'added 9 packages' };
