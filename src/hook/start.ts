import { join } from 'node:path';
import type { HookEvent, HookReply } from '../agents/hook-protocol.ts';
import { isInjecting } from '../config/config.ts';
import { readStamp, tryReadText, writeFileAtomic } from '../files/file-access.ts';
import type { ProjectBriefing } from '../memory/briefing/brief-project.ts';
import { omitUndefined, parseObject } from '../record/object.ts';
import type { TechStack } from '../record/project-info.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { frameRecorded } from '../text/recorded-text.ts';
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
  const { config, directory, info } = project;
  if (!isInjecting(config)) return {};
  const maxSize = config.get('retrieval.maxContextSize');
  const { techStack } = info;
  const cached = source === 'startup' ? readCachedBriefing(directory, { maxSize, techStack }) : undefined;
  const { text, line } = cached ?? (await makeBriefing(project, source === 'compact', context));
  return omitUndefined({
    context: text === '' ? undefined : frameRecorded(text),
    // After a compaction the user has already seen it.
    notice: line === '' || source === 'compact' ? undefined : line,
  });
}

async function makeBriefing(
  { directory, config, info }: ProjectHandle,
  isCompaction: boolean,
  { session, now }: HookContext,
): Promise<ProjectBriefing> {
  const { briefProject } = await import('../memory/briefing/brief-project.ts');
  return briefProject(directory, {
    maxSize: config.get('retrieval.maxContextSize'),
    now: now(),
    variant: isCompaction ? 'compact' : 'start',
    sessionId: session.sessionId,
    techStack: info.techStack,
  });
}

const CACHE_VERSION = 2;
const CACHE_FILE = 'briefing.json';
/** The files from which a briefing is made. */
const SOURCES = ['digest.json', 'knowledge.json', 'team/knowledge.json'];

/** What else a briefing is made from. */
interface CacheKey {
  readonly maxSize: number;
  readonly techStack: TechStack | undefined;
}

/** The briefing from {@link writeCachedBriefing}; undefined when its sources have changed since. */
export function readCachedBriefing(directory: string, key: CacheKey): ProjectBriefing | undefined {
  const { v, made, text, line } = parseObject(tryReadText(join(directory, CACHE_FILE)) ?? '') ?? {};
  if (typeof text !== 'string' || typeof line !== 'string') return undefined;
  return v === CACHE_VERSION && made === describeSources(directory, key) ? { text, line } : undefined;
}

/** Caches the briefing for the next session that starts. Done when the agent is idle, because making it takes a while. */
export function writeCachedBriefing(directory: string, key: CacheKey, { text, line }: ProjectBriefing): void {
  const cached = { v: CACHE_VERSION, made: describeSources(directory, key), text, line };
  writeFileAtomic(join(directory, CACHE_FILE), JSON.stringify(cached), { durable: false });
}

function describeSources(directory: string, { maxSize, techStack }: CacheKey): string {
  return [maxSize, ...SOURCES.map((name) => readStamp(join(directory, name))), JSON.stringify(techStack)].join(' ');
}
