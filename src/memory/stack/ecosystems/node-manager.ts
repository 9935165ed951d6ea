import type { Clue } from '../detector.ts';
import { type JsonObject, objectAt, stringAt } from '../formats/json.ts';
import type { Place } from '../place.ts';

/** The package managers of Node.js, those that one has to choose before the one that is always there. */
const MANAGERS: readonly {
  readonly name: string;
  readonly locks: readonly string[];
  readonly settings: readonly string[];
}[] = [
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], settings: ['bunfig.toml'] },
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], settings: ['pnpm-workspace.yaml', '.pnpmfile.cjs'] },
  { name: 'yarn', locks: ['yarn.lock'], settings: ['.yarnrc.yml', '.yarnrc'] },
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], settings: [] },
];

/** Files of one checkout are written together; only a lock file this much newer was written by later work. */
const CLEARLY_NEWER = 24 * 60 * 60 * 1000;

/**
 * The package manager of a package: what its manifest declares, else the only lock file, else of several the
 * one whose manager also has a settings file, else one that is newer by a day, else by the order above. Looks
 * in the folders above too, where a workspace keeps its lock file. npm when nothing says otherwise.
 */
export function nodeManager(place: Place, manifest: JsonObject): Clue {
  const file = 'package.json';
  const declared = declaredManager(manifest);
  if (declared) return { fact: 'packageManager', value: declared, file, strength: 'declared' };
  for (let holder: Place | undefined = place; holder; holder = holder.parent) {
    const found = lockedManager(holder);
    if (found) return { ...found, file: upwards(place, holder) + found.file };
  }
  return { fact: 'packageManager', value: 'npm', file, strength: 'usual' };
}

function declaredManager(manifest: JsonObject): string | undefined {
  const named =
    stringAt(manifest, 'packageManager') ??
    stringAt(objectAt(objectAt(manifest, 'devEngines'), 'packageManager'), 'name') ??
    /\bonly-allow (\w+)/.exec(stringAt(objectAt(manifest, 'scripts'), 'preinstall') ?? '')?.[1];
  const name = named?.split('@')[0];
  return MANAGERS.find((manager) => manager.name === name)?.name;
}

function lockedManager(place: Place): Clue | undefined {
  const locked = MANAGERS.flatMap((manager) => {
    const lock = place.first(manager.locks);
    return lock === undefined ? [] : [{ manager, lock }];
  });
  const [first] = locked;
  if (!first) {
    const set = MANAGERS.find((manager) => place.first(manager.settings) !== undefined);
    const file = set && place.first(set.settings);
    return set && file !== undefined ? { fact: 'packageManager', value: set.name, file } : undefined;
  }
  const clue = { fact: 'packageManager', value: first.manager.name, file: first.lock } as const;
  if (locked.length === 1) return clue;
  const set = locked.find(({ manager }) => place.first(manager.settings) !== undefined);
  if (set) return { ...clue, value: set.manager.name, file: set.lock };
  const byAge = locked
    .map(({ manager, lock }) => ({ manager, lock, at: place.modified(lock) ?? 0 }))
    .sort((a, b) => b.at - a.at);
  const [newest, second] = byAge;
  const chosen = newest && second && newest.at - second.at > CLEARLY_NEWER ? newest : first;
  return { ...clue, value: chosen.manager.name, file: chosen.lock, strength: 'usual' };
}

function upwards(from: Place, to: Place): string {
  return '../'.repeat(from.depth - to.depth);
}
