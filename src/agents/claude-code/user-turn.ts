import { asFields, asName, asObjects, asText, type Fields } from '../transcript/fields.ts';
import { skip, unknownType } from '../transcript/skip.ts';
import type { SkipEvent, TranscriptImage } from '../transcript/transcript-event.ts';
import { userText } from './user-text.ts';

/** What is in a turn of the user beside results of calls. */
export interface UserTurn {
  /** The user's words; empty if there are none. */
  readonly text: string;
  /** Whether a program made the whole turn. */
  readonly isInjected: boolean;
  /** The summary of what was compacted, where it stands in the user's turn. */
  readonly summary?: string;
  readonly skipped: readonly SkipEvent[];
  /** Texts in which the ends of background tasks may be told. */
  readonly notices: readonly string[];
}

/** Where a turn may come from when no person wrote it. */
const PROGRAMS: ReadonlySet<string> = new Set([
  'system',
  'task-notification',
  'loop_wakeup',
  'schedule_wakeup',
  'poll_event',
  'cron',
  'hook',
  'channel',
  'coordinator',
  'teammate',
  'peer',
]);

/** Takes a turn of the user apart. `marks`: the fields around it, which may say that a program wrote it. */
export function userTurn(content: unknown, marks: Fields): UserTurn {
  const skipped: SkipEvent[] = [];
  const texts: string[] = [];
  const notices: string[] = [];
  let summary: string | undefined;
  const isInjected = isProgramMade(marks);
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content);
  for (const block of blocks) {
    if (block.type === 'tool_result') continue;
    if (block.type === 'image') {
      if (isInjected) skipped.push(skip('injected image'));
      continue;
    }
    if (block.type !== 'text') {
      skipped.push(block.type === 'document' ? skip('document') : unknownType('block', block.type));
      continue;
    }
    const text = asText(block.text) ?? '';
    if (text.includes('<task-notification>')) notices.push(text);
    const meaning = isInjected ? INJECTED : userText(text);
    if (meaning.kind === 'typed') texts.push(meaning.text);
    else if (meaning.kind === 'summary') summary = meaning.text;
    else skipped.push(skip(meaning.reason));
  }
  return {
    text: texts.join('\n'),
    isInjected,
    skipped,
    notices,
    ...(summary === undefined ? {} : { summary }),
  };
}

const INJECTED = { kind: 'injected', reason: 'injected text' } as const;

function isProgramMade(marks: Fields): boolean {
  if (marks.isMeta === true || marks.isVisibleInTranscriptOnly === true) return true;
  const mode = asName(marks.commandMode);
  if (mode !== undefined && mode !== 'prompt' && mode !== 'bash') return true;
  const origin = asName(asFields(marks.origin)?.kind) ?? asName(marks.promptSource);
  return origin !== undefined && PROGRAMS.has(origin);
}

/** The images in a turn. */
export function imagesOf(content: unknown): readonly TranscriptImage[] {
  return asObjects(content).flatMap((block) => {
    const source = block.type === 'image' ? asFields(block.source) : undefined;
    const base64 = source?.type === 'base64' ? asText(source.data) : undefined;
    if (!base64) return [];
    return [{ mediaType: asName(source?.media_type) ?? 'image/png', base64 }];
  });
}
