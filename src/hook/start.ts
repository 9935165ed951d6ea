import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HookEvent, HookReply } from '../agents/hook-protocol.ts';
import { writeFileAtomic } from '../files/file-access.ts';
import { omitUndefined } from '../record/object.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { type HookContext, reportSettings } from './hook-context.ts';

/**
 * Replies with the briefing of the project when a session starts; after a compaction, with what that loses. Nothing
 * when a session is resumed or forked: the agent has it already.
 */
export async function onStart(
  { source }: Extract<HookEvent, { type: 'start' }>,
  context: HookContext,
): Promise<HookReply> {
  if (source === 'resume' || source === 'fork') return {};
  const project = ProjectHandle.find(context.session.cwd, context);
  if (project === undefined) return {};
  reportSettings(project, context);
  const { config, directory } = project;
  if (!config.get('retrieval.enabled') || !config.get('retrieval.autoInject')) return {};
  const maxSize = config.get('retrieval.maxContextSize');
  const cached = source === 'startup' ? readCachedBriefing(directory, maxSize) : undefined;
  const { text, line } = cached ?? (await makeBriefing(project, source === 'compact', context));
  return omitUndefined({
    context: text === '' ? undefined : text,
    // After a compaction the user has already seen it.
    notice: line === '' || source === 'compact' ? undefined : line,
  });
}

async function makeBriefing(
  { directory, config }: ProjectHandle,
  isCompaction: boolean,
  { session, now }: HookContext,
): Promise<CachedBriefing> {
  const { briefProject } = await import('../memory/briefing/brief-project.ts');
  return briefProject(directory, {
    maxSize: config.get('retrieval.maxContextSize'),
    now: now(),
    variant: isCompaction ? 'compact' : 'start',
    sessionId: session.sessionId,
  });
}

/** The briefing for the next session that starts, in its two forms: `text` for the agent, `line` for the user. */
export interface CachedBriefing {
  readonly text: string;
  readonly line: string;
}

const CACHE_VERSION = 1;
const CACHE_FILE = 'briefing.json';
/** The files from which a briefing is made. */
const SOURCES = ['digest.json', 'knowledge.json'];

/** The briefing from {@link writeCachedBriefing}; undefined when its sources have changed since. Never throws. */
export function readCachedBriefing(directory: string, maxSize: number): CachedBriefing | undefined {
  try {
    const cached: unknown = JSON.parse(readFileSync(join(directory, CACHE_FILE), 'utf8'));
    if (!isCachedBriefing(cached) || cached.made !== describeSources(directory, maxSize)) return undefined;
    return { text: cached.text, line: cached.line };
  } catch {
    return undefined;
  }
}

/** Caches the briefing for the next session that starts. Done when the agent is idle, because making it takes a while. */
export function writeCachedBriefing(directory: string, maxSize: number, { text, line }: CachedBriefing): void {
  const cached = { v: CACHE_VERSION, made: describeSources(directory, maxSize), text, line };
  writeFileAtomic(join(directory, CACHE_FILE), JSON.stringify(cached), { durable: false });
}

function describeSources(directory: string, maxSize: number): string {
  const stamps = SOURCES.map((name) => {
    const stats = statSync(join(directory, name), { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino}-${stats.size}-${stats.mtimeMs}`;
  });
  return [CACHE_VERSION, maxSize, ...stamps].join(' ');
}

function isCachedBriefing(value: unknown): value is CachedBriefing & { readonly made: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { v, made, text, line } = value as Readonly<Record<string, unknown>>;
  return v === CACHE_VERSION && [made, text, line].every((part) => typeof part === 'string');
}
