import type { Usage } from '../../record/index.ts';

/** What aider itself says between the turns, one line of it. */
export type Notice =
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'edited'; readonly path: string }
  | { readonly type: 'committed'; readonly hash: string; readonly message: string }
  /** A command that the model proposed and the person allowed. */
  | { readonly type: 'runs'; readonly command: string }
  /** A linter that found something; what it said follows. */
  | { readonly type: 'lints'; readonly command: string }
  /** An edit whose text was not found; more about it follows. */
  | { readonly type: 'editFailed'; readonly path: string }
  /** Output of a command was added to the chat, which is said of a test only when it failed. */
  | { readonly type: 'outputAdded' }
  /** A question to the person with the answer: ends what a command or linter said. */
  | { readonly type: 'question' }
  /** What follows is about something else. */
  | { readonly type: 'heading' }
  | { readonly type: 'other' };

const PATTERNS: readonly (readonly [RegExp, (found: RegExpExecArray) => Notice])[] = [
  [/^(?:Main model|Models?): (\S{1,200})/, ([, model = '']) => ({ type: 'model', model })],
  [/^Applied edit to (.{1,1000})$/, ([, path = '']) => ({ type: 'edited', path })],
  [
    /^Commit ([0-9a-f]{7,40}) (.{1,1000})$/,
    ([, hash = '', message = '']) => ({ type: 'committed', hash, message }),
  ],
  [/^## Running: (.{1,8000})$/, ([, command = '']) => ({ type: 'lints', command })],
  [/^Running (?!:)(\S.{0,8000})$/, ([, command = '']) => ({ type: 'runs', command })],
  [/failed to exactly match lines in (.{1,1000})$/, ([, path = '']) => ({ type: 'editFailed', path })],
  [/^Added \d+ lines? of output to the chat/, () => ({ type: 'outputAdded' })],
  [/\? (?:\(Y\)es|\[?y\/n|yes\b|no\b|y\b|n\b)/i, () => ({ type: 'question' })],
  [/^(?:# Fix any errors below|## See relevant lines below)/, () => ({ type: 'heading' })],
];
const TOKENS =
  /([\d.,]+[kM]?) (?:sent|prompt tokens)(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?,? ?([\d.,]+[kM]?) (?:received|completion tokens)/;

/** What a line of aider's says. */
export function noticeOf(line: string): Notice {
  const text = line.trim();
  const usage = usageOf(text);
  if (usage) return { type: 'usage', usage };
  for (const [pattern, make] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return make(found);
  }
  return { type: 'other' };
}

/** `Tokens: 2.4k sent, 1.1k cache hit, 133 received.` What came from a cache is in what was sent. */
function usageOf(text: string): Usage | undefined {
  const found = TOKENS.exec(text.slice(0, 300));
  if (!found) return undefined;
  const [sent = 0, written, hit, received = 0] = found.slice(1).map(countOf);
  return {
    inputTokens: Math.max(0, sent - (written ?? 0) - (hit ?? 0)),
    outputTokens: received,
    ...(hit === undefined ? {} : { cacheReadTokens: hit }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  };
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = text.endsWith('k') ? 1000 : text.endsWith('M') ? 1_000_000 : 1;
  const count = Number(text.replace(/,/g, '').replace(/[kM]$/, '')) * unit;
  return Number.isFinite(count) ? Math.round(count) : undefined;
}
