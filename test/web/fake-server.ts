import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { WebSocketServer } from 'ws';
import { buildSessionRows } from '../../src/project/index.ts';
import { findInRows, outlineSession, type ReadSession, readPage } from '../../src/server/methods/session-reader.ts';
import type { Methods, ProjectItem, ProjectTimeline, SentMessage, SessionItem } from '../../src/server/rpc/api.ts';
import { PIXEL } from './browser.ts';
import { FakeChat } from './fake-chat.ts';
import { type FakeHistory, fits, OTHER_PROJECT, PROJECT, searchHistory } from './fake-history.ts';
import { createMemory, createTimeline, NO_USAGE, OVERVIEW } from './fake-project.ts';
import { FakeSettings, findingAnswers } from './fake-settings.ts';

/** A call of the page. */
export interface MadeCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Of the methods that the app calls. */
type Answers = { readonly [M in keyof Methods]?: (params: Parameters<Methods[M]>[0]) => ReturnType<Methods[M]> };

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** A server with the same protocol over real sockets, for the data of a test. */
export class FakeServer {
  readonly calls: MadeCall[] = [];
  readonly chat: FakeChat;
  readonly history: FakeHistory;
  /** Earlier prompts, the latest first. */
  prompts: string[] = ['second earlier prompt', 'first earlier prompt'];
  /** Whether the index is complete. */
  isComplete = true;
  projects: readonly ProjectItem[] = [
    { id: PROJECT, name: 'shop', label: 'shop', path: '~/shop', lastActiveAt: '2026-11-15T11:00:00.000Z' },
    { id: OTHER_PROJECT, name: 'tools', label: 'tools', path: '~/tools', lastActiveAt: '2026-11-14T11:00:00.000Z' },
  ];
  timeline: ProjectTimeline = createTimeline(30, 100_000_000);
  /** Methods that fail, with their message; `no answer` makes a call hang. */
  readonly failing = new Map<string, string>();
  /** Methods whose answers are held back until a promise resolves. */
  readonly held = new Map<string, Promise<void>>();
  readonly #webFolder: string;
  readonly settings = new FakeSettings();
  /** Whether the home is that of the demo. */
  isDemo = false;
  command = 'yore';
  readonly #memory = createMemory();
  #http: Server | undefined;
  #sockets = new WebSocketServer({ noServer: true });
  #port = 0;

  constructor(webFolder: string, history: FakeHistory) {
    this.#webFolder = webFolder;
    this.history = history;
    this.chat = new FakeChat((event) => this.notify('chat.event', event));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Starts on the previous port, if there was one. */
  async start(): Promise<void> {
    const http = createServer((request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      response.setHeader('content-security-policy', POLICY);
      // A page that could not connect asks once over HTTP whether it is signed in.
      if (path === '/login' || path === '/rpc') {
        response.statusCode = 204;
        response.end();
      } else if (path.startsWith('/image/')) {
        response.setHeader('content-type', 'image/png');
        response.end(PIXEL);
      } else this.#file(path, response);
    });
    this.#http = http;
    http.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('message', async (data) => {
          const answer = this.#answer(String(data));
          await this.held.get(this.calls.at(-1)?.method ?? '');
          if (answer !== undefined) opened.send(answer);
        });
      });
    });
    await new Promise<void>((resolve) => http.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (http.address() as AddressInfo).port;
  }

  /** Stops as if the process had been killed. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#http?.closeAllConnections();
    await new Promise((resolve) => this.#http?.close(resolve));
  }

  notify(method: string, params: unknown): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  called(method: string): readonly MadeCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  #file(path: string, response: ServerResponse): void {
    const name = path === '/' ? 'index.html' : normalize(path);
    try {
      const content = readFileSync(join(this.#webFolder, name));
      response.setHeader('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
      response.end(content);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  }

  #answer(text: string): string | undefined {
    const { id, method, params } = JSON.parse(text);
    this.calls.push({ method, params, at: Date.now() });
    const problem = this.failing.get(method);
    if (problem === 'no answer') return undefined;
    try {
      if (problem !== undefined) throw new Error(problem);
      const answers: Answers = {
        ...this.#answers,
        ...this.settings.answers,
        ...findingAnswers(this.history, () => this.projects),
      };
      const answer = answers[method as keyof Methods] as ((params: unknown) => unknown) | undefined;
      if (answer === undefined) throw new Error(`test/web/fake-server.ts has no answer for ${method}.`);
      return JSON.stringify({ jsonrpc: '2.0', id, result: answer(params) });
    } catch (error) {
      const { message } = error as Error;
      return JSON.stringify({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message, data: { code: 'STORAGE' } },
      });
    }
  }

  readonly #answers: Answers = {
    'state.get': () => this.chat.snapshot(),
    'project.list': () => ({
      projects: this.projects,
      ...(this.projects.length === 0 ? {} : { current: PROJECT }),
      command: this.command,
      ...(this.isDemo ? { isDemo: true as const } : {}),
    }),
    'project.overview': () => OVERVIEW,
    'project.timeline': ({ since = '', until = '\u{10ffff}', limit = 200 }) => {
      const { days, sessions } = this.timeline;
      const within = sessions.filter(({ from, to }) => to >= since && from < until);
      return { days, sessions: within.slice(-limit), total: within.length };
    },
    'usage.get': () => NO_USAGE,
    'changes.files': ({ query }) => {
      const file = { path: 'src/removed.ts', sessions: 1, changes: 1, changedAt: '2025-11-18T10:00:00.000Z' };
      const files = query !== undefined && file.path.includes(query) ? [file] : [];
      return { files, total: files.length };
    },
    'changes.file': ({ path }) => ({ path, total: 0, sessions: 0, changes: [] }),
    'changes.blame': ({ path }) => ({ path, lines: [], ranges: [], hasGit: false }),
    'changes.commit': () => ({ changes: [] }),
    'history.search': ({ query, role }) => searchHistory(this.history, query, role),
    'history.listSessions': ({ limit = 50, offset = 0, ...filters }) => {
      const { count } = this.history;
      const isPlain = !['agent', 'role', 'outcome', 'since', 'until'].some((name) => name in filters);
      if (isPlain) {
        const rows = Array.from({ length: Math.min(limit, Math.max(count - offset, 0)) }, (_, index) =>
          this.history.summary(offset + index),
        );
        return { sessions: rows, total: count, complete: this.isComplete };
      }
      const fitting = Array.from({ length: count }, (_, index) => this.history.summary(index)).filter((session) =>
        fits(session, filters),
      );
      return { sessions: fitting.slice(offset, offset + limit), total: fitting.length, complete: true };
    },
    'history.getSession': ({ id, offset = 0, limit = 200, around }) => {
      const index = this.history.indexOf(id);
      if (Number.isNaN(index)) throw new Error(`There is no session ${id}.`);
      const items = this.history.items(index);
      const record = (item: SessionItem) => (item.type === 'message' ? item.message : item.attempt);
      const row = items.findIndex(
        (item) => record(item).id === around || (around?.includes('T') === true && record(item).timestamp >= around),
      );
      const found = items[row];
      const from = row < 0 ? offset : Math.max(row - Math.floor(limit / 2), 0);
      return {
        summary: this.history.summary(index),
        records: items.slice(from, from + limit),
        offset: from,
        total: items.length,
        ...(found === undefined ? {} : { around: record(found).id }),
      };
    },
    'history.readSession': ({ id, ...page }) => readPage(this.#read(id), page),
    'history.outline': ({ id }) => outlineSession(this.#read(id)),
    'history.findInSession': ({ id, query }) => findInRows(this.#read(id).rows, query),
    'history.label': ({ id, title, starred, tags }) => {
      this.history.label(id, { title, starred, tags });
      this.notify('history.changed', { project: PROJECT, sessionIds: [id] });
      return null;
    },
    'history.planDeletion': () => ({ messages: 9, attempts: 3, subAgents: 1, replies: 0 }),
    'history.deleteSession': () => null,
    'history.export': ({ format }) => ({ name: `session.${format}`, type: 'text/plain', text: `as ${format}` }),
    'history.newSession': () => {
      this.chat.messages = [];
      this.chat.emit({ type: 'session' });
      return { sessionId: 'sess-new' };
    },
    'history.status': () => this.chat.status(),
    'context.loadSession': ({ id }) => {
      const index = this.history.indexOf(id);
      this.chat.sessionId = id;
      this.chat.messages = this.history.items(index).flatMap((item) => (item.type === 'message' ? [item.message] : []));
      this.chat.emit({ type: 'session', sessionId: id });
      return { ...this.history.summary(index), messages: this.chat.messages };
    },
    'chat.send': ({ prompt }) => ({ requestId: this.chat.ask(prompt) }),
    'chat.cancel': () => ({ cancelled: true }),
    'chat.compact': () => ({ compacted: true }),
    'chat.check': () => ({}),
    'files.list': ({ query = '' }) => ({
      files: ['src/list.ts', 'src/export.ts', 'test/list.test.ts'].filter((path) => path.includes(query)),
    }),
    'files.add': ({ path }) => {
      this.chat.files = [...this.chat.files, path];
      return { files: this.chat.files };
    },
    'files.drop': ({ path }) => {
      this.chat.files = this.chat.files.filter((other) => other !== path);
      return { files: this.chat.files };
    },
    'prompts.recall': () => ({ prompts: this.prompts }),
    'prompts.suggest': ({ prefix }) => ({
      prompts: this.prompts.filter((prompt) => prompt.startsWith(prefix)),
    }),
    'memory.get': () => this.#memory.get(),
    'memory.chooseDecision': ({ id, choice, text }) => {
      this.#memory.choose(id, choice, text);
      return null;
    },
    'memory.evidence': () => ({
      evidence: [
        {
          sessionId: 'sess-2',
          id: 'attempt-2-2',
          at: '2026-11-12T09:00:00.000Z',
          text: 'npm test -- case-2',
        },
      ],
    }),
    'memory.dismiss': ({ id }) => this.#changed(id, 'dismissed'),
    'memory.pin': ({ id }) => this.#changed(id, 'pinned'),
    'memory.reset': ({ id }) => this.#changed(id, 'active'),
    'memory.forget': ({ id }) => {
      this.#memory.forget(id);
      return null;
    },
  };

  /** A session with its rows, as the real server builds them. */
  #read(id: string): ReadSession {
    const index = this.history.indexOf(id);
    if (Number.isNaN(index)) throw new Error(`There is no session ${id}.`);
    const items = this.history.items(index);
    const records = items.map((item) => (item.type === 'message' ? omitImages(item.message) : item.attempt));
    const view = { summary: this.history.summary(index), records, calls: new Map(), warnings: [] };
    return { view, rows: buildSessionRows(view) };
  }

  #changed(id: string, state: 'active' | 'pinned' | 'dismissed'): null {
    this.#memory.set(id, state);
    return null;
  }
}

function omitImages({ images: _, ...message }: SentMessage): Omit<SentMessage, 'images'> {
  return message;
}
