import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { asFields, parseFields } from '../transcript/fields.ts';
import { fileHead } from '../transcript/file-head.ts';

/**
 * The root of the project whose files are in a folder of `~/.gemini/tmp`: the folder says so itself in `.project_root`,
 * or `projects.json` maps the root to the folder's name, or, in older versions, the name is the SHA-256 of the root.
 * `known`: roots of other projects to try. Undefined when it cannot be known.
 */
export function projectRoot(folder: string, known: readonly string[]): string | undefined {
  const marked = fileHead(join(folder, '.project_root')).trim();
  if (isAbsolute(marked)) return marked;
  const name = basename(folder);
  const registered = registeredProjects(join(dirname(dirname(folder)), 'projects.json'));
  const [bySlug] = registered.find(([, slug]) => slug === name) ?? [];
  if (bySlug !== undefined) return bySlug;
  if (!/^[0-9a-f]{64}$/.test(name)) return undefined;
  return [...registered.map(([root]) => root), ...known].find((root) => sha256(root) === name);
}

/** Paths in JSON, e.g. in the arguments of calls. */
const PATHS = /(?:[A-Za-z]:|(?<![\w.:/\\]))(?:(?:\/|\\{1,2})[^\s"'`<>|*?:;,()[\]/\\]{1,200}){1,40}/g;
const MOST_PATHS = 500;

/**
 * The root of a project of which only the hash is known: of the paths in a session, and the folders they are in, the one
 * that has this hash. `text`: the beginning of the session's file.
 */
export function rootInText(text: string): string | undefined {
  const hash = /"projectHash":\s*"([0-9a-f]{64})"/.exec(text)?.[1];
  if (hash === undefined) return undefined;
  const tried = new Set<string>();
  for (const [found] of text.matchAll(PATHS)) {
    if (tried.size > MOST_PATHS) return undefined;
    for (let path = found.replaceAll('\\\\', '\\'); !tried.has(path); path = dirname(path)) {
      if (sha256(path) === hash) return path;
      tried.add(path);
    }
  }
  return undefined;
}

/** Root and name of each project that Gemini CLI has met. */
function registeredProjects(path: string): readonly (readonly [root: string, name: unknown])[] {
  try {
    const projects = asFields(parseFields(readFileSync(path, 'utf8'))?.projects) ?? {};
    return Object.entries(projects).filter(([root]) => isAbsolute(root));
  } catch {
    return [];
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
