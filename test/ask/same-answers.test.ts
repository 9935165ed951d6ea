import { expect, test } from 'vitest';
import { answerFromMemory } from '../../src/chat/memory-responder/memory-responder.ts';
import type { CommandContext, CommandRun } from '../../src/cli/command.ts';
import { runCheck } from '../../src/cli/commands/memory/check.ts';
import { runFailures } from '../../src/cli/commands/memory/failures.ts';
import type { CallResult, ToolCall } from '../../src/facts/call/tool-call.ts';
import { handleHook } from '../../src/hook/handle-hook.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { connect } from '../mcp/serve.ts';
import { call as askServer, newPlace, type Serving, serve } from '../server/serving.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SESSIONS = 26;
const STEPS = 8;
const VARIANTS = 7;

/** A call that fails, how it fails, and what works instead, for each variant of it. */
interface Mishap {
  readonly call: (variant: number) => Call;
  readonly output: (variant: number) => string;
  readonly fix: (variant: number) => Call;
}

type Call = Pick<ToolCall, 'tool' | 'input'>;

const bash = (command: string): Call => ({ tool: 'Bash', input: { command } });
const read = (path: string): Call => ({ tool: 'Read', input: { file_path: path } });

const MISHAPS: readonly Mishap[] = [
  {
    call: (at) => bash(`npm install kiln-node${at}`),
    output: () => 'npm error code E404\nnpm error 404 Not Found',
    fix: (at) => bash(`pnpm add kiln${at}`),
  },
  {
    call: (at) => bash(`gh pr diff ${at} --stat`),
    output: () => 'unknown flag: --stat',
    fix: (at) => bash(`gh pr diff ${at} --name-only`),
  },
  {
    call: (at) => bash(`npm run lnt:${at}`),
    output: (at) => `npm error Missing script: "lnt:${at}"`,
    fix: (at) => bash(`npm run lint:${at}`),
  },
  {
    call: (at) => bash(`ovenctl status zone-${at}`),
    output: () => 'bash: ovenctl: command not found',
    fix: (at) => bash(`docker compose exec -T oven ovenctl status zone-${at}`),
  },
  {
    call: (at) => bash(`cat notes/heat-${at}.txt`),
    output: (at) => `cat: notes/heat-${at}.txt: No such file or directory`,
    fix: (at) => bash(`cat docs/notes/heat-${at}.txt`),
  },
  {
    call: (at) => bash(`python tools/report${at}.py`),
    output: () => "Traceback (most recent call last):\nModuleNotFoundError: No module named 'kilnlib'",
    fix: (at) => bash(`uv run tools/report${at}.py`),
  },
  {
    call: (at) => bash(`npm test -- oven-${at}`),
    output: (at) => `FAIL src/oven-${at}.test.ts\nError: expected ${at} to be 7`,
    fix: (at) => bash(`npx vitest run oven-${at}`),
  },
  {
    call: (at) => read(`src/part-${at}.ts`),
    output: () => 'File does not exist.',
    fix: (at) => read(`lib/part-${at}.ts`),
  },
  {
    call: (at) => bash(`deploytool push --regoin zone-${at}`),
    output: () => 'error: unexpected argument --regoin\n  tip: a similar argument exists: --region',
    fix: (at) => bash(`deploytool push --region zone-${at}`),
  },
];

/** What a door says about a failure. Doors that do not say something have no such field. */
interface Answer {
  readonly failure?: string;
  readonly failed: string;
  readonly cause: string;
  readonly fix: string | undefined;
  readonly isStanding?: boolean;
}

type Answers = Readonly<Record<string, Answer | undefined>>;

/** Numbers below a limit that look random and are the same every time. */
function createDice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A project with sessions in which calls fail, are solved or not, and sometimes work again. */
class World {
  readonly place: ReturnType<typeof newPlace> = newPlace();
  readonly env: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '' };
  readonly home: Home;
  readonly project: Project;
  /** Every call that has failed. */
  readonly failed = new Map<string, Call>();
  #time = Date.now() - 3 * DAY;
  #count = 0;

  constructor() {
    const before = openHome({ home: this.place.home, env: this.env });
    const recorder = before.openProject(this.place.cwd).recorder();
    const roll = createDice(28);
    const record = (sessionId: string, call: Call, result: CallResult): void => {
      this.#time += MINUTE + roll(3 * MINUTE);
      const callId = `call-${this.#count++}`;
      const made = { sessionId, callId, agent: 'claude-code', cwd: this.place.cwd, ...call };
      recorder.record({ ...made, timestamp: new Date(this.#time).toISOString() }, result);
    };
    for (let session = 0; session < SESSIONS; session++) {
      const id = `session-${session}`;
      for (let step = 0; step < STEPS; step++) {
        const { call, output, fix } = MISHAPS[roll(MISHAPS.length)] as Mishap;
        const variant = roll(VARIANTS);
        const chance = roll(10);
        this.failed.set(JSON.stringify(call(variant)), call(variant));
        record(id, call(variant), { status: 'error', exitCode: 1, output: output(variant) });
        if (chance < 5) record(id, fix(variant), { status: 'ok', exitCode: 0 });
        if (chance === 5) record(id, call(variant), { status: 'ok', exitCode: 0 });
        if (chance === 6) record(id, bash('git status'), { status: 'ok', exitCode: 0, output: 'clean' });
      }
    }
    before.close();
    this.home = openHome({ home: this.place.home, env: this.env });
    this.project = this.home.openProject(this.place.cwd);
  }

  toolCall(call: Call, sessionId: string): ToolCall {
    const { cwd } = this.place;
    return { ...call, sessionId, timestamp: new Date().toISOString(), cwd, root: cwd };
  }

  /** What a command prints as JSON. */
  async runJson<T>(run: CommandRun, args: readonly string[], options: object): Promise<T> {
    const printed: unknown[] = [];
    const withProgress = (_title: string, work: (onProgress: () => void) => unknown): unknown => work(() => undefined);
    const output = { json: (value: unknown) => void printed.push(value), withProgress };
    const context = { output, env: this.env, cwd: this.place.cwd, now: Date.now, openHome: async () => this.home };
    await run(context as unknown as CommandContext, args, { json: true, ...options });
    return printed[0] as T;
  }
}

/** What the text of a warning says. */
function parseWarning(text: string): Answer {
  const find = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
  return {
    failed: find(/This failed[^`]*`(.*)`$/m) ?? text,
    cause: find(/^(?:- )?Reason: "(.*)"$/m) ?? text,
    fix: find(/What worked instead: `(.*)`$/m),
  };
}

interface Warned {
  readonly failure: string;
  readonly failed: string;
  readonly reason: string;
  readonly fix?: string;
}

/** What each door answers when it is asked whether a call will fail. */
async function askAboutCall(world: World, server: Serving, call: Call): Promise<Answers> {
  const { project, home, place } = world;
  const fromData = (warning: Warned | undefined): Answer | undefined =>
    warning && { failure: warning.failure, failed: warning.failed, cause: warning.reason, fix: warning.fix };
  const own = project.memory.check(world.toolCall(call, 'library'));
  const library = fromData(own && { ...own, failure: own.failureId });
  const recorded = project.recorder().check(world.toolCall(call, 'recorder'));
  const payload = { session_id: 'hook', cwd: place.cwd, hook_event_name: 'PreToolUse', tool_use_id: 'one' };
  const reply = await handleHook(
    { agent: 'claude-code', payload: JSON.stringify({ ...payload, tool_name: call.tool, tool_input: call.input }) },
    { home: place.home, env: world.env, userHome: place.home, now: Date.now, elapsed: () => 0 },
  );
  const { command, file_path: path } = call.input as { readonly command?: string; readonly file_path?: string };
  const printed = await world.runJson<{ readonly warning?: Warned }>(
    runCheck,
    command === undefined ? [] : [command],
    path === undefined ? {} : { path },
  );
  const mcp = await connect({ ...place, folder: place.cwd }, { env: world.env });
  const { data } = await mcp.call('check', command === undefined ? call : { command });
  const answers = {
    library,
    recorder: fromData(recorded && { ...recorded, failure: recorded.failureId }),
    hook: reply === '' ? undefined : parseWarning(JSON.parse(reply).hookSpecificOutput.permissionDecisionReason),
    commandLine: fromData(printed.warning),
    mcp: fromData(data?.warning as Warned | undefined),
  };
  if (command === undefined) return answers;
  const checked = await askServer(server, 'chat.check', { project: project.info.projectHash, command });
  const said = answerFromMemory(command, { home, project, now: Date.now });
  return {
    ...answers,
    server: fromData(checked.warning && { ...checked.warning, failure: checked.warning.failureId }),
    chat: said.includes('This failed') ? parseWarning(said) : undefined,
  };
}

interface Listed {
  readonly id: string;
  readonly what: string;
  readonly error: string;
  readonly fix?: string;
  readonly endedAt?: string;
}

/** What each door that lists failures says about each of them, by question. */
async function askForLists(world: World, server: Serving): Promise<ReadonlyMap<string, Answers>> {
  const { project, place } = world;
  const { memory } = project;
  const toAnswer = ({ id, what, error, fix, endedAt }: Listed, hasEnding: boolean): Answer => ({
    ...{ failure: id, failed: what, cause: error, fix },
    ...(hasEnding ? { isStanding: endedAt === undefined } : {}),
  });
  const byId = (listed: readonly Listed[], hasEnding = true): ReadonlyMap<string, Answer> =>
    new Map(listed.map((each) => [each.id, toAnswer(each, hasEnding)]));
  type Printed = { readonly failures: readonly Listed[] };
  const mcp = await connect({ ...place, folder: place.cwd }, { env: world.env });
  const { data } = await mcp.call('failures', { limit: 50 });
  const warned = data?.active as readonly (Omit<Listed, 'id'> & { readonly failure: string })[];
  const remembered = await askServer(server, 'memory.get', { project: project.info.projectHash });
  const listed = remembered.antiPatterns.map((each) => ({ ...each, what: each.pattern, error: each.reason }));
  const all = {
    library: byId(memory.failures({ all: true })),
    commandLine: byId((await world.runJson<Printed>(runFailures, [], { all: true, limit: 1000 })).failures),
  };
  const active = {
    library: byId(memory.failures(), false),
    commandLine: byId((await world.runJson<Printed>(runFailures, [], { limit: 1000 })).failures, false),
    server: byId(listed, false),
    mcp: byId(
      warned.map((each) => ({ ...each, id: each.failure })),
      false,
    ),
  };
  const questions = new Map<string, Answers>();
  const ask = (name: string, doors: Readonly<Record<string, ReadonlyMap<string, Answer>>>): void => {
    for (const id of new Set(Object.values(doors).flatMap((door) => [...door.keys()])))
      questions.set(
        `${name} ${id}`,
        Object.fromEntries(Object.entries(doors).map(([door, found]) => [door, found.get(id)])),
      );
  };
  ask('failure', all);
  ask('active warning', active);
  return questions;
}

/** What the reader says about each failed call of the sessions, beside what lists say of the failure that it was last. */
async function askReader(world: World, server: Serving): Promise<ReadonlyMap<string, Answers>> {
  const { project } = world;
  const questions = new Map<string, Answers>();
  const failures = project.memory.failures({ all: true });
  /** By what was called, the fix of the latest failure. */
  const fixes = new Map<string, string | undefined>();
  for (let session = 0; session < SESSIONS; session++) {
    const id = `session-${session}`;
    const { rows } = await askServer(server, 'history.readSession', {
      id,
      project: project.info.projectHash,
      limit: 500,
    });
    const calls = rows.flatMap((row) => (row.type === 'call' ? [row.call] : row.type === 'lookups' ? row.calls : []));
    const titles = new Map(calls.map(({ attempt }) => [attempt.id, attempt.command ?? `read ${attempt.path}`]));
    for (const { attempt, error = '', fix, workedAgain } of calls) {
      if (attempt.outcome !== 'failure') continue;
      const failed = titles.get(attempt.id) ?? '';
      const reader = { failed, cause: error, fix: fix?.text };
      const listed = failures.find(({ at, what }) => at === attempt.timestamp && what === failed);
      const known = listed !== undefined ? { failed: listed.what, cause: listed.error, fix: listed.fix } : reader;
      if (workedAgain !== undefined && listed !== undefined) expect([failed, listed.endedAt]).not.toContain(undefined);
      fixes.set(failed, fix?.text);
      questions.set(`${id} ${attempt.id}`, { reader, list: known });
    }
  }
  for (const { what: failed, fix } of project.memory.pastFailures().failures) {
    questions.set(`past ${failed}`, {
      list: { failed, cause: '', fix },
      reader: { failed, cause: '', fix: fixes.get(failed) },
    });
  }
  return questions;
}

test('failure, cause, fix and standing are the same answers at every door', { timeout: 120_000 }, async () => {
  const world = new World();
  const server = await serve({ place: world.place });
  world.home.catchUp();
  const table = new Map<string, Answers>();
  const listed = await askForLists(world, server);
  for (const [name, answers] of [...listed, ...(await askReader(world, server))]) table.set(name, answers);
  for (const [name, call] of world.failed) {
    const answers = await askAboutCall(world, server, call);
    const { failure } = answers.library ?? {};
    // The list has the failure that the guard warns of, and says the same of it; the active ones are those worth telling.
    const inList = failure === undefined ? undefined : listed.get(`failure ${failure}`)?.library;
    table.set(name, { ...answers, list: inList });
  }
  const differing = [...table].filter(([, answers]) => {
    const given = Object.values(answers).map((answer) => answer && omitMissing(answer, answers));
    return new Set(given.map((answer) => JSON.stringify(answer))).size > 1;
  });
  expect(differing).toEqual([]);
  expect(table.size).toBeGreaterThanOrEqual(300);
  const warned = [...table.values()].filter(({ hook }) => hook !== undefined);
  const solved = [...table.values()].filter(({ library, reader }) => (library ?? reader)?.fix !== undefined);
  const over = [...table.values()].filter(({ library }) => library?.isStanding === false);
  for (const some of [warned, solved, over]) expect(some.length).toBeGreaterThan(5);
  world.home.close();
});

/** An answer with the fields that all doors have which answer the question. */
function omitMissing(answer: Answer, answers: Answers): Partial<Answer> {
  const given = Object.values(answers).filter((each) => each !== undefined);
  const fields = Object.entries(answer).filter(([field]) => given.every((each) => Object.hasOwn(each, field)));
  // Inside quotation marks, others are single ones.
  return Object.fromEntries(
    fields.map(([field, value]) => [field, field === 'cause' ? `${value}`.replaceAll('"', "'") : value]),
  );
}
