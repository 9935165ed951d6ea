import type { VNode } from 'preact';
import type { ChatStatus } from '../../../src/server/rpc/api.ts';
import { shortCount } from '../text/relative-time.ts';
import { compact } from './chat-store.ts';

/** How full the history is: `good` up to 75 %, `soon` up to 90 %, `full` above, of where it is shortened. */
function fullness(percent: number): 'good' | 'soon' | 'full' {
  if (percent <= 75) return 'good';
  return percent <= 90 ? 'soon' : 'full';
}

/** How much of what the history may take is taken, and what the prompt is made of. */
export function HistoryBar({
  status,
  isReadOnly,
}: {
  readonly status: ChatStatus;
  readonly isReadOnly: boolean;
}): VNode {
  const { compaction, historyTokens, cacheHitRate, files, tiers } = status;
  const percent = Math.round(compaction.percent);
  return (
    <details class="history-bar">
      <summary>
        <meter
          class={fullness(percent)}
          min={0}
          max={100}
          value={Math.min(percent, 100)}
          aria-label="History, percent of the compaction trigger"
        />
        <span class="bar-label">
          {shortCount(historyTokens)} tokens · {percent} % of {shortCount(compaction.triggerTokens)}
          {compaction.enabled ? '' : ' (compaction off)'}
          {cacheHitRate === undefined ? '' : ` · cache ${Math.round(cacheHitRate * 100)} %`}
        </span>
      </summary>
      <div class="bar-details">
        <table>
          <caption>What the next prompt is made of</caption>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Tokens</th>
              <th scope="col">Cached</th>
            </tr>
          </thead>
          <tbody>
            <Row name="History" tokens={historyTokens} />
            {files.map(({ path, tokens }) => (
              <Row key={path} name={path} tokens={tokens} />
            ))}
            {Object.entries(tiers ?? {}).map(([tier, { tokens, cached, items }]) => (
              <Row
                key={tier}
                name={`Tier ${tier}, ${items} ${items === 1 ? 'item' : 'items'}`}
                tokens={tokens}
                cached={cached ? 'yes' : 'no'}
              />
            ))}
            <Row name="Room left" tokens={status.remainingTokens} />
          </tbody>
        </table>
        <button type="button" disabled={isReadOnly} onClick={() => void compact()}>
          Compact now
        </button>
      </div>
    </details>
  );
}

interface RowProps {
  readonly name: string;
  readonly tokens: number;
  readonly cached?: string;
}

function Row({ name, tokens, cached = '' }: RowProps): VNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{tokens.toLocaleString()}</td>
      <td>{cached}</td>
    </tr>
  );
}
