import { scriptCommand } from '../command-table.ts';
import { type Detector, findDependencies, findScripts, toFindings } from '../detector.ts';
import { objectAt, readJson } from '../manifest.ts';
import { NODE_DEPENDENCIES } from './node.ts';

/** Deno. A package.json beside deno.json is common; then sources count for both and Deno, listed first, wins. */
export const DENO: Detector = {
  id: 'deno',
  extensions: ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs'],
  *detect(folder) {
    const file = folder.first(['deno.json', 'deno.jsonc']);
    const manifest = file === undefined ? undefined : readJson(folder.read(file));
    if (file === undefined || !manifest) return;
    yield* toFindings(file, { language: 'TypeScript', tool: 'Deno' });
    const imports = Object.entries(objectAt(manifest, 'imports'));
    const fresh = imports.some(([name, target]) => /(^|[@/])fresh\b/.test(`${name} ${String(target)}`));
    if (fresh) yield { fact: 'framework', value: 'Fresh', file };
    const packages = imports.map(
      ([, target]) => /^(?:npm|jsr):\/?((?:@[^/]+\/)?[^@/]+)/.exec(String(target))?.[1] ?? '',
    );
    yield* findDependencies(new Set(packages), NODE_DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'deno', file };
    const tasks = Object.keys(objectAt(manifest, 'tasks'));
    yield* findScripts(tasks, file, (task) => scriptCommand('deno', task));
    yield* toFindings(
      file,
      {
        testCommand: 'deno test',
        lintCommand: 'deno lint',
        formatCommand: 'deno fmt',
        formatter: 'deno fmt',
      },
      'default',
    );
    yield { fact: 'importStyle', value: 'ES modules', file };
  },
};
