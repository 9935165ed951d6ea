import { signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ChatStatus } from '../../../src/server/rpc/api.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId, projectParam } from '../shell/project-store.ts';
import { debounce } from '../shell/timing.ts';
import { cleanText, shortNumber } from '../text/format.ts';
import { addChatFile, chat, compact, dropFile } from './chat-store.ts';

const query = signal('');
const found = signal<readonly string[]>([]);
const problem = signal('');
const DEBOUNCE_MS = 150;
const MAX_FILES = 50;

/** Selects the files that are sent with questions. */
export function FilePicker(): VNode {
  const selected = chat.value?.files ?? [];
  const search = useMemo(() => debounce((text: string) => void findFiles(text), DEBOUNCE_MS), []);
  useEffect(() => search.now(query.value), [currentProjectId.value]);
  return (
    <details class="file-picker">
      <summary>
        Files <span class="badge">{selected.length}</span>
      </summary>
      <div class="picker">
        <input
          type="search"
          aria-label="Find a file in the project"
          placeholder="Find a file"
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            search.later(query.value);
          }}
        />
        {problem.value === '' ? null : <p class="problem">{problem.value}</p>}
        <ul>
          {selected.map((path) => (
            <FileChoice key={path} path={path} isSelected />
          ))}
          {found.value
            .filter((path) => !selected.includes(path))
            .slice(0, MAX_FILES)
            .map((path) => (
              <FileChoice key={path} path={path} isSelected={false} />
            ))}
        </ul>
      </div>
    </details>
  );
}

function FileChoice({ path, isSelected }: { readonly path: string; readonly isSelected: boolean }): VNode {
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => void (isSelected ? dropFile(path) : addChatFile(path))}
        />
        <code dir="ltr">{cleanText(path)}</code>
      </label>
    </li>
  );
}

async function findFiles(text: string): Promise<void> {
  try {
    const { files } = await server.call('files.list', {
      ...projectParam(),
      query: text,
    });
    if (text !== query.value) return;
    found.value = files;
    problem.value = '';
  } catch (error) {
    problem.value = errorMessage(error);
  }
}

/** How close the history is to compaction: `good` up to 75 %, `soon` up to 90 %, `full` above. */
function fillLevel(percent: number): 'good' | 'soon' | 'full' {
  if (percent <= 75) return 'good';
  return percent <= 90 ? 'soon' : 'full';
}

/** The size of the history, and what the next prompt contains. */
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
          class={fillLevel(percent)}
          min={0}
          max={100}
          value={Math.min(percent, 100)}
          aria-label="History size as a percentage of the compaction trigger"
        />
        <span class="bar-label">
          {shortNumber(historyTokens)} tokens · {percent} % of {shortNumber(compaction.triggerTokens)}
          {compaction.enabled ? '' : ' (compaction off)'}
          {cacheHitRate === undefined ? '' : ` · cache ${Math.round(cacheHitRate * 100)} %`}
        </span>
      </summary>
      <div class="bar-details">
        <table>
          <caption>Contents of the next prompt</caption>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Tokens</th>
            </tr>
          </thead>
          <tbody>
            <Row name="History" tokens={historyTokens} />
            {files.map(({ path, tokens }) => (
              <Row key={path} name={path} tokens={tokens} />
            ))}
            <Row name="Remaining" tokens={status.remainingTokens} />
          </tbody>
        </table>
        {tiers === undefined ? null : <SentTiers tiers={tiers} />}
        <button type="button" disabled={isReadOnly} onClick={() => void compact()}>
          Compact now
        </button>
      </div>
    </details>
  );
}

/** Where the files and messages of the last prompt were sent. */
function SentTiers({ tiers }: { readonly tiers: NonNullable<ChatStatus['tiers']> }): VNode | null {
  const filled = Object.entries(tiers).filter(([, { items }]) => items > 0);
  if (filled.length === 0) return null;
  return (
    <table>
      <caption>Cache tiers of the last prompt</caption>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cached</th>
        </tr>
      </thead>
      <tbody>
        {filled.map(([tier, { tokens, cached, items }]) => (
          <Row key={tier} name={`${tier}, ${items} ${items === 1 ? 'item' : 'items'}`} tokens={tokens}>
            <td>{cached ? 'yes' : 'no'}</td>
          </Row>
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly name: string;
  readonly tokens: number;
  readonly children?: ComponentChildren;
}

function Row({ name, tokens, children }: RowProps): VNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{tokens.toLocaleString()}</td>
      {children}
    </tr>
  );
}
