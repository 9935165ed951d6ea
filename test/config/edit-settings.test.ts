import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadConfig, SETTINGS, setSetting, unsetSetting } from '../../src/config/index.ts';
import { asPlainUser } from '../as-plain-user.ts';
import { temporaryFolder } from '../temp-folder.ts';

function configFile(text?: string): string {
  const file = join(temporaryFolder(), 'config.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

test('setSetting writes a value with its type into a file that only its owner can read', () => {
  const file = join(temporaryFolder(), 'home', 'config.json');
  expect(setSetting(file, 'prompts.size', '50')).toBe(50);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ prompts: { size: 50 } });
  if (process.platform === 'win32') return;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
});

test('setSetting keeps other keys and their order, even unknown ones', () => {
  const file = configFile('{"zebra": 1, "retrieval": {"minConfidence": 0.5, "enabled": true}, "storage": "home"}');
  setSetting(file, 'retrieval.minConfidence', '0.9');
  setSetting(file, 'prompts.size', '5');
  expect(readFileSync(file, 'utf8')).toBe(
    `${JSON.stringify(
      {
        zebra: 1,
        retrieval: { minConfidence: 0.9, enabled: true },
        storage: 'home',
        prompts: { size: 5 },
      },
      null,
      2,
    )}\n`,
  );
});

test.each([
  ['recording.enabled', 'off', false],
  ['recording.enabled', 'Yes', true],
  ['retrieval.minConfidence', ' .5 ', 0.5],
  ['recording.excludedProjects', 'one, two', ['one', 'two']],
  ['recording.excludedProjects', '["with, comma"]', ['with, comma']],
  ['recording.excludedProjects', '', []],
  ['tags.extra', '{"kafka": ["messaging"]}', { kafka: ['messaging'] }],
  ['model.baseUrl', 'http://localhost:11434/v1', 'http://localhost:11434/v1'],
  ['storage', 'repo', 'repo'],
])('%s accepts %j', (key, text, value) => {
  const file = configFile();
  setSetting(file, key, text);
  const config = loadConfig({ homeFile: file });
  expect(config.entries().find(({ setting }) => setting.key === key)?.value).toEqual(value);
});

test.each([
  ['recording.enabled', 'maybe', 'true or false'],
  ['prompts.size', '5e2', 'a whole number'],
  ['prompts.size', '0x10', 'a whole number'],
  ['prompts.size', '', 'a whole number'],
  ['retrieval.minConfidence', '1.01', 'a number from 0 to 1'],
  ['tags.extra', '{"kafka": "messaging"}', 'lists of texts'],
  ['model.name', '  ', 'non-empty'],
  ['model.baseUrl', 'ftp://host', 'http or https'],
  ['storage', 'postgres://db/yore', 'one of "home", "repo"'],
  ['prompt.size', '5', 'Did you mean "prompts.size"?'],
  ['model.apiKey', 'made-up', 'ANTHROPIC_API_KEY'],
])('%s rejects %j and leaves the file alone', (key, text, message) => {
  const file = configFile('{ "prompts": {"size": 3} }');
  expect(() => setSetting(file, key, text)).toThrow(message);
  expect(readFileSync(file, 'utf8')).toBe('{ "prompts": {"size": 3} }');
});

test('setSetting rejects a home-only setting for a project', () => {
  expect(() => setSetting(configFile(), 'storage', 'repo', 'project')).toThrow('cannot be set for a single project');
});

test('a file that is not JSON is reported and not overwritten', () => {
  const file = configFile('{"prompts": ');
  expect(() => setSetting(file, 'prompts.size', '5')).toThrow(`${file}:1:13 is not valid JSON`);
  expect(() => unsetSetting(file, 'prompts.size')).toThrow('not valid JSON');
  expect(readFileSync(file, 'utf8')).toBe('{"prompts": ');
});

test('a section that is not an object is not overwritten', () => {
  const file = configFile('{"prompts": 5}');
  expect(() => setSetting(file, 'prompts.size', '5')).toThrow('must be an object');
});

test('unsetSetting restores the default and removes an empty section', () => {
  const file = configFile(
    '{"prompts": {"size": 3}, "storage": "repo", "retrieval": {"enabled": false, "crossProject": true}}',
  );
  expect(unsetSetting(file, 'prompts.size')).toBe(true);
  expect(unsetSetting(file, 'storage')).toBe(true);
  expect(unsetSetting(file, 'retrieval.enabled')).toBe(true);
  expect(unsetSetting(file, 'retrieval.enabled')).toBe(false);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ retrieval: { crossProject: true } });
});

test('unsetSetting removes an unknown key, which must be in the file', () => {
  const file = configFile('{"nonsense": 1, "model": {"apiKey": "made-up"}, "prompts.size": 5}');
  expect(unsetSetting(file, 'nonsense')).toBe(true);
  expect(unsetSetting(file, 'model.apiKey')).toBe(true);
  expect(unsetSetting(file, 'prompts.size')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('{}\n');
  expect(() => unsetSetting(file, 'nonsense')).toThrow('There is no');
});

test('unsetSetting does not create a missing file', () => {
  const file = configFile();
  expect(unsetSetting(file, 'prompts.size')).toBe(false);
  expect(existsSync(file)).toBe(false);
});

test.skipIf(process.platform === 'win32')('a symbolic link stays a link', () => {
  const folder = temporaryFolder();
  const real = join(folder, 'dotfiles.json');
  writeFileSync(real, '{}');
  const file = join(folder, 'config.json');
  symlinkSync(real, file);
  setSetting(file, 'prompts.size', '5');
  expect(readlinkSync(file)).toBe(real);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ prompts: { size: 5 } });
});

test('a folder in place of the file is a clear error and leaves nothing behind', () => {
  const file = configFile();
  mkdirSync(file);
  expect(() => setSetting(file, 'prompts.size', '5')).toThrow('it is a folder');
  expect(readdirSync(join(file, '..'))).toEqual(['config.json']);
});

test.skipIf(process.platform === 'win32')('a read-only folder is a clear error', () => {
  const file = configFile('{}');
  chmodSync(join(file, '..'), 0o555);
  asPlainUser(() => expect(() => setSetting(file, 'prompts.size', '5')).toThrow(/permission denied.*writable/));
  chmodSync(join(file, '..'), 0o700);
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test('any sequence of sets and unsets leaves exactly the values that were set last', () => {
  const numeric = SETTINGS.filter((setting) => setting.type === 'integer');
  const step = fc.constantFrom(...numeric).chain((setting) =>
    fc.record({
      setting: fc.constant(setting),
      value: fc.option(fc.integer({ min: setting.min, max: setting.max }), { nil: undefined }),
    }),
  );
  const file = configFile();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      writeFileSync(file, '{}');
      const expected = new Map<string, number>();
      for (const { setting, value } of steps) {
        if (value === undefined) {
          unsetSetting(file, setting.key);
          expected.delete(setting.key);
        } else {
          setSetting(file, setting.key, String(value));
          expected.set(setting.key, value);
        }
      }
      const set = loadConfig({ homeFile: file })
        .entries()
        .filter(({ origin }) => origin === file)
        .map(({ setting, value }) => [setting.key, value]);
      expect(new Map(set as [string, number][])).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
