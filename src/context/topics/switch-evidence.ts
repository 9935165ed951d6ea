import { announcedSwitch } from './announced-switch.ts';
import { contentWords } from './content-words.ts';
import { kindOfWork } from './kind-of-work.ts';
import { mentionedFiles } from './mentioned-files.ts';
import type { TopicMessage } from './topic-message.ts';

/** A sign in coding sessions that work turned to something else. */
export interface SwitchEvidence {
  /** What it adds to the log-odds of a new topic. Set by hand: public dialogues have no such signs to fit them to. */
  readonly logOdds: number;
  /** In words. */
  readonly reason: string;
}

const SPAN = 6;
const EARLIER_REQUESTS = 3;
const SHOWN_NAMES = 3;

/** The signs that with message `at` work turns to something else. */
export function switchEvidence(messages: readonly TopicMessage[], at: number): readonly SwitchEvidence[] {
  return [announced(messages, at), otherFiles(messages, at), otherWork(messages, at)].filter(
    (sign) => sign !== undefined,
  );
}

/** Words that come up from message `at` on and were not used shortly before, the most frequent first. */
export function newWordsAt(messages: readonly TopicMessage[], at: number): readonly string[] {
  const before = new Set(textsBefore(messages, at).flatMap((text) => contentWords(text)));
  const counts = new Map<string, number>();
  for (const text of textsFrom(messages, at)) {
    for (const [word] of text.toLowerCase().matchAll(/\p{L}[\p{L}\p{N}_-]{3,30}/gu)) {
      const stems = contentWords(word);
      if (stems.length > 0 && !stems.some((stem) => before.has(stem)))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN_NAMES)
    .map(([word]) => word);
}

function announced(messages: readonly TopicMessage[], at: number): SwitchEvidence | undefined {
  const message = messages[at];
  if (message === undefined || message.role !== 'user') return undefined;
  const kind = announcedSwitch(message.text);
  if (kind === 'reset') return { logOdds: 3, reason: 'the user gives up what went before' };
  return kind === 'switch' ? { logOdds: 2, reason: 'the user announces something else' } : undefined;
}

function otherFiles(messages: readonly TopicMessage[], at: number): SwitchEvidence | undefined {
  const before = new Set(textsBefore(messages, at).flatMap((text) => [...mentionedFiles(text)]));
  const after = new Set(textsFrom(messages, at).flatMap((text) => [...mentionedFiles(text)]));
  if (before.size === 0 || after.size === 0 || [...after].some((file) => before.has(file))) return undefined;
  return { logOdds: 1, reason: `other files: ${names(after)} instead of ${names(before)}` };
}

function otherWork(messages: readonly TopicMessage[], at: number): SwitchEvidence | undefined {
  const message = messages[at];
  if (message === undefined || message.role !== 'user') return undefined;
  const now = kindOfWork(message.text);
  const earlier = messages
    .slice(Math.max(0, at - 2 * SPAN), at)
    .filter(({ role }) => role === 'user')
    .slice(-EARLIER_REQUESTS)
    .flatMap(({ text }) => kindOfWork(text) ?? []);
  const last = earlier.at(-1);
  if (now === undefined || last === undefined || earlier.includes(now)) return undefined;
  return { logOdds: 0.7, reason: `from ${last} to ${now}` };
}

function textsBefore(messages: readonly TopicMessage[], at: number): string[] {
  return messages.slice(Math.max(0, at - SPAN), at).map(({ text }) => text.slice(0, 2_000));
}

function textsFrom(messages: readonly TopicMessage[], at: number): string[] {
  return messages.slice(at, at + SPAN).map(({ text }) => text.slice(0, 2_000));
}

function names(files: ReadonlySet<string>): string {
  return [...files].slice(0, SHOWN_NAMES).join(', ');
}
