import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** What a hook process may load: everything for recording and for asking the store, but no facade or package. */
const ALLOWED_FOLDERS: ReadonlySet<string> = new Set([
  'record',
  'text',
  'files',
  'config',
  'redact',
  'log',
  'history',
  'prompts',
  'facts',
  'sqlite',
  'store',
  'stack',
  'ask',
  'search',
  'agents',
  'registry',
  'recording',
  'hook',
]);

/** Packages that are bundled into a part of the hook. */
const BUNDLED_PACKAGES: ReadonlySet<string> = new Set(['smol-toml']);

/** The entry points of a hook process: the process itself, the event handlers, and what these import dynamically. */
const ENTRIES = [
  'hook/main.ts',
  'hook/start.ts',
  'hook/prompt.ts',
  'hook/prompt-replies.ts',
  'search/recall/recall-prompt.ts',
  'hook/before-call.ts',
  'hook/after-call.ts',
  'hook/idle.ts',
  'ask/guard/guard.ts',
  'store/overlay.ts',
  'store/catch-up.ts',
  'recording/recorder.ts',
  'ask/briefing.ts',
  'recording/drain-spool.ts',
  'recording/maintain.ts',
];

const STATIC_IMPORT = /^(?:import|export)\s+(?!type\s)(?:[^'"]*?from\s+)?['"]([^'"]+)['"]/gms;

/** The modules that importing a module loads, with one importer each. Neither dynamic nor type-only imports count. */
function staticClosure(entry: string): ReadonlyMap<string, string> {
  const found = new Map([[entry, '']]);
  for (const module of found.keys()) {
    const text = readFileSync(join(SOURCE, module), 'utf8');
    for (const [, specifier = ''] of text.matchAll(STATIC_IMPORT)) {
      const target = specifier.startsWith('.')
        ? relative(SOURCE, join(SOURCE, dirname(module), specifier)).replaceAll('\\', '/')
        : specifier;
      if (target.startsWith('node:') || BUNDLED_PACKAGES.has(target) || found.has(target)) continue;
      expect(specifier, `${module} imports a package`).toMatch(/^\./);
      found.set(target, module);
    }
  }
  return found;
}

function formatImports(modules: Iterable<readonly [string, string]>): string[] {
  return [...modules].map(([module, importer]) => `${importer} imports ${module}`);
}

describe('what a hook process loads', () => {
  it.each(ENTRIES)('is on the list of folders for %s', (entry) => {
    const outside = [...staticClosure(entry)].filter(([module]) => !ALLOWED_FOLDERS.has(module.split('/', 1)[0] ?? ''));
    expect(formatImports(outside)).toEqual([]);
  });

  it.each(ENTRIES)('contains no barrel for %s', (entry) => {
    const barrels = [...staticClosure(entry)].filter(([module]) => module.endsWith('/index.ts'));
    expect(formatImports(barrels)).toEqual([]);
  });

  it('is no store and no guard for recording a call', () => {
    const loaded = [...staticClosure('hook/after-call.ts').keys(), ...staticClosure('recording/drain-spool.ts').keys()];
    expect(loaded.filter((module) => /^(?:store|ask|sqlite)\//.test(module))).toEqual([]);
  });
});
