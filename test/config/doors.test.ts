import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UNKNOWN_MACHINE } from '../../src/ask/guard/candidates.ts';
import { ChatService, openChat } from '../../src/chat/index.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../src/cli/command.ts';
import { runPrompts } from '../../src/cli/commands/history/prompts.ts';
import { runCheck } from '../../src/cli/commands/memory/check.ts';
import { SETTINGS, setSetting } from '../../src/config/index.ts';
import { handleHook } from '../../src/hook/handle-hook.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { messageOf } from '../../src/record/error.ts';
import { ModelServer } from '../chat/model-server.ts';
import { ScriptedResponder } from '../chat/scripted-responder.ts';
import type { Place } from '../cli/built/run-yore.ts';
import { EmbeddingServer } from '../embedding/embedding-server.ts';
import { connect } from '../mcp/serve.ts';
import { call, newPlace, type ServedPlace, serve } from '../server/serving.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const NOW = START + 2 * 86_400_000;
const REQUEST = 'Resize panorama thumbnails with a worker queue';
const FAILED = 'npm install panorama-resizer';

/** Values by key, as they are typed; `{cwd}` is the project's folder. */
type Settings = Readonly<Record<string, string>>;

/** A home with a project that has a session, six prompts and a failure, and these settings. */
class Setup implements ServedPlace, Place {
  readonly folder: string;
  readonly home: string;
  readonly cwd: string;
  readonly web: string;

  constructor(settings: Settings) {
    const { home, cwd, web } = newPlace();
    this.home = home;
    this.cwd = join(cwd, 'shop');
    this.web = web;
    this.folder = cwd;
    mkdirSync(this.cwd);
    this.#work();
    const file = join(home, 'config.json');
    for (const [key, value] of Object.entries(settings)) setSetting(file, key, value.replace('{cwd}', this.cwd));
  }

  #work(): void {
    let at = START;
    const home = openHome({ home: this.home, now: () => at });
    const project = home.openProject(this.cwd);
    const recorder = project.recorder();
    const head = () => {
      at += 60_000;
      return { sessionId: 'earlier', timestamp: new Date(at).toISOString() };
    };
    recorder.recordPrompt({ ...head(), text: REQUEST, agent: 'claude-code' });
    const run = (command: string) => ({ ...head(), tool: 'Bash', input: { command } });
    recorder.record(run(FAILED), {
      status: 'error',
      exitCode: 1,
      output: 'npm error code E404\nnpm error 404 Not Found',
    });
    recorder.record(run('npm install sharp-panorama bullmq'), {
      status: 'ok',
      exitCode: 0,
      output: 'added 2 packages',
    });
    project.history.append({ ...head(), role: 'assistant', content: 'Thumbnails are resized by a bullmq queue.' });
    for (let n = 1; n <= 6; n++) home.prompts.upsert(`prompt ${n}`, project.info.projectHash);
    project.maintain();
    home.catchUp();
    home.close();
  }

  open(): { readonly home: Home; readonly project: Project } {
    const home = openHome({ home: this.home, now: () => NOW, machine: () => UNKNOWN_MACHINE });
    onTestFinished(() => home.close());
    return { home, project: home.openProject(this.cwd) };
  }

  /** The reply to a hook event. */
  hook(event: string, fields: object, cwd: string = this.cwd): Promise<string> {
    const payload = JSON.stringify({ session_id: 'new', cwd, hook_event_name: event, ...fields });
    const machine = { home: this.home, env: { PATH: '' }, userHome: this.home, now: () => NOW, elapsed: () => 0 };
    return handleHook({ agent: 'claude-code', payload }, machine);
  }

  async command(
    run: CommandRun,
    args: readonly string[],
    options: OptionValues,
  ): Promise<Readonly<Record<string, unknown>>> {
    const printed: Readonly<Record<string, unknown>>[] = [];
    const output = { json: (value: Readonly<Record<string, unknown>>) => void printed.push(value) };
    const { home } = this.open();
    const context = {
      output,
      env: {},
      cwd: this.cwd,
      now: () => NOW,
      homeOption: undefined,
      openHome: async () => home,
    };
    await run(context as unknown as CommandContext, args, { json: true, ...options });
    return printed[0] ?? {};
  }

  /** A chat that has asked some questions, and what the model was sent. */
  async chat(
    ...questions: readonly string[]
  ): Promise<{ chat: ChatService; responder: ScriptedResponder; sent: string }> {
    const responder = new ScriptedResponder();
    const { home, project } = this.open();
    const chat = new ChatService({ home, project, root: this.cwd, responder, compactionDelayMs: 100_000 });
    onTestFinished(() => chat.close());
    for (const question of questions) await chat.send(question);
    return { chat, responder, sent: JSON.stringify(responder.requests.at(-1)?.messages ?? []) };
  }

  /** What the model is sent by the chat in the browser. */
  async webChat(question: string): Promise<string> {
    const responder = new ScriptedResponder();
    const { home, project } = this.open();
    const chat = new ChatService({ home, project, root: this.cwd, responder });
    const server = await serve({ place: this, openChat: () => chat });
    await call(server, 'chat.send', { prompt: question });
    await expect.poll(() => responder.requests.length).toBe(1);
    return JSON.stringify(responder.requests[0]?.messages);
  }

  async resource(uri: string): Promise<string> {
    const { client } = await connect(this, { now: () => NOW });
    const { contents } = await client.readResource({ uri });
    return contents.map((content) => ('text' in content ? content.text : '')).join('');
  }
}

const onStart = (setup: Setup) => setup.hook('SessionStart', { source: 'startup' });
const onPrompt = (setup: Setup) => setup.hook('UserPromptSubmit', { prompt: REQUEST });
const onCall = (setup: Setup) =>
  setup.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: FAILED }, tool_use_id: 'one' });
const onPromptElsewhere = (setup: Setup) => setup.hook('UserPromptSubmit', { prompt: REQUEST }, join(setup.cwd, '..'));
const isBriefed = async (setup: Setup) => (await setup.chat(REQUEST)).sent.includes('## Project context');
const RECALLED = 'Done before (';
const isReminded = async (setup: Setup) => (await setup.chat(REQUEST)).sent.includes(RECALLED);
const isRemindedInBrowser = async (setup: Setup) => (await setup.webChat(REQUEST)).includes(RECALLED);
const briefing = (setup: Setup) => setup.resource('yore://briefing');
const knowledge = (setup: Setup) => setup.resource('yore://knowledge');
const isWarned = async (setup: Setup) => (await setup.command(runCheck, [FAILED], {})).warns;

const countPrompts = (setup: Setup) => setup.open().home.prompts.search('', 0).length;
const promptsAfterHook = async (setup: Setup) => onPrompt(setup).then(() => countPrompts(setup));
const promptsAfterWebChat = async (setup: Setup) => setup.webChat(REQUEST).then(() => countPrompts(setup));
const messagesAfterChat = async (setup: Setup) => {
  const { chat } = await setup.chat('Hello there');
  return setup.open().project.history.getSessionMessages(chat.state().sessionId ?? '').length;
};
const isNoteRefused = async (setup: Setup) => (await connect(setup)).call('remember', { text: 'Use bullmq' });

const list = (args: readonly string[], options: OptionValues) => async (setup: Setup) =>
  (await setup.command(runPrompts, args, options)).prompts;
const recall = (limit?: number) => async (setup: Setup) =>
  (await call(await serve({ place: setup }), 'prompts.recall', limit === undefined ? {} : { limit })).prompts;
const suggest = async (setup: Setup) =>
  (await call(await serve({ place: setup }), 'prompts.suggest', { prefix: 'PRO' })).prompts;

const LONG = Array.from({ length: 8 }, (_, n) => `Question ${n}: ${`use file-${n}.ts line ${n}, `.repeat(60)}`);
const compactionStatus = async (setup: Setup) => (await setup.chat()).chat.status().compaction;
const compact = async (setup: Setup) => {
  const { chat } = await setup.chat(...LONG);
  await chat.compact();
  return chat.state().messages;
};
const summary = async (setup: Setup) => (await compact(setup))[0]?.content;
const sentMessages = async (setup: Setup) => (await setup.chat('One', 'Two', 'Three')).chat.state().messages;
const sentPrompt = async (setup: Setup) => (await setup.chat('Hi')).sent;

const responder = (setup: Setup) => {
  const { home, project } = setup.open();
  try {
    return openChat({ home, project, root: setup.cwd, env: {}, now: () => NOW }).chat.responderName;
  } catch (error) {
    return messageOf(error);
  }
};
/** The models that a server is asked for: to reply, and to find a topic boundary. */
const modelsAsked = async (setup: Setup) => {
  const server = await ModelServer.start();
  const settings = { provider: 'openai-compatible', name: 'large', baseUrl: server.url };
  for (const [name, value] of Object.entries(settings)) {
    setSetting(join(setup.home, 'config.json'), `model.${name}`, value);
  }
  const { home, project } = setup.open();
  const { chat } = openChat({ home, project, root: setup.cwd, env: {}, now: () => NOW });
  onTestFinished(() => chat.close());
  for (const question of LONG) await chat.send(question);
  await chat.compact();
  return [...new Set(server.requests.map(({ body }) => body.model))];
};

const ASKED = 'resize panorama thumbnails';
/** What a server is asked for by `yore reindex` and then by a search. */
const embedded = (settings: Settings) => async (setup: Setup) => {
  const server = await EmbeddingServer.start();
  const file = join(setup.home, 'config.json');
  for (const [key, value] of Object.entries(settings)) setSetting(file, key, value.replace('{url}', server.url));
  const { home } = setup.open();
  home.reindex();
  await home.embeddings.embedMissing();
  await home.embeddings.embedQuery({ text: ASKED });
  return server.requests.flatMap(({ model, input }) => input.slice(-1).map((text) => `${model}: ${text}`));
};
const isSet = async (setup: Setup) =>
  (await setup.open().home.embeddings.embedQuery({ text: ASKED })).embedding !== undefined;
const isAllowed = async (setup: Setup) => {
  const { home } = setup.open();
  const { embedding } = await home.embeddings.embedQuery({ text: ASKED });
  return embedding !== undefined && 'problem' in embedding && !embedding.problem.includes('without encryption');
};

const tags = (setup: Setup) => {
  const recorder = setup.open().project.recorder();
  const ran = {
    sessionId: 'new',
    tool: 'Bash',
    input: { command: 'npm test' },
    timestamp: new Date(NOW).toISOString(),
  };
  recorder.record(ran, { status: 'ok', exitCode: 0, output: '' });
  return setup
    .open()
    .project.session('new')
    .records.flatMap((record) => ('outcome' in record ? (record.tags ?? []) : []));
};
const newProjectFolder = (setup: Setup) => {
  const folder = join(setup.cwd, '..', 'new');
  mkdirSync(folder);
  return setup.open().home.openProject(folder).directory.startsWith(folder);
};

const costOfReply = (setup: Setup) => {
  const { home, project } = setup.open();
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  project.history.append({ sessionId: 'paid', role: 'assistant', content: 'Done.', model: 'large', usage });
  return home.sessionUsage(project, 'paid').cost ?? 'unknown';
};

type Door = readonly [
  key: (typeof SETTINGS)[number]['key'],
  value: string,
  door: string,
  /** What is seen through the door. */
  see: (setup: Setup) => unknown,
  /** What is seen by default, and with the value. */
  byDefault: unknown,
  withValue: unknown,
  /** Further settings, in both cases. */
  also?: Settings,
];

const SILENCE = '';
const TEXT = expect.stringMatching(/./);
const TURNED_OFF = expect.stringContaining('turned off');
const NOT_SET = expect.stringMatching(/set/);
const COMPATIBLE = { 'model.provider': 'openai-compatible', 'model.name': 'large' };
const items = (length: number) => expect.objectContaining({ length });

const SERVER = { 'embeddings.url': '{url}' };
const UNENCRYPTED = { 'embeddings.url': 'http://localhost.invalid:1/v1', 'embeddings.model': 'm' };

const DOORS: readonly Door[] = [
  ['retrieval.enabled', 'off', 'start hook', onStart, TEXT, SILENCE],
  ['retrieval.enabled', 'off', 'prompt hook', onPrompt, TEXT, SILENCE],
  ['retrieval.enabled', 'off', 'call hook', onCall, TEXT, SILENCE],
  ['retrieval.enabled', 'off', 'chat, briefing', isBriefed, true, false],
  ['retrieval.enabled', 'off', 'chat, recall', isReminded, true, false],
  ['retrieval.enabled', 'off', 'chat in the browser, recall', isRemindedInBrowser, true, false],
  ['retrieval.enabled', 'off', 'MCP briefing', briefing, expect.stringContaining('bullmq'), TURNED_OFF],
  ['retrieval.enabled', 'off', 'MCP knowledge', knowledge, expect.stringContaining('panorama'), TURNED_OFF],
  ['retrieval.autoInject', 'off', 'start hook', onStart, TEXT, SILENCE],
  ['retrieval.autoInject', 'off', 'prompt hook', onPrompt, TEXT, SILENCE],
  ['retrieval.autoInject', 'off', 'chat, briefing', isBriefed, true, false],
  ['retrieval.autoInject', 'off', 'chat, recall', isReminded, true, false],
  ['retrieval.autoInject', 'off', 'chat in the browser, recall', isRemindedInBrowser, true, false],
  // test/ask/guard/same-answer.test.ts asks all doors of the guard under each of its settings.
  ['retrieval.warnOnDuplicateFailure', 'off', 'call hook', onCall, TEXT, SILENCE],
  ['retrieval.warnOnDuplicateFailure', 'off', 'yore check', isWarned, true, false],
  ['retrieval.failureLookbackDays', '1', 'call hook', onCall, TEXT, SILENCE],
  ['retrieval.minConfidence', '1', 'call hook', onCall, TEXT, SILENCE],
  ['retrieval.minConfidence', '1', 'prompt hook', onPrompt, TEXT, SILENCE],
  ['retrieval.minConfidence', '1', 'chat, recall', isReminded, true, false],
  ['retrieval.maxContextSize', '0', 'start hook', onStart, TEXT, expect.not.stringContaining('bullmq')],
  ['retrieval.maxContextSize', '0', 'chat, briefing', isBriefed, true, false],
  ['retrieval.maxContextSize', '0', 'MCP briefing', briefing, TEXT, expect.not.stringContaining('bullmq')],
  [
    'retrieval.onDuplicate',
    'ask',
    'call hook',
    onCall,
    expect.stringMatching('"deny"'),
    expect.stringMatching('"ask"'),
  ],
  ['retrieval.crossProject', 'on', 'prompt hook', onPromptElsewhere, SILENCE, expect.stringContaining('project shop')],
  ['recording.enabled', 'off', 'prompt hook', promptsAfterHook, 7, 6],
  ['recording.enabled', 'off', 'chat', messagesAfterChat, 2, 0],
  ['recording.enabled', 'off', 'chat in the browser', promptsAfterWebChat, 7, 6],
  ['recording.enabled', 'off', 'MCP remember', isNoteRefused, { isError: false }, { isError: true }],
  ['recording.excludedProjects', '{cwd}/', 'prompt hook', promptsAfterHook, 7, 6],
  ['recording.excludedProjects', '{cwd}', 'chat', messagesAfterChat, 2, 0],
  ['recording.excludedProjects', '{cwd}', 'chat in the browser', promptsAfterWebChat, 7, 6],
  ['recording.excludedProjects', '{cwd}', 'MCP remember', isNoteRefused, { isError: false }, { isError: true }],
  ['compaction.enabled', 'off', 'chat', compactionStatus, { enabled: true }, { enabled: false }],
  ['compaction.triggerTokens', '1000', 'chat', compactionStatus, { triggerTokens: 24_000 }, { triggerTokens: 1000 }],
  ['compaction.verbatimWindowTokens', '2000', 'chat', compact, items(6), items(10)],
  [
    'compaction.minVerbatimExchanges',
    '5',
    'chat',
    compact,
    items(6),
    items(12),
    { 'compaction.verbatimWindowTokens': '0' },
  ],
  [
    'compaction.summaryBudgetTokens',
    '50',
    'chat',
    summary,
    expect.stringMatching(/Question 3/),
    expect.not.stringMatching(/Question 3/),
  ],
  ['context.maxTurns', '4', 'chat', sentMessages, items(6), items(4), { 'compaction.enabled': 'off' }],
  ['prompts.size', '3', 'yore prompts', list([], {}), items(6), items(3)],
  ['prompts.size', '3', 'yore prompts QUERY --limit', list(['prompt'], { limit: '50' }), items(6), items(3)],
  ['prompts.size', '3', 'yore prompts --project', list([], { project: '.' }), items(6), items(3)],
  ['prompts.size', '3', 'RPC recall', recall(), items(6), items(3)],
  ['prompts.size', '3', 'RPC recall with a limit', recall(200), items(6), items(3)],
  ['prompts.size', '3', 'RPC suggest', suggest, items(6), items(3)],
  ['model.provider', 'google', 'chat', responder, NOT_SET, 'google/large', { 'model.name': 'large' }],
  ['model.name', 'large', 'chat', responder, NOT_SET, 'google/large', { 'model.provider': 'google' }],
  ['model.baseUrl', 'http://127.0.0.1:9/v1', 'chat', responder, NOT_SET, 'openai-compatible/large', COMPATIBLE],
  ['model.smallName', 'small', 'chat', modelsAsked, ['large'], ['large', 'small']],
  ['embeddings.url', 'http://127.0.0.1:1/v1', 'search', isSet, false, true, { 'embeddings.model': 'm' }],
  ['embeddings.model', 'm', 'search', embedded(SERVER), [], [`m: ${REQUEST}`, `m: ${ASKED}`]],
  [
    'embeddings.questionPrefix',
    'Q: ',
    'search',
    embedded({ ...SERVER, 'embeddings.model': 'm' }),
    [TEXT, `m: ${ASKED}`],
    [TEXT, `m: Q: ${ASKED}`],
  ],
  [
    'embeddings.textPrefix',
    'T: ',
    'search',
    embedded({ ...SERVER, 'embeddings.model': 'm' }),
    [`m: ${REQUEST}`, TEXT],
    [`m: T: ${REQUEST}`, TEXT],
  ],
  ['embeddings.allowHttp', 'on', 'search', isAllowed, false, true, UNENCRYPTED],
  ['chat.systemPrompt', 'You are a parrot.', 'chat', sentPrompt, TEXT, expect.stringContaining('You are a parrot.')],
  [
    'tags.extra',
    '{"quality": ["npm"]}',
    'recorder',
    tags,
    expect.not.arrayContaining(['quality']),
    expect.arrayContaining(['quality']),
  ],
  ['usage.prices', '{"large": {"input": 7, "output": 9}}', 'usage', costOfReply, 'unknown', 7],
  ['storage', 'repo', 'new project', newProjectFolder, false, true],
];

describe('every setting is obeyed', () => {
  for (const [key, value, door, see, byDefault, withValue, also = {}] of DOORS) {
    it(`${key} ${value}: ${door}`, async () => {
      expect(await see(new Setup(also)), 'by default').toEqual(partly(byDefault));
      expect(await see(new Setup({ ...also, [key]: value })), `with ${key} ${value}`).toEqual(partly(withValue));
    });
  }

  it('has a door for each', () => {
    // A cache target changes which tier an item has earned, not what a chat sends: test/context/cache/stability-tracker.test.ts.
    // What a team is sent needs a server: test/team/two-machines.test.ts and test/team/shared-records.test.ts.
    const elsewhere = ['context.cacheTargetTokens', 'team.share', 'team.project'];
    const keys = new Set<string>([...elsewhere, ...DOORS.map(([key]) => key)]);
    expect(SETTINGS.map(({ key }) => key).filter((key) => !keys.has(key))).toEqual([]);
  });
});

/** Plain objects are compared by the fields that they have. */
function partly(expected: unknown): unknown {
  return Object.getPrototypeOf(expected) === Object.prototype ? expect.objectContaining(expected as object) : expected;
}
