import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asFields } from '../transcript/fields.ts';
import { fileSource, firstFields, listNames } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { CursorLineReader } from './line-reader.ts';

/**
 * The transcripts of Cursor: `~/.cursor/projects/<slug>/agent-transcripts/`, in it `<id>.jsonl` or `<id>/<id>.jsonl`,
 * sub-agents in `<id>/subagents/`. They hold what was said and which tools were called, but no results, no ids and hardly
 * a time.
 */
export const cursorTranscripts: AgentTranscripts = {
  agent: 'cursor',
  find: (places) => {
    const projects = join(places.home, '.cursor', 'projects');
    return listNames(projects).flatMap((slug) => sourcesOf(join(projects, slug), slug, places));
  },
  recognises: (path) => {
    const first = path.endsWith('.jsonl') ? firstFields(path) : undefined;
    if (!first || 'uuid' in first || 'sessionId' in first || 'type' in first) return false;
    const isKnownRole = first.role === 'user' || first.role === 'assistant';
    return isKnownRole && Array.isArray(asFields(first.message)?.content);
  },
  read: (source, position) => {
    const session = sessionOf(source);
    return readJsonLines(source, position, (state) => new CursorLineReader(session, state));
  },
};

function sourcesOf(project: string, slug: string, places: MachinePlaces): readonly TranscriptSource[] {
  const paths = transcriptPaths(join(project, 'agent-transcripts'), 2);
  if (paths.length === 0) return [];
  const cwd = folderOfSlug(slug, places);
  return paths.flatMap((path) => {
    const source = fileSource('cursor', path);
    if (!source) return [];
    return [cwd === undefined ? source : { ...source, cwd }];
  });
}

/** The transcripts in a folder and `depth` levels of folders in it. */
function transcriptPaths(folder: string, depth: number): readonly string[] {
  let entries: { readonly name: string; isDirectory(): boolean }[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? transcriptPaths(path, depth - 1) : [];
      return entry.name.endsWith('.jsonl') ? [path] : [];
    });
}

function sessionOf(source: TranscriptSource): { id: string; parentId?: string; cwd?: string } {
  const id = basename(source.path, '.jsonl');
  const folder = dirname(source.path);
  const parentId = basename(folder) === 'subagents' ? basename(dirname(folder)) : undefined;
  return {
    id,
    ...(parentId === undefined ? {} : { parentId }),
    ...(source.cwd === undefined ? {} : { cwd: source.cwd }),
  };
}

/** Folders that are looked into for one slug, at most. */
const MOST_FOLDERS = 200;

/**
 * The folder that a slug stands for: a known project, else a folder in the user's home that is there now. A slug is the
 * path with everything but letters and digits made one `-`, so it cannot be turned back without looking.
 */
export function folderOfSlug(
  slug: string,
  { home, projects }: Pick<MachinePlaces, 'home' | 'projects'>,
): string | undefined {
  const wanted = slug.toLowerCase();
  const known = projects.find((folder) => slugOf(folder) === wanted);
  if (known !== undefined) return known;
  const prefix = `${slugOf(home)}-`;
  return wanted.startsWith(prefix)
    ? folderIn(home, wanted.slice(prefix.length), { left: MOST_FOLDERS })
    : undefined;
}

/** The slug of a folder, in lower case. */
function slugOf(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The folder below `folder` whose path from there has this slug. */
function folderIn(folder: string, slug: string, budget: { left: number }): string | undefined {
  if (budget.left-- <= 0) return undefined;
  for (const name of foldersIn(folder)) {
    const part = slugOf(name);
    if (part === '') continue;
    if (part === slug) return join(folder, name);
    if (!slug.startsWith(`${part}-`)) continue;
    const found = folderIn(join(folder, name), slug.slice(part.length + 1), budget);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  } catch {
    return [];
  }
}
