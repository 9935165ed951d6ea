import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const REPLY_MS = 120_000;
const READY_MS = 1_800_000;
const EXIT_MS = 1_000;

/** A program under test, which reads and writes JSON lines. It is told what happened and is asked, never the answers. */
export class Program {
  #child;
  #name;
  /** The request that waits for a reply. */
  #waiting;
  /** Called when the program has read what it was sent. */
  #continue = () => {};
  #problem;

  /** @param {readonly string[]} command a program and its arguments */
  constructor([file, ...args]) {
    this.#name = [file, ...args].join(' ');
    const env = { ...process.env };
    // It costs every Node.js process about 70 ms, and none of them needs the network.
    delete env.NODE_EXTRA_CA_CERTS;
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#child.on('error', (error) => this.#end(`could not be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => this.#end(`ended early (${signal ?? `exit code ${code}`})`));
    // A program that has ended says why by its exit code, which comes a little later.
    this.#child.stdin.on('error', () => setTimeout(() => this.#end('closed its input'), EXIT_MS).unref());
    this.#child.stdin.on('drain', () => this.#continue());
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (line.trim() === '') return;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) waiting.resolve(line);
      else this.#end(`replied without being asked: ${line.slice(0, 200)}`);
    });
  }

  #end(problem) {
    this.#problem ??= new Error(`${this.#name} ${problem}`);
    this.#waiting?.reject(this.#problem);
    this.#waiting = undefined;
    this.#continue();
  }

  /** Sends what needs no reply; waits while the program does not read. */
  async tell(message) {
    if (this.#problem) throw this.#problem;
    if (this.#child.stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise((resolve) => {
      this.#continue = resolve;
    });
  }

  /** Sends a request and returns the reply, and the milliseconds that it took. */
  async ask(message) {
    if (this.#problem) throw this.#problem;
    const started = performance.now();
    const limit = message.type === 'ready' ? READY_MS : REPLY_MS;
    const timer = setTimeout(() => this.#end(`did not reply to ${message.type} within ${limit / 1_000} s`), limit);
    try {
      const replied = new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
      this.#child.stdin.write(`${JSON.stringify(message)}\n`);
      const line = await replied;
      return { reply: this.#parse(line), milliseconds: performance.now() - started };
    } finally {
      clearTimeout(timer);
    }
  }

  #parse(line) {
    try {
      return JSON.parse(line);
    } catch {
      throw new Error(`${this.#name} replied with something other than JSON: ${line.slice(0, 200)}`);
    }
  }

  /** Ends its input and waits until it has exited. */
  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill(), 10_000);
    await exited;
    clearTimeout(timer);
  }
}
