import { COMMAND_FACTS } from '../command-table.ts';
import { type Detector, knownDependencies } from '../detector.ts';
import { objectAt, readJson } from '../formats/json.ts';
import { findScript, scriptCommand } from '../script-command.ts';
import { NODE_DEPENDENCIES } from './node-dependencies.ts';

/** Deno. A package.json beside deno.json is common; then sources count for both and Deno, listed first, wins. */
export const DENO: Detector = {
  id: 'deno',
  extensions: ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs'],
  *detect(place) {
    const file = place.first(['deno.json', 'deno.jsonc']);
    const manifest = file === undefined ? undefined : readJson(place.read(file));
    if (file === undefined || !manifest) return;
    yield { fact: 'language', value: 'TypeScript', file };
    yield { fact: 'tool', value: 'Deno', file };
    const imports = Object.entries(objectAt(manifest, 'imports'));
    const fresh = imports.some(([name, target]) => /(^|[@/])fresh\b/.test(`${name} ${String(target)}`));
    if (fresh) yield { fact: 'framework', value: 'Fresh', file };
    const packages = imports.map(
      ([, target]) => /^(?:npm|jsr):\/?((?:@[^/]+\/)?[^@/]+)/.exec(String(target))?.[1] ?? '',
    );
    yield* knownDependencies(new Set(packages), NODE_DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'deno', file };
    const tasks = Object.keys(objectAt(manifest, 'tasks'));
    for (const fact of COMMAND_FACTS) {
      const task = findScript(tasks, fact);
      if (task !== undefined) yield { fact, value: scriptCommand('deno', task), file, strength: 'declared' };
    }
    yield { fact: 'testCommand', value: 'deno test', file, strength: 'usual' };
    yield { fact: 'lintCommand', value: 'deno lint', file, strength: 'usual' };
    yield { fact: 'formatCommand', value: 'deno fmt', file, strength: 'usual' };
    yield { fact: 'formatter', value: 'deno fmt', file, strength: 'usual' };
    yield { fact: 'importStyle', value: 'ES modules', file };
  },
};
