import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Config, loadConfig, SETTINGS, type Setting } from '../../src/config/index.ts';
import { YoreError } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

function writeConfig(text: string, name = 'config.json'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

function catchError(work: () => unknown): YoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof YoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function loadError(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  const error = catchError(() => loadConfig({ homeFile: writeConfig(text) }));
  expect(error.code).toBe('CONFIG');
  return error.message;
}

describe('loadConfig', () => {
  test('uses the default of every setting without files', () => {
    const config = loadConfig({ homeFile: join(temporaryFolder(), 'none.json') });
    const defaults = Object.fromEntries(config.entries().map(({ setting, value }) => [setting.key, value]));
    expect(defaults).toMatchObject({
      'retrieval.enabled': true,
      'retrieval.autoInject': true,
      'retrieval.warnOnDuplicateFailure': true,
      'retrieval.failureLookbackDays': 7,
      'retrieval.minConfidence': 0.75,
      'retrieval.maxContextSize': 2000,
      'retrieval.onDuplicate': 'denyOnce',
      'retrieval.crossProject': false,
      'compaction.enabled': true,
      'compaction.triggerTokens': 24_000,
      'compaction.verbatimWindowTokens': 4000,
      'compaction.summaryBudgetTokens': 500,
      'compaction.minVerbatimExchanges': 2,
      'context.maxTurns': 40,
      'prompts.size': 100,
      storage: 'home',
    });
    expect(config.get('context.cacheTargetTokens')).toBeUndefined();
    expect(config.entries().every(({ origin }) => origin === 'default')).toBe(true);
    expect(config.entries().map(({ setting }) => setting.key)).toEqual(SETTINGS.map(({ key }) => key));
  });

  test("lets the project's file override the home's, and flags override both, per setting", () => {
    const homeFile = writeConfig('{"prompts": {"size": 10}, "retrieval": {"minConfidence": 0.5, "enabled": false}}');
    const projectFile = writeConfig('{"retrieval": {"minConfidence": 0.6}, "prompts": {"size": 20}}');
    const config = loadConfig({ homeFile, projectFile, flags: { 'prompts.size': '30' } });
    expect(config.get('prompts.size')).toBe(30);
    expect(config.origin('prompts.size')).toBe('flag');
    expect(config.get('retrieval.minConfidence')).toBe(0.6);
    expect(config.origin('retrieval.minConfidence')).toBe(projectFile);
    expect(config.get('retrieval.enabled')).toBe(false);
    expect(config.origin('retrieval.enabled')).toBe(homeFile);
  });

  test('derives the type of each value from its declaration', () => {
    const get = (config: Config) => ({
      confidence: config.get('retrieval.minConfidence'),
      duplicate: config.get('retrieval.onDuplicate'),
      excluded: config.get('recording.excludedProjects'),
      model: config.get('model.name'),
      enabled: config.get('recording.enabled'),
      tags: config.get('tags.extra'),
    });
    expectTypeOf<ReturnType<typeof get>>().toEqualTypeOf<{
      confidence: number;
      duplicate: 'denyOnce' | 'ask' | 'note';
      excluded: readonly string[];
      model: string | undefined;
      enabled: boolean;
      tags: Readonly<Record<string, readonly string[]>>;
    }>();
    const values = get(loadConfig({ homeFile: join(temporaryFolder(), 'none.json') }));
    expect(values).toEqual({
      confidence: 0.75,
      duplicate: 'denyOnce',
      excluded: [],
      model: undefined,
      enabled: true,
      tags: {},
    });
  });

  test('accepts a blank file and a byte order mark', () => {
    expect(loadConfig({ homeFile: writeConfig(' \n') }).get('prompts.size')).toBe(100);
    expect(loadConfig({ homeFile: writeConfig('\uFEFF{"prompts": {"size": 7}}') }).get('prompts.size')).toBe(7);
  });

  test('ignores undefined flags', () => {
    const homeFile = join(temporaryFolder(), 'none.json');
    expect(loadConfig({ homeFile, flags: { 'prompts.size': undefined } }).origin('prompts.size')).toBe('default');
  });
});

describe('loadConfig rejects', () => {
  test('an unknown key, with its file and line, a suggestion and the known settings', () => {
    const homeFile = writeConfig('{\n  "retrieval": {\n    "minConfidense": 0.5\n  }\n}');
    const { message } = catchError(() => loadConfig({ homeFile }));
    expect(message).toContain(`"retrieval.minConfidense" in ${homeFile}:3`);
    expect(message).toContain('Did you mean "retrieval.minConfidence"?');
    expect(message).toContain('enabled, autoInject');
  });

  test('a misspelt section and a setting without its section, with a suggestion', () => {
    expect(loadError({ retreival: { enabled: true } })).toContain('Did you mean "retrieval"?');
    expect(loadError({ minConfidence: 0.5 })).toContain('Did you mean "retrieval.minConfidence"?');
    expect(loadError({ completelyOther: 1 })).toContain('Known settings: "retrieval.…"');
  });

  test('a dotted key at the top level', () => {
    expect(loadError({ 'prompts.size': 5 })).toContain('{"prompts": {"size": …}}');
  });

  test('a wrong type, with its line and the allowed values', () => {
    expect(loadError({ retrieval: { minConfidence: 'high' } })).toMatch(
      /"retrieval\.minConfidence" in .*:3 is "high", but must be a number from 0 to 1/,
    );
    expect(loadError({ retrieval: { onDuplicate: 'deny' } })).toContain('one of "denyOnce", "ask", "note"');
    expect(loadError({ prompts: { size: 2.5 } })).toContain('a whole number from 1 to 500');
    expect(loadError({ recording: { excludedProjects: 'all' } })).toContain('a list of texts');
    expect(loadError({ recording: { enabled: null } })).toContain('is null, but must be true or false');
    expect(loadError({ retrieval: true })).toContain('"retrieval"');
    expect(loadError([1])).toContain('must contain a JSON object');
  });

  test('several problems at once', () => {
    const message = loadError({ prompts: { size: 0 }, storage: 'cloud', nonsense: 1 });
    expect(message.split('\n')).toHaveLength(3);
  });

  test('invalid JSON, with line and column', () => {
    const homeFile = writeConfig('{\n  "prompts": {\n    "size": 5,\n  }\n}');
    const { message, code } = catchError(() => loadConfig({ homeFile }));
    expect(code).toBe('CONFIG');
    expect(message).toContain(`${homeFile}:4:3 is not valid JSON: expected a key in double quotes`);
  });

  test('a storage URL, without repeating its password', () => {
    const message = loadError({ storage: 'postgres://me:hunter22@db/yore' });
    expect(message).toContain('one of "home", "repo"');
    expect(message).toContain('PostgreSQL is not supported by this version');
    expect(message).not.toContain('hunter22');
  });

  test.each(['apiKey', 'api_key', 'secret', 'authToken', 'password', 'key', 'token'])(
    'a key named "%s", with the advice to use the environment',
    (name) => {
      const message = loadError({ model: { [name]: 'made-up-value' } });
      expect(message).toContain('ANTHROPIC_API_KEY');
      expect(message).not.toContain('made-up-value');
    },
  );

  test('a model URL with a password', () => {
    expect(loadError({ model: { baseUrl: 'https://me:pw@host/v1' } })).toContain('without user name and password');
  });

  test("settings that decide where data goes in a project's file", () => {
    const homeFile = join(temporaryFolder(), 'none.json');
    for (const setting of SETTINGS as readonly Setting[]) {
      if (!setting.homeOnly) continue;
      const [section, name] = setting.key.split('.');
      const content = name ? { [`${section}`]: { [name]: 1 } } : { [`${section}`]: 1 };
      const projectFile = writeConfig(JSON.stringify(content));
      const { message } = catchError(() => loadConfig({ homeFile, projectFile }));
      expect(message).toContain('cannot be set for a single project');
    }
  });

  test('a folder in place of the file', () => {
    const homeFile = join(temporaryFolder(), 'config.json');
    mkdirSync(homeFile);
    const error = catchError(() => loadConfig({ homeFile }));
    expect(error.code).toBe('STORAGE');
    expect(error.message).toContain('it is a folder');
  });

  test('an invalid flag', () => {
    const homeFile = join(temporaryFolder(), 'none.json');
    const load = (flags: Record<string, unknown>) => catchError(() => loadConfig({ homeFile, flags })).message;
    expect(load({ 'prompts.size': 'many' })).toContain('in the command line is "many"');
    expect(load({ 'prompt.size': '5' })).toContain('Did you mean "prompts.size"?');
  });
});

describe('lenient mode', () => {
  test('turns problems into warnings and uses the rest of the file', () => {
    const homeFile = writeConfig('{"prompts": {"size": "x"}, "nonsense": 1, "retrieval": {"minConfidence": 0.9}}');
    const config = loadConfig({ homeFile, mode: 'lenient' });
    expect(config.get('prompts.size')).toBe(100);
    expect(config.get('retrieval.minConfidence')).toBe(0.9);
    expect(config.warnings).toHaveLength(2);
    expect(config.warnings[0]).toContain('prompts.size');
  });

  test("falls back to the home's value when the project's is invalid", () => {
    const config = loadConfig({
      homeFile: writeConfig('{"prompts": {"size": 50}}'),
      projectFile: writeConfig('{"prompts": {"size": -1}}'),
      mode: 'lenient',
    });
    expect(config.get('prompts.size')).toBe(50);
  });

  test('warns about a value that cannot be converted to text', () => {
    const config = loadConfig({ homeFile: writeConfig('{"storage": [{"toString": 0}]}'), mode: 'lenient' });
    expect(config.warnings[0]).toContain('"storage"');
  });

  test('never throws, whatever is in the file, and has only allowed values', () => {
    const file = writeConfig('');
    const anyText = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .dictionary(
          fc.constantFrom('retrieval', 'prompts', 'storage', '__proto__', 'model', 'x'),
          fc.oneof(
            fc.jsonValue(),
            fc.dictionary(fc.constantFrom('size', 'enabled', 'apiKey', 'constructor'), fc.jsonValue()),
          ),
        )
        .map((content) => JSON.stringify(content)),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        writeFileSync(file, text);
        const config = loadConfig({ homeFile: file, mode: 'lenient' });
        expect(config.get('prompts.size')).toBeTypeOf('number');
        expect(config.get('retrieval.enabled')).toBeTypeOf('boolean');
        expect(['home', 'repo']).toContain(config.get('storage'));
      }),
    );
  });
});
