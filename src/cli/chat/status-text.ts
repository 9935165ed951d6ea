import type { ChatStatus } from '../../chat/index.ts';
import type { ProjectOverview } from '../../project/index.ts';
import { formatCount, formatNumber } from '../../text/format-count.ts';
import type { Output } from '../output/output.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { wrap } from '../output/width.ts';

/** What the start message of a chat is made from. */
export interface StartFacts {
  readonly version: string;
  /** `anthropic/claude-…`, or `memory`. */
  readonly responder: string;
  /** The folder, with `~` for the user's home. */
  readonly folder: string;
  readonly overview: ProjectOverview;
  /** Whether the model is told what is known. */
  readonly isBriefed: boolean;
  /** The session that is continued. */
  readonly restored?: { readonly messages: number; readonly when: string; readonly preview: string } | undefined;
}

/** The start message of a chat: who replies, where, and what is known about the project. */
export function formatStartMessage(facts: StartFacts, output: Output, columns: number): string {
  const { style } = output;
  const { overview, restored } = facts;
  const model = facts.responder === 'memory' ? "none (replies come from the project's memory)" : facts.responder;
  const lines = [
    style.bold(`yore v${facts.version}`),
    style.dim(`model: ${sanitiseLine(model)} | directory: ${sanitiseLine(facts.folder)}`),
    ...(facts.isBriefed ? overviewLines(overview, output) : []),
  ];
  if (restored !== undefined) {
    const preview = restored.preview === '' ? '' : `: ${sanitiseLine(restored.preview)}`;
    const messages = formatCount(restored.messages, 'message');
    lines.push(style.dim(`Continuing with ${messages} from ${restored.when}${preview} (/new starts over)`));
  } else if (overview.previousSessions === 0) {
    lines.push(style.dim('Nothing is recorded here yet. Ask something, or type /help.'));
  }
  return lines.flatMap((line) => wrap(line, columns)).join('\n');
}

function overviewLines(overview: ProjectOverview, { out, symbols }: Output): string[] {
  const { previousSessions, successfulPatterns, failuresToAvoid, summary } = overview;
  const { unicode } = out.terminal;
  if (previousSessions === 0) return [];
  return [
    `${unicode ? '📚 ' : ''}Project knowledge from ${formatCount(previousSessions, 'previous session')}`,
    ...(successfulPatterns > 0
      ? [`${unicode ? '✅' : symbols.success} Found ${formatCount(successfulPatterns, 'successful pattern')}`]
      : []),
    ...(failuresToAvoid > 0
      ? [`${unicode ? '⚠️' : symbols.warning} Found ${formatCount(failuresToAvoid, 'failed attempt')} to avoid`]
      : []),
    ...(summary === '' ? [] : [`Summary: ${sanitiseLine(summary)}`]),
  ];
}

/** The status in one line, most important first because a narrow terminal cuts off the end. */
export function formatStatusLine(status: ChatStatus, output: Pick<Output, 'join'>): string {
  const { compaction, cacheHitRate, files } = status;
  return output.join(
    status.responder,
    `${formatNumber(status.historyTokens)} tokens`,
    ...(compaction.enabled ? [`${Math.round(compaction.percent)}% of ${formatNumber(compaction.triggerTokens)}`] : []),
    ...(cacheHitRate === undefined ? [] : [`cache ${formatPercent(cacheHitRate)}`]),
    ...(files.length === 0 ? [] : [formatCount(files.length, 'file')]),
    '/help',
  );
}

/** The full status for `/status`; `usage` sums up the calls of models. */
export function formatStatus(status: ChatStatus, usage: string): string {
  const { compaction, cacheHitRate, files, responder } = status;
  const rows = {
    'Replies from': responder === 'memory' ? "the project's memory (no model is set)" : responder,
    Session: status.sessionId ?? 'starts with your next message',
    Messages: formatNumber(status.messageCount),
    History: `${formatNumber(status.historyTokens)} tokens, room for ${formatNumber(status.remainingTokens)} more`,
    'Model input': `${formatNumber(status.maxInputTokens)} tokens at most`,
    Compaction: compaction.enabled
      ? `at ${formatNumber(compaction.triggerTokens)} tokens, now ${Math.round(compaction.percent)}%`
      : 'off',
    Cache: cacheHitRate === undefined ? 'not reported yet' : `${formatPercent(cacheHitRate)} of input cached`,
    'Cache tiers': formatTiers(status),
    Files: files.map(({ path, tokens }) => `${path} (${formatNumber(tokens)})`).join(', ') || 'none (/add PATH)',
    'Model usage': usage,
  };
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join('\n');
}

/** The cache tiers of the last prompt that have content, the most stable first. */
function formatTiers({ tiers }: ChatStatus): string {
  if (tiers === undefined) return 'nothing sent yet';
  const filled = Object.entries(tiers).filter(([, { items }]) => items > 0);
  const described = filled.map(([name, { tokens, items, cached }]) => {
    const isUncached = !cached && name !== 'active';
    return `${name} ${formatNumber(tokens)} tokens in ${formatCount(items, 'item')}${isUncached ? ' (not cached)' : ''}`;
  });
  return described.join(', ') || 'neither files nor earlier messages sent';
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
