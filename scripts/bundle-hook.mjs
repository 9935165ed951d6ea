// Makes of dist/hook/ what agents call: a launcher and one self-contained file for each kind of event, of which a call
// loads one. No package, no module of yore's is looked for when it runs.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const scripts = dirname(fileURLToPath(import.meta.url));

/** The parts and the modules they begin with. */
const PARTS = {
  answer: 'main',
  'on-start': 'on-start',
  'on-start-anew': 'on-start-anew',
  'on-prompt': 'on-prompt',
  'on-prompt-known': 'on-prompt-known',
  'on-before-call': 'on-before-call',
  'on-suspected-call': 'on-suspected-call',
  'on-after-call': 'on-after-call',
  'on-pause': 'on-pause',
  'on-spooled': 'on-spooled',
};

/** What handles an event is loaded when that event comes. */
const partsApart = {
  name: 'parts-apart',
  resolveId(source, importer) {
    const [, part] = /\/(on-[a-z-]+)\.[jt]s$/.exec(source) ?? [];
    if (importer === undefined) return null;
    if (part !== undefined && part in PARTS) return { id: `./${part}.cjs`, external: true };
    const [, agent, module] = AGENT_MODULE.exec(join(dirname(importer), source)) ?? [];
    return agent === undefined ? null : { id: `./${module}-${agent}.cjs`, external: true };
  },
};

/**
 * Modules that an agent's descriptor loads when they are needed. Reading transcripts is a part of its own for each agent
 * whose hooks do that; hooks never install anything.
 */
const AGENT_MODULE = /[/\\]agents[/\\]([a-z0-9-]+)[/\\](transcripts|install)\.js$/;

async function listTranscriptParts(dist) {
  const { AGENTS } = await import(pathToFileURL(join(dist, 'agents', 'registry.js')).href);
  return Object.values(AGENTS)
    .filter(({ hooks }) => hooks?.canReadTranscripts)
    .map(({ name }) => [`transcripts-${name}`, `../agents/${name}/transcripts`]);
}

/** @param {string} dist a folder with the compiled modules */
export async function bundleHook(dist) {
  const folder = join(dist, 'hook');
  for (const [part, entry] of [...Object.entries(PARTS), ...(await listTranscriptParts(dist))]) {
    const bundle = await rolldown({
      input: join(folder, `${entry}.js`),
      platform: 'node',
      plugins: [partsApart],
      // No module of yore's does anything but define things, so that what is not used can go.
      treeshake: { moduleSideEffects: false },
    });
    const { output } = await bundle.generate({
      format: 'cjs',
      codeSplitting: false,
      minify: true,
    });
    await bundle.close();
    writeFileSync(join(folder, `${part}.cjs`), hookScript(output[0].code));
  }
  copyFileSync(join(scripts, 'hook-launcher.cjs'), join(folder, 'main.cjs'));
  chmodSync(join(folder, 'main.cjs'), 0o755);
  makeHookCache(folder);
}

/** Modules of Node.js that take long to load and are rarely needed. */
const RARE = /\blet (\w+)=require\("(node:(?:crypto|child_process|zlib|stream|net))"\);/g;

/** As V8 keeps it compiled: without import(), in ASCII, which is read fastest. */
function hookScript(code) {
  return code
    .replace(/\bimport\(([`"'][\w./-]+[`"'])\)/g, 'Promise.resolve().then(()=>require($1))')
    .replace(RARE, 'let $1=new Proxy({},{get:(_,key)=>require("$2")[key]});')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Without it everything works, only slower. */
function makeHookCache(folder) {
  const place = mkdtempSync(join(tmpdir(), 'yore-build-'));
  spawnSync(process.execPath, [join(scripts, 'make-hook-cache.cjs'), folder, place], { stdio: 'ignore' });
  rmSync(place, { recursive: true, force: true });
}
