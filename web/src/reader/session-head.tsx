import type { VNode } from 'preact';
import type { SessionOutline, SessionSummary, UsageSums } from '../../../src/server/rpc/api.ts';
import { showNextAttempt } from '../history/browser-store.ts';
import { AgentIcon, Counts } from '../history/session-row.tsx';
import { toHref } from '../router/router.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { projectName } from '../shell/project-store.ts';
import {
  cleanText,
  costText,
  formatDuration,
  formatQuantity,
  fullTime,
  shareText,
  shortNumber,
} from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { LineCounts } from './diff-view.tsx';
import { isOutlineOpen, openFind } from './reader-store.ts';
import { EditableTitle, StarButton, Tags } from './session-labels.tsx';
import { SessionMenu } from './session-menu.tsx';

interface HeadProps {
  readonly summary: SessionSummary;
  readonly project: string;
  /** Undefined until it is loaded. */
  readonly outline: SessionOutline | undefined;
}

/** What a session is called, what it was, and what can be done with it. */
export function SessionHead({ summary, project, outline }: HeadProps): VNode {
  return (
    <header class="session-head">
      <div class="session-title">
        <AgentIcon agent={summary.agent} />
        <StarButton summary={summary} />
        <EditableTitle summary={summary} />
        <Counts session={summary} onShow={(outcome) => void showNextAttempt(summary.sessionId, project, outcome)} />
      </div>
      <div class="session-facts">
        <Facts summary={summary} outline={outline} />
        <Tags summary={summary} />
      </div>
      <div class="session-tools">
        <button
          type="button"
          class="quiet outline-toggle"
          aria-pressed={isOutlineOpen.value}
          onClick={() => {
            isOutlineOpen.value = !isOutlineOpen.value;
          }}
        >
          Outline
        </button>
        <button type="button" class="quiet" title="Ctrl F" onClick={openFind}>
          Find
        </button>
        <button
          type="button"
          class="quiet session-id"
          title="Copy the id of the session"
          aria-label={`Copy the id ${summary.sessionId}`}
          onClick={() => void copyWithNotice(summary.sessionId)}
        >
          <code dir="ltr">{cleanText(summary.sessionId)}</code>
        </button>
        <SessionMenu summary={summary} resume={outline?.resume} />
      </div>
    </header>
  );
}

function Facts({ summary, outline }: Omit<HeadProps, 'project'>): VNode {
  const { agent, author, branch, timestamp, lastActivity } = summary;
  const ms = Date.parse(lastActivity) - Date.parse(timestamp);
  const added = outline?.files.reduce((sum, file) => sum + file.added, 0) ?? 0;
  const removed = outline?.files.reduce((sum, file) => sum + file.removed, 0) ?? 0;
  return (
    <>
      <Time at={lastActivity} />
      {agent === undefined ? null : <span class="fact">{cleanText(agent)}</span>}
      {(outline?.models ?? []).map((model) => (
        <span key={model} class="fact model">
          {cleanText(model)}
        </span>
      ))}
      <bdi class="fact">{projectName(summary.project)}</bdi>
      {author === undefined ? null : <bdi class="fact author">by {cleanText(author)}</bdi>}
      {branch === undefined ? null : <bdi class="fact branch">{cleanText(branch)}</bdi>}
      {ms < 1000 ? null : (
        <span class="fact" title={`From ${fullTime(timestamp)} to ${fullTime(lastActivity)}`}>
          {describeTime(ms, outline?.usage?.activeMs)}
        </span>
      )}
      {outline?.usage === undefined ? null : <Tokens usage={outline.usage} />}
      {outline === undefined || outline.files.length === 0 ? null : (
        <button
          type="button"
          class="quiet fact"
          title="Show the files"
          onClick={() => {
            isOutlineOpen.value = !isOutlineOpen.value;
          }}
        >
          {formatQuantity(outline.files.length, 'file')} <LineCounts added={added} removed={removed} />
        </button>
      )}
    </>
  );
}

/** How long a session was worked on, and over which span where that is much longer. */
function describeTime(ms: number, activeMs: number | undefined): string {
  if (activeMs === undefined || activeMs < 1000) return `${formatDuration(ms)} long`;
  const active = `${formatDuration(activeMs)} of work`;
  return ms > 2 * activeMs ? `${active} over ${formatDuration(ms)}` : active;
}

function Tokens({ usage }: { readonly usage: UsageSums }): VNode | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost, pricedShare } = usage;
  const total = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  if (total === 0) return null;
  const parts = [
    `${inputTokens.toLocaleString()} in`,
    `${outputTokens.toLocaleString()}${usage.incompleteReplies > 0 ? ' or more' : ''} out`,
    `${cacheReadTokens.toLocaleString()} read from the cache`,
    `${cacheWriteTokens.toLocaleString()} written to it`,
  ];
  return (
    <a class="fact" href={toHref({ page: 'usage' })} title={`Tokens: ${parts.join(', ')}. The cost is an estimate.`}>
      {shortNumber(total)} tokens, {cost === undefined ? 'price unknown' : costText(cost)}
      {cost !== undefined && pricedShare < 1 ? ` (${shareText(pricedShare)})` : ''}
    </a>
  );
}
