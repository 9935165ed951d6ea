import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../src/agents/registry.ts';
import { loadInstallableAgents } from '../../src/install/find-agents.ts';
import { createMachine } from './machine.ts';

const docs = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

/** A file is documented by its path, by a folder that it is in, or by its name where an editor decides on the folder. */
function isDocumented(path: string, name: string): boolean {
  if (docs.includes(`\`${path}\``) || docs.includes(`\`${name}\``)) return true;
  for (let folder = dirname(path); folder !== '.' && folder !== '~'; folder = dirname(folder)) {
    if (docs.includes(`\`${folder}/\``)) return true;
  }
  return false;
}

describe('docs/agents.md', async () => {
  it.each(Object.values(AGENTS).map(({ title }) => title))('lists %s', (title) => {
    expect(docs).toContain(title);
  });

  const agents = await loadInstallableAgents();
  it.each(agents.map((agent) => [agent.title, agent] as const))('lists the settings files of %s', (_, agent) => {
    const machine = createMachine();
    const { userHome } = machine;
    for (const { path } of agent.targets(machine, { kind: 'user' })) {
      expect(isDocumented(path.replace(userHome, '~'), basename(path)), path).toBe(true);
    }
    for (const { path } of agent.targets(machine, { kind: 'project', root: userHome })) {
      expect(isDocumented(path.slice(userHome.length + 1), ''), path).toBe(true);
    }
  });
});
