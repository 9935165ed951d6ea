// Bundles dist/hook/ into a launcher and self-contained parts. Every module that is imported dynamically becomes a
// separate part, so that a hook process loads little more than the code for its event. At run time it resolves no
// package and no other module of yore.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { rolldown } from 'rolldown';
import { toFunction } from './cacheable-script.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));

/** Hook protocols are small and every event needs one, so they stay in the part that imports them. */
const INLINE = /^agents\/(?:[\w-]+\/hooks|plugin-hooks)\.js$/;
const INSTALLATION = /^agents\/[\w-]+\/install\.js$/;
const TRANSCRIPTS = /^agents\/([\w-]+)\/transcripts\.js$/;

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
  const parts = new Map([['hook/main.js', 'handle-hook']]);
  const separateParts = {
    name: 'separate-parts',
    resolveId(source, importer, { kind }) {
      if (kind !== 'dynamic-import' || !source.startsWith('.')) return null;
      const path = relative(dist, resolve(dirname(importer), source)).replaceAll('\\', '/');
      if (INLINE.test(path)) return null;
      if (isNeverLoaded(path)) return { id: source, external: true };
      if (!parts.has(path)) parts.set(path, partName(path));
      return { id: `./${parts.get(path)}.cjs`, external: true };
    },
  };
  const folder = join(dist, 'hook');
  // Grows while it is iterated: bundling a part discovers the parts that it imports.
  for (const [path, name] of parts) {
    const code = await bundlePart(join(dist, path), [separateParts, lateModules(dist)]);
    writeFileSync(join(folder, `${name}.cjs`), toFunction(code));
  }
  writeFileSync(join(folder, `${LATE_PART}.cjs`), toFunction(await bundlePart(LATE_PART, [latePart(dist)])));
  copyFileSync(join(scripts, 'hook-launcher.cjs'), join(folder, 'main.cjs'));
  chmodSync(join(folder, 'main.cjs'), 0o755);
  makeHookCache(folder);
}

/** `hook/before-call.js` → `before-call`, `agents/codex/transcripts.js` → `codex-transcripts`. */
function partName(path) {
  const [, agent] = TRANSCRIPTS.exec(path) ?? [];
  return agent === undefined ? basename(path, '.js') : `${agent}-transcripts`;
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

async function bundlePart(input, plugins) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    plugins,
    // Modules of yore have no side effects, so that unused code can be removed.
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, minify: true });
  await bundle.close();
  return output[0].code.replaceAll('requirePart(', 'require(');
}

/** Best-effort: without the cache, hooks only start slower. */
function makeHookCache(folder) {
  const temporary = mkdtempSync(join(tmpdir(), 'yore-build-'));
  spawnSync(process.execPath, [join(scripts, 'make-hook-cache.cjs'), folder, temporary], { stdio: 'ignore' });
  rmSync(temporary, { recursive: true, force: true });
}
