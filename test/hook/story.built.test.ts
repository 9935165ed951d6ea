import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHookActivity } from '../../src/hook/hook-log.ts';
import { openHome } from '../../src/project/index.ts';
import type { Attempt } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { installShim } from './hook-process.ts';
import { type AgentPlace, SCRIPTED_AGENTS } from './scripted-agents.ts';

const MISSING = {
  exitCode: 1,
  output: 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node - Not found',
};
const REQUEST = 'Add a redis cache to the catalogue';

function createPlace(): AgentPlace {
  const userHome = temporaryFolder();
  const place = { userHome, home: join(userHome, '.yore'), cwd: join(userHome, 'shop') };
  mkdirSync(place.cwd);
  installShim(place.home);
  return place;
}

describe.each(Object.entries(SCRIPTED_AGENTS))('%s', (name, begin) => {
  it('is warned once on day two of what failed on day one, and everything is recorded and found', () => {
    const place = createPlace();
    const one = begin(place, 'd1a0b2c4-0000-4000-8000-00000000000a');
    expect(one.start()).toBe('');
    one.prompt(REQUEST);
    expect(one.call('npm install redis-node', MISSING)).toBeUndefined();
    expect(one.call('npm install ioredis', { exitCode: 0, output: 'added 9 packages' })).toBeUndefined();
    one.stop('The catalogue is cached with ioredis now, ask the zebra.');
    one.end();

    const two = begin(place, 'd2a0b2c4-0000-4000-8000-00000000000b');
    const briefing = two.start();
    expect(briefing).toContain('from 1 previous session');
    expect(briefing).toContain('ioredis');
    const recalled = two.prompt('Add a redis cache to the checkout as well');
    if (name !== 'copilot') expect(recalled).toContain('redis');
    const denied = two.call('npm install redis-node', MISSING);
    expect(denied).toMatch(/^yore: This failed on /);
    expect(denied).toContain('What worked instead: `npm install ioredis`');
    expect(two.call('npm install redis-node', MISSING)).toBeUndefined();
    expect(two.call('npm install redis-node', MISSING)).toBeUndefined();
    two.stop('It is not there, I take ioredis again, says the okapi.');
    two.end();

    const home = openHome({ home: place.home });
    const project = home.openProject(place.cwd);
    const attempts = (id: string): readonly string[] =>
      project
        .session(id)
        .records.filter((entry): entry is Attempt => 'outcome' in entry)
        .map(({ command, outcome }) => `${command}: ${outcome}`);
    expect(attempts('d1a0b2c4-0000-4000-8000-00000000000a')).toEqual([
      'npm install redis-node: failure',
      'npm install ioredis: success',
    ]);
    const second = attempts('d2a0b2c4-0000-4000-8000-00000000000b');
    expect(second.filter((attempt) => attempt.endsWith(': failure'))).toHaveLength(2);
    expect(second.filter((attempt) => attempt.endsWith(': denied')).length).toBeLessThanOrEqual(1);
    expect(second.length).toBeLessThanOrEqual(3);
    const said = project
      .session('d1a0b2c4-0000-4000-8000-00000000000a')
      .records.flatMap((entry) => ('role' in entry ? [`${entry.role}: ${entry.content}`] : []));
    expect(said).toEqual([`user: ${REQUEST}`, 'assistant: The catalogue is cached with ioredis now, ask the zebra.']);
    const [warning] = project.memory.warnings();
    expect(warning?.override).toMatchObject({ succeeded: false });
    expect(project.memory.warnings()).toHaveLength(1);
    for (const word of ['zebra', 'okapi', 'redis-node', 'catalogue']) {
      expect(home.search({ text: word }).hits.length).toBeGreaterThan(0);
    }
    expect(home.prompts.list().map(({ text }) => text)).toContain(REQUEST);
    home.close();
    const [activity] = readHookActivity(place.home);
    expect(activity).toMatchObject({ agent: name, lastEvent: 'end' });
    expect(activity?.durations.beforeCall).toHaveLength(5);
  });
});
