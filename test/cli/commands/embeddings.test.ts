import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandRun, OptionValues } from '../../../src/cli/command.ts';
import { runDoctor } from '../../../src/cli/commands/data/doctor.ts';
import { runForget } from '../../../src/cli/commands/data/forget.ts';
import { runReindex } from '../../../src/cli/commands/data/reindex.ts';
import { runSearch } from '../../../src/cli/commands/history/search.ts';
import { openHome } from '../../../src/project/index.ts';
import { messageOf } from '../../../src/record/index.ts';
import { openDatabase } from '../../../src/sqlite/database.ts';
import { storePath } from '../../../src/store/store-files.ts';
import { EmbeddingServer, sendJson } from '../../embedding/embedding-server.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { printedOutput } from '../chat/typed-terminal.ts';

const START = Date.UTC(2026, 2, 3, 9);
/** What it asks for was said in other words only. */
const QUESTION = 'trouble with the authentication again';
const SIGN_IN = 'Signin fails for every customer';
/** Made up. */
const TOKEN = 'ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7c';
const PARSER = 'The parser accepts trailing commas';

class Machine {
  readonly folder: string = temporaryFolder();
  readonly home: string = join(this.folder, 'home');
  readonly cwd: string = join(this.folder, 'shop');
  env: Record<string, string> = {};
  #at = START;

  constructor(...messages: readonly string[]) {
    mkdirSync(this.cwd, { recursive: true });
    for (const [n, content] of messages.entries()) this.say(`s${n}`, content);
  }

  say(sessionId: string, content: string): void {
    const home = openHome({ home: this.home });
    this.#at += 60_000;
    const timestamp = new Date(this.#at).toISOString();
    home.openProject(this.cwd).history.append({ sessionId, timestamp, role: 'user', content });
    home.close();
  }

  set(embeddings: object): void {
    writeFileSync(join(this.home, 'config.json'), JSON.stringify({ embeddings }), { mode: 0o600 });
  }

  async run(command: CommandRun, args: readonly string[] = [], options: OptionValues = {}) {
    const { output, printed } = printedOutput(false, 500);
    const home = openHome({ home: this.home, env: this.env });
    const env = { HOME: this.folder, PATH: '' };
    const context = {
      output,
      env,
      cwd: this.cwd,
      now: () => this.#at,
      homeOption: this.home,
      openHome: async () => home,
    };
    const code = await command(context, args, options);
    home.close();
    return { code: code ?? 0, ...printed };
  }

  /** The texts that a search finds, and what it warns of. */
  async search(text: string): Promise<{ found: string[]; reasons: string[]; warnings: string[] }> {
    const { out } = await this.run(runSearch, [text], { json: true });
    const { hits, warnings } = JSON.parse(out);
    return {
      found: hits.map((hit: { snippet: { text: string } }) => hit.snippet.text),
      reasons: hits.map((hit: { reason: string }) => hit.reason),
      warnings: warnings.map((warning: { message: string }) => warning.message),
    };
  }

  /** The rows of the index that have a vector; undefined when the index has no table for them. */
  vectors(): number | undefined {
    const database = openDatabase(storePath(this.home));
    try {
      const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'vector'").get();
      if (table === undefined) return undefined;
      return (database.prepare('SELECT count(*) AS n FROM vector WHERE length(data) > 0').get() as { n: number }).n;
    } finally {
      database.close();
    }
  }
}

let server: EmbeddingServer;
beforeEach(async () => {
  server = await EmbeddingServer.start();
});

/** A machine on which the embedder is set and all messages have vectors. */
async function embedded(...messages: readonly string[]): Promise<Machine> {
  const machine = new Machine(...messages);
  machine.set({ url: server.url, model: 'm' });
  expect((await machine.run(runReindex)).error).toBe('');
  return machine;
}

describe('an embedder', () => {
  it('is off by default: nothing is sent, and the index has no vectors', async () => {
    const request = vi.spyOn(globalThis, 'fetch');
    const machine = new Machine(SIGN_IN, PARSER);
    await machine.run(runReindex);
    expect(await machine.search(QUESTION)).toEqual({ found: [], reasons: [], warnings: [] });
    expect((await machine.run(runDoctor)).out).not.toContain('embeddings');
    expect(machine.vectors()).toBeUndefined();
    expect(request).not.toHaveBeenCalled();
    request.mockRestore();
  });

  it('lets a question find what shares no word with it', async () => {
    const machine = await embedded(SIGN_IN, PARSER);
    const { found, reasons, warnings } = await machine.search(QUESTION);
    expect(found[0]).toBe(SIGN_IN);
    expect(reasons[0]).toBe('similar in meaning');
    expect(warnings).toEqual([]);
  });

  it('leaves exact queries as they are', async () => {
    const machine = await embedded(SIGN_IN, PARSER);
    const before = server.requests.length;
    expect((await machine.search('authentication')).found).toEqual([]);
    expect((await machine.search('"trouble with authentication"')).found).toEqual([]);
    expect((await machine.search('parser')).found).toEqual([PARSER]);
    expect(server.requests).toHaveLength(before);
  });

  it('keeps first what was said word for word', async () => {
    const machine = await embedded(SIGN_IN, `Yesterday: ${QUESTION}`, 'Login broken: broken login');
    expect((await machine.search(QUESTION)).found[0]).toContain(QUESTION);
  });

  it('is asked once the result of a search is shown, for messages that have no vector yet', async () => {
    const machine = new Machine(SIGN_IN, PARSER);
    machine.set({ url: server.url, model: 'm' });
    const first = await machine.search(QUESTION);
    expect(first.warnings.join()).toContain('No message has a vector of the embedding model yet');
    expect(machine.vectors()).toBe(2);
    expect((await machine.search(QUESTION)).found[0]).toBe(SIGN_IN);
    machine.say('s9', 'Bill the customer twice');
    await machine.search('parser');
    expect(machine.vectors()).toBe(3);
  });

  it('is sent masked secrets, the key of the environment and the prefixes of the settings', async () => {
    const machine = new Machine(`${SIGN_IN} with ${TOKEN}`);
    machine.env = { YORE_EMBEDDINGS_API_KEY: 'made-up-key', OPENAI_API_KEY: 'other-key' };
    machine.set({ url: `${server.url}/`, model: 'm', questionPrefix: 'query: ', textPrefix: 'text: ' });
    await machine.run(runReindex);
    await machine.search(`why is the printer broken with ${TOKEN}`);
    const [texts, question] = server.requests;
    expect(texts).toMatchObject({ path: '/v1/embeddings', key: 'Bearer made-up-key', model: 'm' });
    expect(texts?.input).toEqual([expect.stringMatching(/^text: Signin fails/)]);
    expect(question?.input).toEqual([expect.stringMatching(/^query: why is/)]);
    expect(server.texts.join()).not.toContain('ghp_');
  });

  it('gets no key that is meant for OpenAI', async () => {
    const machine = new Machine(SIGN_IN);
    machine.env = { OPENAI_API_KEY: 'other-key' };
    machine.set({ url: server.url, model: 'm' });
    await machine.run(runReindex);
    expect(server.requests[0]?.key).toBeUndefined();
  });

  it('is asked again for all messages when the model changes', async () => {
    const machine = await embedded(SIGN_IN, PARSER);
    machine.set({ url: server.url, model: 'other' });
    await machine.search(QUESTION);
    expect(server.requests.at(-1)).toMatchObject({ model: 'other', input: [PARSER, SIGN_IN] });
    expect((await machine.search(QUESTION)).found[0]).toBe(SIGN_IN);
  });

  it('is asked again for all messages when its vectors get another number of dimensions', async () => {
    const machine = await embedded(SIGN_IN, PARSER);
    server.dimensions = 32;
    expect((await machine.search(QUESTION)).found).toEqual([]);
    expect((await machine.search(QUESTION)).found[0]).toBe(SIGN_IN);
    expect(machine.vectors()).toBe(2);
  });

  it('continues where it was interrupted', async () => {
    const machine = new Machine(...Array.from({ length: 40 }, (_, n) => `Message number ${n}`), SIGN_IN);
    machine.set({ url: server.url, model: 'm' });
    server.misbehave = (_, response) => (server.requests.length > 1 ? sendJson(response, 503, {}) : undefined);
    expect((await machine.run(runReindex, [], { embeddings: true })).error).toContain('status 503');
    expect(machine.vectors()).toBe(32);
    server.misbehave = undefined;
    const { out, error } = await machine.run(runReindex, [], { embeddings: true });
    expect({ out, error }).toEqual({ out: 'Computed the vectors of 9 messages.\n', error: '' });
    expect(new Set(server.texts).size).toBe(41);
  });

  it('may reject a text, which then has no vector', async () => {
    const machine = new Machine(SIGN_IN, 'A text that is far too long', PARSER);
    machine.set({ url: server.url, model: 'm' });
    server.misbehave = ({ input }, response) =>
      input.some((text) => text.includes('too long')) ? sendJson(response, 400, { error: 'too long' }) : undefined;
    expect((await machine.run(runReindex)).error).toBe('');
    expect(machine.vectors()).toBe(2);
    const before = server.requests.length;
    await machine.search('parser');
    expect(server.requests).toHaveLength(before);
  });
});

describe('forgotten messages', () => {
  it('have no vector any more', async () => {
    const machine = await embedded(SIGN_IN, PARSER);
    await machine.run(runForget, [], { session: 's0', yes: true });
    // The log was rewritten: the messages that are left get new vectors.
    expect(machine.vectors()).toBe(0);
    await machine.search('parser');
    expect(machine.vectors()).toBe(1);
    expect((await machine.search(QUESTION)).found).toEqual([PARSER]);
  });
});

describe('when the embedder fails', () => {
  const FAILURES: readonly (readonly [string, EmbeddingServer['misbehave'], string])[] = [
    ['rejects the key', (_, response) => sendJson(response, 401, {}), 'set YORE_EMBEDDINGS_API_KEY'],
    [
      'has an error',
      (_, response) => sendJson(response, 404, { error: { message: 'no such model' } }),
      'no such model',
    ],
    ['is slow', () => true, 'did not reply within'],
    ['sends something else', (_, response) => response.end('<html>'), 'sent no valid list of vectors'],
    ['sends too few vectors', (_, response) => sendJson(response, 200, { data: [] }), 'sent no valid list of vectors'],
    [
      'sends texts as vectors',
      (_, response) => sendJson(response, 200, { data: [{ index: 0, embedding: ['1'] }] }),
      'sent no valid list of vectors',
    ],
    ['hangs up', (_, response) => response.destroy(), 'cannot be reached'],
  ];

  it.each(FAILURES)('because it %s, words are compared, and the search says so once', async (_, misbehave, message) => {
    const machine = await embedded(SIGN_IN, PARSER);
    server.misbehave = misbehave;
    machine.say('s9', 'Trouble with the printer');
    const { code, out, error } = await machine.run(runSearch, [QUESTION]);
    expect(code).toBe(0);
    expect(out).toContain('printer');
    expect(error).toContain(message);
    expect(error.match(/Only words were compared/g)).toHaveLength(1);
    const doctor = await machine.run(runDoctor);
    expect(doctor.out).toMatch(/✗ embeddings .*Search compares words only\./);
  });

  it('because it is down, words are compared, and the search says so once', async () => {
    const machine = await embedded(SIGN_IN, PARSER);
    await server.stop();
    const { found, warnings } = await machine.search('trouble with the parser again');
    expect(found).toEqual([PARSER]);
    expect(warnings).toEqual([expect.stringMatching(/does not accept connections\. Only words were compared\.$/)]);
  });

  it('by redirecting to another address, nothing is sent there', async () => {
    const other = await EmbeddingServer.start();
    const machine = await embedded(SIGN_IN);
    server.misbehave = (_, response) => response.writeHead(307, { location: `${other.url}/embeddings` }).end();
    expect((await machine.search(QUESTION)).warnings.join()).toContain('redirects to another address');
    expect(other.requests).toEqual([]);
  });
});

describe('the settings', () => {
  it.each([
    [{ url: 'http://192.0.2.1/v1', model: 'm' }, 'without encryption'],
    [{ url: 'http://localhost.example.com/v1', model: 'm' }, 'without encryption'],
    [{ url: 'http://127.0.0.1.example.com/v1', model: 'm' }, 'without encryption'],
    [{ url: 'http://127.0.0.1:1/v1' }, 'The embedding model is not set'],
  ])('%j are not used, and search and doctor say why', async (settings, message) => {
    const request = vi.spyOn(globalThis, 'fetch');
    const machine = new Machine(SIGN_IN, PARSER);
    machine.set(settings);
    const { found, warnings } = await machine.search('trouble with the parser again');
    expect(found).toEqual([PARSER]);
    expect(warnings).toEqual([expect.stringContaining(message)]);
    expect((await machine.run(runDoctor)).out).toContain(message);
    expect(request).not.toHaveBeenCalled();
    request.mockRestore();
  });

  it('may allow another machine without encryption', async () => {
    const request = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network in tests'));
    const machine = new Machine(SIGN_IN);
    machine.set({ url: 'http://192.0.2.1/v1', model: 'm', allowHttp: true });
    await machine.search(QUESTION);
    expect(String(request.mock.calls[0]?.[0])).toBe('http://192.0.2.1/v1/embeddings');
    const { out } = await machine.run(runDoctor);
    expect(out).toContain('Messages and questions leave this machine: they are sent to 192.0.2.1, model m.');
    request.mockRestore();
  });

  it('are needed to compute vectors', async () => {
    const machine = new Machine(SIGN_IN);
    const failure = await machine.run(runReindex, [], { embeddings: true }).catch(messageOf);
    expect(failure).toContain('No embedder is set');
  });
});

it('doctor says where texts are sent, and how many messages have vectors', async () => {
  const machine = await embedded(SIGN_IN, PARSER);
  machine.say('s9', 'Bill the customer twice');
  await machine.run(runSearch, ['parser']);
  const { out } = await machine.run(runDoctor);
  expect(out).toContain(`Messages and questions are sent to ${new URL(server.url).host}, model m. Secrets are masked.`);
  expect(out).toContain('3 messages of 3 have vectors.');
});
