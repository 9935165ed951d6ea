// Bundles dist/hook/ into a launcher and self-contained parts. Every module that is imported dynamically becomes a
// separate part, so that a hook process loads little more than the code for its event. At run time it resolves no
// package and no other module of yore.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { toFunction } from './cacheable-script.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));

/** Hook protocols are small and every event needs one, so they stay in the part that imports them. */
const INLINE = /^agents\/(?:[\w-]+\/hooks|plugin-hooks)\.js$/;
const INSTALLATION = /^agents\/[\w-]+\/install\.js$/;
const TRANSCRIPTS = /^agents\/([\w-]+)\/transcripts\.js$/;

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
    const code = await bundlePart(join(dist, path), separateParts);
    writeFileSync(join(folder, `${name}.cjs`), toFunction(code));
  }
  copyFileSync(join(scripts, 'hook-launcher.cjs'), join(folder, 'main.cjs'));
  chmodSync(join(folder, 'main.cjs'), 0o755);
  makeHookCache(folder);
}

/** `hook/before-call.js` → `before-call`, `agents/codex/transcripts.js` → `codex-transcripts`. */
function partName(path) {
  const [, agent] = TRANSCRIPTS.exec(path) ?? [];
  return agent === undefined ? basename(path, '.js') : `${agent}-transcripts`;
}

async function bundlePart(input, plugin) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    plugins: [plugin],
    // Modules of yore have no side effects, so that unused code can be removed.
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, minify: true });
  await bundle.close();
  return output[0].code;
}

/** Best-effort: without the cache, hooks only start slower. */
function makeHookCache(folder) {
  const temporary = mkdtempSync(join(tmpdir(), 'yore-build-'));
  spawnSync(process.execPath, [join(scripts, 'make-hook-cache.cjs'), folder, temporary], { stdio: 'ignore' });
  rmSync(temporary, { recursive: true, force: true });
}
