import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_UNITS } from '../../src/install/agent-units.ts';
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

describe('docs/agents.md', () => {
  it.each(AGENT_UNITS.map((unit) => [unit.title, unit] as const))(
    'tells of %s and its files',
    (title, unit) => {
      expect(docs).toContain(title);
      const machine = createMachine();
      const { userHome } = machine;
      for (const { path } of unit.targets(machine, { kind: 'user' })) {
        expect(isDocumented(path.replace(userHome, '~'), basename(path)), path).toBe(true);
      }
      for (const { path } of unit.targets(machine, { kind: 'project', root: userHome })) {
        expect(isDocumented(path.slice(userHome.length + 1), ''), path).toBe(true);
      }
    },
  );
});
