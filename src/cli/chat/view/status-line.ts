import type { ChatStatus } from '../../../chat/index.ts';
import { countOf, formatCount } from '../../output/quantity.ts';
import type { Symbols } from '../../output/symbols.ts';

/** Where a chat stands, in one line: the most telling first, as a narrow terminal cuts its end. */
export function statusLine(status: ChatStatus, symbols: Symbols): string {
  const { compaction, cacheHitRate, files } = status;
  const percent = Math.round(compaction.percent);
  const parts = [
    status.responder,
    `${formatCount(status.historyTokens)} tokens`,
    ...(compaction.enabled ? [`${percent}% of ${formatCount(compaction.triggerTokens)}`] : []),
    ...(cacheHitRate === undefined ? [] : [`cache ${Math.round(cacheHitRate * 100)}%`]),
    ...(files.length === 0 ? [] : [countOf(files.length, 'file')]),
    '/help',
  ];
  return parts.join(` ${symbols.separator} `);
}

/** Everything about where a chat stands, for `/status`; `spent` is what calls of models came to. */
export function statusLines(status: ChatStatus, spent: string): readonly string[] {
  const { compaction, cacheHitRate } = status;
  const shortening = compaction.enabled
    ? `${Math.round(compaction.percent)}% of ${formatCount(compaction.triggerTokens)} tokens, then the history is shortened`
    : 'off: the history is never shortened';
  const rows: readonly (readonly [string, string])[] = [
    [
      'Answers',
      status.responder === 'memory' ? 'the memory of this project (no model is set)' : status.responder,
    ],
    ['Session', status.sessionId ?? 'begins with the next message'],
    ['Messages', formatCount(status.messageCount)],
    [
      'History',
      `${formatCount(status.historyTokens)} tokens, ${formatCount(status.remainingTokens)} left of its share`,
    ],
    ['Model reads', `${formatCount(status.maxInputTokens)} tokens`],
    ['Shortening', shortening],
    [
      'Cache',
      cacheHitRate === undefined ? 'nothing reported yet' : `${Math.round(cacheHitRate * 100)}% read from it`,
    ],
    ['Tiers', tiersText(status)],
    [
      'Files',
      status.files.length === 0
        ? 'none, /add PATH'
        : status.files.map(({ path, tokens }) => `${path} (${formatCount(tokens)})`).join(', '),
    ],
    ['Models', spent],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** The parts of the prompt by how long they have not changed, the longest first. */
function tiersText({ tiers }: ChatStatus): string {
  const filled = Object.entries(tiers ?? {}).filter(([, { items }]) => items > 0);
  if (filled.length === 0) return 'nothing sent yet';
  return filled
    .map(([name, { tokens, items }]) => `${name} ${formatCount(tokens)} tokens in ${countOf(items, 'item')}`)
    .join(', ');
}
