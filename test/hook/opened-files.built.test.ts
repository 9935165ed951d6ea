import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { agentEnvironment, HOOK } from './hook-process.ts';

/** Notes every file and folder that is opened, and how databases are, before the hook is loaded. */
const TRACE = `
const fs = require('node:fs');
const Module = require('node:module');
const { appendFileSync } = fs;
let isNoting = false;
const note = (how, path) => {
  if (isNoting || typeof path !== 'string') return;
  isNoting = true;
  appendFileSync(process.env.TRACE_FILE, how + ' ' + path + '\\n');
  isNoting = false;
};
for (const name of ['openSync', 'readFileSync', 'readdirSync', 'opendirSync', 'writeFileSync', 'appendFileSync', 'copyFileSync']) {
  const real = fs[name];
  fs[name] = (path, ...rest) => { note('open', path); return real(path, ...rest); };
}
const traced = (module) => ({ ...module, DatabaseSync: class extends module.DatabaseSync {
  constructor(path, options) { note(options && options.readOnly ? 'read' : 'write', path); super(path, options); }
} });
const load = Module._load;
Module._load = function (request, ...rest) {
  const module = load.call(this, request, ...rest);
  return /sqlite$/.test(request) ? traced(module) : module;
};
const { dlopen } = process;
process.dlopen = (module, path, ...rest) => {
  dlopen(module, path, ...rest);
  if (/sqlite/.test(path)) module.exports = traced(module.exports);
};
const getBuiltinModule = process.getBuiltinModule;
process.getBuiltinModule = (name) => {
  const module = getBuiltinModule(name);
  return module && name === 'node:sqlite' ? traced(module) : module;
};
`;

const CALL = { tool_name: 'Bash', tool_input: { command: 'npm install redis-node' } };
const FAILED = { ...CALL, error: 'Exit code 1\nnpm error code E404\nnpm error 404 Not Found' };

/** What a hook may open: settings, the registry, logs, the spool and the store; besides, what it writes for itself. */
const ALLOWED = [
  /^(?:projects\/\w+\/)?config\.json$/,
  /^registry\.json$/,
  /^projects\/\w+\/index\.json$/,
  /^projects\/\w+(?:\/team)?(?:\/archive)?$/,
  /^projects\/\w+\/(?:team\/)?(?:failures|successes|warnings|history)\.jsonl$/,
  /^projects\/\w+\/spool\.\w+$/,
  /^store-\d+\.db$/,
  /^projects\/\w+\/claims\/\w+$/,
  /^hooks\/claude-code\.log$/,
];

class Place {
  readonly #folder = temporaryFolder();
  readonly #home = join(this.#folder, '.yore');
  readonly #cwd = join(this.#folder, 'shop');
  readonly #script = join(this.#folder, 'trace.cjs');
  readonly #trace = join(this.#folder, 'trace');

  constructor() {
    mkdirSync(this.#cwd);
    writeFileSync(this.#script, TRACE);
    this.fire('PostToolUseFailure', { ...FAILED, tool_use_id: 'a' });
    this.fire('Stop', {});
  }

  /** What a hook replies, and what it opened of the home, after how. */
  fire(event: string, fields: object): { readonly reply: string; readonly opened: readonly string[] } {
    rmSync(this.#trace, { force: true });
    writeFileSync(this.#trace, '');
    const payload = { session_id: 'one', transcript_path: '', cwd: this.#cwd, hook_event_name: event, ...fields };
    const { stdout } = spawnSync(process.execPath, ['--require', this.#script, HOOK, 'claude-code'], {
      input: JSON.stringify(payload),
      encoding: 'utf8',
      env: { ...agentEnvironment(this.#folder), YORE_HOME: this.#home, TRACE_FILE: this.#trace },
    });
    const lines = readFileSync(this.#trace, 'utf8').split('\n').slice(0, -1);
    const opened = lines.flatMap((line) => {
      const [how = '', path = ''] = line.split(/ (.*)/s);
      return path.startsWith(this.#folder) ? [`${how} ${relative(this.#home, path)}`] : [];
    });
    return { reply: stdout, opened: [...new Set(opened)] };
  }
}

it.each([
  ['that failed before', CALL, 'deny'],
  ['that is new', { tool_name: 'Bash', tool_input: { command: 'npm run build' } }, ''],
  ['of a file tool', { tool_name: 'Read', tool_input: { file_path: 'src/missing.ts' } }, ''],
])('a hook before a call %s opens nothing but settings, registry, logs, spool and store', (_, call, reply) => {
  const place = new Place();
  const before = place.fire('PreToolUse', { ...call, tool_use_id: 'b', session_id: 'two' });
  expect(before.reply).toContain(reply);
  expect(before.opened.filter((each) => each.startsWith('read '))).toEqual([expect.stringMatching(/store-\d+\.db$/)]);
  const others = before.opened.filter((each) => !ALLOWED.some((name) => name.test(each.replace(/^\w+ /, ''))));
  expect(others).toEqual([]);
});

it('no hook that an agent waits for in the midst of its work writes the store', () => {
  const place = new Place();
  const events: readonly (readonly [string, object])[] = [
    ['SessionStart', { source: 'startup' }],
    ['UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' }],
    ['PreToolUse', { ...CALL, tool_use_id: 'c' }],
    ['PostToolUse', { ...CALL, tool_response: { stdout: 'ok' }, tool_use_id: 'c' }],
    ['PostToolUseFailure', { ...FAILED, tool_use_id: 'd' }],
  ];
  for (const [event, fields] of events) {
    const { opened } = place.fire(event, { ...fields, session_id: 'three' });
    expect({ event, opened: opened.filter((each) => each.startsWith('write ')) }).toEqual({ event, opened: [] });
  }
  expect(place.fire('Stop', { session_id: 'three' }).opened.join()).toMatch(/write store-\d+\.db/);
});
