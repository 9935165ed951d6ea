// Bundles dist/hook/ into a launcher and parts that share their modules. A hook process loads little more than the code for
// its event, and no module twice. At run time it resolves no package and no other module of yore.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { rolldown } from 'rolldown';
import { toFunction } from './cacheable-script.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));

const INSTALLATION = /^agents\/[\w-]+\/install\.js$/;
const TRANSCRIPTS = /^agents\/([\w-]+)\/transcripts\.js$/;
const PROTOCOL = /^agents\/([\w-]+)\/hooks\.js$/;

/**
 * Parts, each with the modules that some entries import and no earlier part has: what every event needs, and what checking a
 * call needs besides. Every other module that is imported dynamically is a part of its own.
 */
const GROUPS = [
  { name: 'core', entries: ['hook/main', 'hook/after-call'] },
  {
    name: 'check',
    entries: [
      'hook/before-call',
      'store/overlay',
      'ask/guard/guard',
      'ask/guard/guard-options',
      'recording/pending-calls',
    ],
  },
];

/**
 * What redaction does with a text in which a keyword was found. Most texts have none, so these modules are one part, which
 * the first call of one of their functions loads.
 */
const LATE = [
  ...['vendor-rules', 'key-rules', 'program-rules', 'assignment', 'credentials', 'encoded', 'key-block'],
  ...['name', 'nearby', 'secret-value', 'sentence', 'table'],
].map((name) => `redact/${name}.js`);
const LATE_PART = 'redaction-rules';
const LOAD_LATE = `requirePart("./${LATE_PART}.cjs")`;

/** @param {string} dist a folder with the compiled modules */
export async function bundleHook(dist) {
  const { AGENTS } = await import(pathToFileURL(join(dist, 'agents', 'registry.js')).href);
  const isNeverLoaded = (path) => {
    const [, agent] = TRANSCRIPTS.exec(path) ?? [];
    return INSTALLATION.test(path) || (agent && AGENTS[agent]?.hooks?.canReadTranscripts !== true);
  };
  const neverLoaded = {
    name: 'never-loaded',
    resolveId(source, importer, { kind }) {
      if (kind !== 'dynamic-import' || !source.startsWith('.')) return null;
      return isNeverLoaded(modulePath(dist, resolve(dirname(importer), source)))
        ? { id: source, external: true }
        : null;
    },
  };
  const folder = join(dist, 'hook');
  const plugins = [neverLoaded, lateModules(dist)];
  const groups = [];
  for (const { name, entries } of GROUPS) groups.push({ name, modules: await findModules(dist, entries, plugins) });
  const parts = await bundle(
    { 'handle-hook': join(dist, 'hook', 'main.js') },
    {
      plugins,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: (id) => groups.find(({ modules }) => modules.has(id))?.name ?? null, debugName: 'groups' }],
      },
      chunkFileNames: ({ name, facadeModuleId }) => `${partName(dist, facadeModuleId) ?? name}.cjs`,
    },
  );
  const entry = parts.find(({ isEntry }) => isEntry);
  const needed = entry.imports.filter((name) => name.endsWith('.cjs') && name !== 'rolldown-runtime.cjs');
  if (needed.length > 0) throw new Error(`Every hook would load ${needed.join(', ')}.`);
  parts.push(...(await bundle({ [LATE_PART]: LATE_PART }, { plugins: [latePart(dist)], codeSplitting: false })));
  for (const { fileName, code } of parts) {
    writeFileSync(join(folder, fileName), toFunction(code.replaceAll('requirePart(', 'require(')));
  }
  copyFileSync(join(scripts, 'hook-launcher.cjs'), join(folder, 'main.cjs'));
  chmodSync(join(folder, 'main.cjs'), 0o755);
  makeHookCache(folder);
}

function modulePath(dist, module) {
  return relative(dist, module).replaceAll('\\', '/');
}

/** `agents/codex/transcripts.js` → `codex-transcripts`. */
function partName(dist, module) {
  if (typeof module !== 'string') return undefined;
  const path = modulePath(dist, module);
  const [, reader] = TRANSCRIPTS.exec(path) ?? [];
  const [, agent] = PROTOCOL.exec(path) ?? [];
  return reader === undefined ? agent && `${agent}-hooks` : `${reader}-transcripts`;
}

/** The modules of which something is left in a bundle of some entries alone, what they import dynamically aside. */
async function findModules(dist, entries, plugins) {
  const external = {
    name: 'external',
    resolveId: (id, _, { kind }) => (kind === 'dynamic-import' ? { id, external: true } : null),
  };
  const all = entries.map((entry) => `export * from ${JSON.stringify(join(dist, `${entry}.js`))};`).join('\n');
  const entry = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? '\0entry' : null),
    load: (id) => (id === '\0entry' ? all : null),
  };
  const [part] = await bundle({ entry: 'entry' }, { plugins: [entry, external, ...plugins], codeSplitting: false });
  return new Set(Object.entries(part.modules).flatMap(([id, { code }]) => (code ? [id] : [])));
}

/** Replaces the late modules by stubs. */
function lateModules(dist) {
  return {
    name: 'late-modules',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const path = relative(dist, resolve(dirname(importer), source)).replaceAll('\\', '/');
      return LATE.includes(path) ? `\0${path}` : null;
    },
    load: (id) => (id.startsWith('\0redact/') ? stubOf(join(dist, id.slice(1))) : null),
  };
}

/** A module with the same exports: functions and rules that load the late part when they are called, and data as it is. */
async function stubOf(path) {
  const exports = Object.entries(await import(pathToFileURL(path).href));
  const lines = exports.map(([name, value]) => `export const ${name} = ${stubOfValue(value, `${LOAD_LATE}.${name}`)};`);
  return [LATE_RULE, ...lines].join('\n');
}

function stubOfValue(value, late) {
  if (typeof value === 'function') return `(...args) => ${late}(...args)`;
  if (isRule(value)) return `${stubOfRules([value], `[${late}]`)}[0]`;
  if (Array.isArray(value) && value.every(isRule)) return stubOfRules(value, late);
  const data = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(data), value)) throw new TypeError(`${late} is neither a function, rules nor data`);
  return data;
}

function isRule(value) {
  return typeof value.find === 'function' && value.keywords !== undefined;
}

function stubOfRules(rules, late) {
  return `toLateRules(${JSON.stringify(rules.map((rule) => rule.keywords))}, () => ${late})`;
}

/** Rules of which only the keywords are known until one of them is found. */
const LATE_RULE = `class LateRule {
  constructor(keywords, load, index) {
    this.keywords = keywords;
    this.load = load;
    this.index = index;
  }
  find(text, at, found) {
    this.load()[this.index].find(text, at, found);
  }
}
function toLateRules(all, load) {
  return all.map((keywords, index) => new LateRule(keywords, load, index));
}`;

/** The part with all late modules. */
function latePart(dist) {
  return {
    name: 'late-part',
    resolveId: (source) => (source === LATE_PART ? `\0${LATE_PART}` : null),
    load: (id) =>
      id === `\0${LATE_PART}`
        ? LATE.map((path) => `export * from ${JSON.stringify(join(dist, path))};`).join('\n')
        : null,
  };
}

async function bundle(input, { plugins, ...output }) {
  const build = await rolldown({
    input,
    platform: 'node',
    plugins,
    preserveEntrySignatures: 'allow-extension',
    // Modules of yore have no side effects, so that unused code can be removed.
    treeshake: { moduleSideEffects: false },
    checks: { ineffectiveDynamicImport: false },
  });
  const { output: parts } = await build.generate({
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    ...output,
  });
  await build.close();
  return parts;
}

/** Best-effort: without the cache, hooks only start slower. */
function makeHookCache(folder) {
  const temporary = mkdtempSync(join(tmpdir(), 'yore-build-'));
  spawnSync(process.execPath, [join(scripts, 'make-hook-cache.cjs'), folder, temporary], { stdio: 'ignore' });
  rmSync(temporary, { recursive: true, force: true });
}
