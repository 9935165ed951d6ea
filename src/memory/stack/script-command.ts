import { SCRIPT_NAMES } from './command-table.ts';
import type { CommandFact } from './project-stack.ts';

/** How each runner is told to run a script, target or task; `*` is its name. */
const CALLS: Readonly<Record<string, string>> = {
  npm: 'npm run *',
  pnpm: 'pnpm run *',
  yarn: 'yarn *',
  bun: 'bun run *',
  deno: 'deno task *',
  composer: 'composer *',
  make: 'make *',
  just: 'just *',
  task: 'task *',
  mise: 'mise run *',
  rake: 'rake *',
  turbo: 'turbo run *',
  poe: 'poe *',
  invoke: 'invoke *',
  nox: 'nox -s *',
  pdm: 'pdm run *',
  hatch: 'hatch run *',
};

/** Managers that have a shorter word for their test script. */
const SHORT_TEST: ReadonlySet<string> = new Set(['npm', 'pnpm']);

/** The command that runs a script of the project: `npm test`, `pnpm run build`, `make lint`. */
export function scriptCommand(runner: string, script: string): string {
  if (script === 'test' && SHORT_TEST.has(runner)) return `${runner} test`;
  return (CALLS[runner] ?? `${runner} *`).replace('*', () => script);
}

/** What a script is for, by its name. */
export function scriptPurpose(script: string): CommandFact | undefined {
  return PURPOSES.get(script);
}

const PURPOSES: ReadonlyMap<string, CommandFact> = new Map(
  (Object.keys(SCRIPT_NAMES) as CommandFact[]).flatMap((fact) =>
    SCRIPT_NAMES[fact].map((name) => [name, fact] as const),
  ),
);

/** The script of the wanted purpose, the most usual name first. */
export function findScript(names: readonly string[], fact: CommandFact): string | undefined {
  return SCRIPT_NAMES[fact].find((name) => names.includes(name));
}
