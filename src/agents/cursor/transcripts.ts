import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asFields } from '../transcript/fields.ts';
import { firstFields } from '../transcript/file-head.ts';
import { fileSource } from '../transcript/file-source.ts';
import { readJsonLines } from '../transcript/json-lines.ts';
import { namesIn } from '../transcript/names-in.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { CursorLineReader } from './line-reader.ts';
import { folderOfSlug } from './slug.ts';

/**
 * The transcripts of Cursor: `~/.cursor/projects/<slug>/agent-transcripts/`, in it `<id>.jsonl` or `<id>/<id>.jsonl`,
 * sub-agents in `<id>/subagents/`. They hold what was said and which tools were called, but no results, no ids and hardly
 * a time.
 */
export const cursorTranscripts: AgentTranscripts = {
  agent: 'cursor',
  find: (places) => {
    const projects = join(places.home, '.cursor', 'projects');
    return namesIn(projects).flatMap((slug) => sourcesOf(join(projects, slug), slug, places));
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
