import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../files/index.ts';

/** What an agent and a person are told when a session starts. */
export interface KeptBriefing {
  readonly text: string;
  readonly line: string;
}

const VERSION = 1;
const FILE = 'briefing.json';
/** What a briefing is made from, beside the logs. */
const SOURCES = ['digest.json', 'knowledge.json'];

/** The briefing as it was made after the last learning; undefined when something has changed since. */
export function readBriefing(directory: string, maxSize: number): KeptBriefing | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(directory, FILE), 'utf8'));
    if (!isKept(kept) || kept.made !== madeFrom(directory, maxSize)) return undefined;
    return { text: kept.text, line: kept.line };
  } catch {
    return undefined;
  }
}

/** Keeps a briefing for the sessions that start next. */
export function keepBriefing(directory: string, maxSize: number, { text, line }: KeptBriefing): void {
  const kept = { v: VERSION, made: madeFrom(directory, maxSize), text, line };
  writeFileAtomic(join(directory, FILE), JSON.stringify(kept), { durable: false });
}

function madeFrom(directory: string, maxSize: number): string {
  const stamps = SOURCES.map((name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino}-${found.size}-${found.mtimeMs}`;
  });
  return [VERSION, maxSize, ...stamps].join(' ');
}

function isKept(value: unknown): value is KeptBriefing & { readonly made: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { v, made, text, line } = value as Readonly<Record<string, unknown>>;
  return v === VERSION && [made, text, line].every((part) => typeof part === 'string');
}
