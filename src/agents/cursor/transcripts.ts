import { basename, dirname, join } from 'node:path';
import { omitUndefined } from '../../record/index.ts';
import { asFields } from '../transcript/fields.ts';
import { fileSource, firstFields, listFiles, listFolder, listNames } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { CursorLineReader, type CursorSession } from './line-reader.ts';

/**
 * The transcripts of Cursor: `<id>.jsonl` or `<id>/<id>.jsonl` in `~/.cursor/projects/<slug>/agent-transcripts/`,
 * sub-agents in `<id>/subagents/`. They hold messages and tool calls, but no results, no ids and hardly any times.
 */
export const cursorTranscripts: AgentTranscripts = {
  agent: 'cursor',
  find: (places) => {
    const projects = join(places.home, '.cursor', 'projects');
    return listNames(projects).flatMap((slug) => findInProject(join(projects, slug), slug, places));
  },
  recognises: (path) => {
    const first = path.endsWith('.jsonl') ? firstFields(path) : undefined;
    if (!first || 'uuid' in first || 'sessionId' in first || 'type' in first) return false;
    const isKnownRole = first.role === 'user' || first.role === 'assistant';
    return isKnownRole && Array.isArray(asFields(first.message)?.content);
  },
  read: (source, position) => {
    const session = describeSession(source);
    return readJsonLines(source, position, (state) => new CursorLineReader(session, state));
  },
};

function findInProject(project: string, slug: string, places: MachinePlaces): readonly TranscriptSource[] {
  const paths = listFiles(join(project, 'agent-transcripts'), (name) => name.endsWith('.jsonl'), 2);
  if (paths.length === 0) return [];
  const cwd = findFolder(slug, places);
  return paths
    .flatMap((path) => fileSource('cursor', path) ?? [])
    .map((source) => ({ ...source, ...omitUndefined({ cwd }) }));
}

function describeSession(source: TranscriptSource): CursorSession {
  const id = basename(source.path, '.jsonl');
  const folder = dirname(source.path);
  const parentId = basename(folder) === 'subagents' ? basename(dirname(folder)) : undefined;
  return { id, ...omitUndefined({ parentId, cwd: source.cwd }) };
}

/** How many folders are searched for one slug. */
const MAX_FOLDERS = 200;

/**
 * The folder of a slug: a known project, else an existing folder in the user's home. In a slug, everything but letters and
 * digits is replaced by `-`, so the path can only be found by looking.
 */
function findFolder(
  slug: string,
  { home, projects }: Pick<MachinePlaces, 'home' | 'projects'>,
): string | undefined {
  const wanted = slug.toLowerCase();
  const known = projects.find((folder) => toSlug(folder) === wanted);
  if (known !== undefined) return known;
  const prefix = `${toSlug(home)}-`;
  return wanted.startsWith(prefix)
    ? findBelow(home, wanted.slice(prefix.length), { left: MAX_FOLDERS })
    : undefined;
}

function toSlug(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The folder below `folder` whose relative path has this slug. */
function findBelow(folder: string, slug: string, budget: { left: number }): string | undefined {
  if (budget.left-- <= 0) return undefined;
  for (const { name, isFolder } of listFolder(folder)) {
    if (!isFolder) continue;
    const part = toSlug(name);
    if (part === '') continue;
    if (part === slug) return join(folder, name);
    if (!slug.startsWith(`${part}-`)) continue;
    const found = findBelow(join(folder, name), slug.slice(part.length + 1), budget);
    if (found !== undefined) return found;
  }
  return undefined;
}
