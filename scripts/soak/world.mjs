// The world of a soak: folders, processes that are killed at random, and what they have acknowledged.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** How often another version of yore is started. */
const OTHER_SHARE = 0.25;
const DAY_MS = 86_400_000;
/** A hook ends by itself after five seconds, whatever it has done. */
const MAX_HOOK_MS = 4_000;

/** Moves the clock of a process. */
const CLOCK = `
const offset = Number(process.env.YORE_SOAK_CLOCK);
const { now } = Date;
Date.now = () => now() + offset;
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now());
    else super(...args);
  }
};`;

/** Pseudo-random numbers from a seed (mulberry32). */
export function createRandom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { chance: (share) => next() < share, below, pick: (list) => list[below(list.length)] };
}

export class World {
  constructor(folder, { seed, canFill }) {
    this.random = createRandom(seed);
    this.folder = folder;
    this.home = join(folder, 'home');
    // Not on the disk that is filled: the transcripts are not yore's.
    this.user = `${folder}-user`;
    this.projects = ['shop', 'site'].map((name) => join(folder, name));
    this.canFill = canFill;
    this.isFull = false;
    /** The other version of yore. */
    this.other = `${folder}-other`;
    this.startsOfOther = 0;
    this.counts = new Map();
    /** Token → what is known of the record that contains it. */
    this.records = new Map();
    this.sessions = new Map();
    this.children = new Set();
    this.killed = 0;
    for (const each of [this.home, this.user, ...this.projects]) mkdirSync(each, { recursive: true, mode: 0o700 });
    this.clock = join(folder, 'clock.cjs');
    writeFileSync(this.clock, CLOCK);
  }

  /** A text that occurs nowhere else, for one record. `state`: `acknowledged`, `unknown`, or `pending` until an import. */
  addRecord(kind, sessionId) {
    const token = `soak${kind}${this.records.size + 1}x`;
    this.records.set(token, { kind, sessionId, state: 'unknown' });
    return token;
  }

  setState(token, state) {
    Object.assign(this.records.get(token), { state });
  }

  environment(offset = 0) {
    const clock = offset === 0 ? {} : { YORE_SOAK_CLOCK: String(offset), NODE_OPTIONS: `--require=${this.clock}` };
    return { PATH: process.env.PATH, HOME: this.user, YORE_HOME: this.home, TMPDIR: this.folder, ...clock };
  }

  /** Starts a process in a project. */
  start(script, args, { cwd = this.projects[0], offset = 0 } = {}) {
    const child = spawn(process.execPath, [script, ...args], { cwd, env: this.environment(offset) });
    this.children.add(child);
    child.stdin.on('error', () => undefined);
    child.on('close', () => this.children.delete(child));
    return child;
  }

  /** Runs a process to its end, or kills it. `isAcknowledged`: it ended well and never met a full disk. */
  async run(script, args, { input = '', cwd, mayKill = true, mayJump = true, killMs = 400 } = {}) {
    const { random } = this;
    const offset = mayJump && random.chance(0.1) ? (random.chance(0.5) ? 40 : -40) * DAY_MS : 0;
    const started = performance.now();
    let wasFull = this.isFull;
    const child = this.start(script, args, { cwd, offset });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (output[name] += chunk));
    child.stdin.end(input);
    const isKilled = mayKill && random.chance(0.2);
    const timer = isKilled ? setTimeout(() => child.kill('SIGKILL'), random.below(killMs)) : undefined;
    const watch = setInterval(() => (wasFull ||= this.isFull), 5);
    const [code, signal] = await new Promise((resolve) => child.on('close', (...how) => resolve(how)));
    clearTimeout(timer);
    clearInterval(watch);
    if (signal !== null) this.killed++;
    const ms = performance.now() - started;
    return { code, signal, ...output, ms, isAcknowledged: code === 0 && !wasFull && !this.isFull };
  }

  /** A file of one of the two versions of yore; while nothing else happens, of this one. */
  script(folder, { mayJump = true } = {}) {
    const isOther = mayJump && this.random.chance(OTHER_SHARE);
    if (isOther) this.startsOfOther++;
    return join(isOther ? this.other : PACKAGE, 'dist', folder, 'main.cjs');
  }

  yore(args, options) {
    return this.run(this.script('cli', options), args, { killMs: 1_500, ...options });
  }

  async hook(agent, payload, { event, ...options } = {}) {
    const args = event === undefined ? [agent] : [agent, event];
    const ended = await this.run(this.script('hook', options), args, { input: JSON.stringify(payload), ...options });
    return { ...ended, isAcknowledged: ended.isAcknowledged && ended.ms < MAX_HOOK_MS };
  }

  startYore(args, options) {
    return this.start(this.script('cli', options), args, options);
  }

  /** Fills the disk for a moment. */
  async fillDisk(ms) {
    const path = join(this.folder, 'ballast');
    const descriptor = openSync(path, 'w');
    this.isFull = true;
    try {
      for (const size of [1 << 20, 4096]) {
        const bytes = Buffer.alloc(size);
        try {
          while (writeSync(descriptor, bytes) === size);
        } catch {}
      }
      await new Promise((resolve) => setTimeout(resolve, ms));
    } finally {
      closeSync(descriptor);
      rmSync(path, { force: true });
      this.isFull = false;
    }
  }
}
