import { SAFE_BOUNDARY, type TopicBoundary } from './topic-boundary.ts';

/** The indices of the messages that a detector was shown. */
export interface ShownRange {
  readonly first: number;
  readonly last: number;
}

/** Longer texts in a reply are cut. */
const MAX_REPLY = 100_000;

const NAMES = {
  index: ['boundaryIndex', 'boundary_index'],
  reason: ['reason', 'boundaryReason', 'boundary_reason'],
  confidence: ['confidence'],
  summary: ['summary'],
} as const;

/**
 * Reads a model's reply: JSON, JSON in a fence or among other text, or else each field by itself. Confidence is brought
 * between 0 and 1. The boundary must be one of the messages that were shown and have something before it.
 * Anything unusable gives {@link SAFE_BOUNDARY}. Never throws.
 */
export function parseBoundary(reply: string, shown: ShownRange): TopicBoundary {
  return readBoundary(reply, shown) ?? SAFE_BOUNDARY;
}

/** As {@link parseBoundary}, but undefined when the reply is unusable. */
export function readBoundary(reply: string, shown: ShownRange): TopicBoundary | undefined {
  const text = reply.slice(0, MAX_REPLY);
  const fields = { ...parseFields(text), ...parseObject(text) };
  const index = firstOf(fields, NAMES.index);
  if (index === undefined) return undefined;
  const boundaryIndex = index === null || index === 'null' ? null : toNumber(index);
  if (boundaryIndex === undefined) return undefined;
  if (boundaryIndex !== null && !isShown(boundaryIndex, shown)) return undefined;
  return {
    boundaryIndex,
    reason: toText(firstOf(fields, NAMES.reason)),
    confidence: Math.min(1, Math.max(0, toNumber(firstOf(fields, NAMES.confidence)) ?? 0)),
    summary: toText(firstOf(fields, NAMES.summary)),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields | undefined {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return undefined;
  }
}

/** What can be read of a reply that is no JSON: broken off, with comments, without quotes. */
function parseFields(text: string): Fields {
  const fields: Record<string, unknown> = {};
  for (const name of [...NAMES.index, ...NAMES.confidence]) {
    const [, value] =
      new RegExp(`\\b${name}\\b["'\`*]{0,4}\\s{0,9}[:=]\\s{0,9}(null|-?\\d{1,9}(?:\\.\\d{1,9})?)`, 'i').exec(
        text,
      ) ?? [];
    if (value !== undefined) fields[name] = value.toLowerCase();
  }
  for (const name of [...NAMES.reason, ...NAMES.summary]) {
    const [, value] =
      new RegExp(`\\b${name}\\b["'\`*]{0,4}\\s{0,9}[:=]\\s{0,9}"((?:[^"\\\\]|\\\\.)*)`, 'is').exec(text) ??
      [];
    if (value !== undefined) fields[name] = value.replace(/\\n/g, ' ').replace(/\\(.)/g, '$1');
  }
  return fields;
}

function firstOf(fields: Fields, names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => value !== undefined);
}

function toNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}

function isShown(index: number, { first, last }: ShownRange): boolean {
  return Number.isInteger(index) && index > 0 && index >= first && index <= last;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
