import type { VNode } from 'preact';
import type { MemoryPractice } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { cleanText } from '../text/clean-text.ts';
import { ForgetButton } from './forget-button.tsx';
import { forget, type OnDone } from './memory-change.ts';
import { Pattern } from './prose.tsx';

interface ListProps {
  readonly practices: readonly MemoryPractice[];
  readonly isReadOnly: boolean;
  readonly onDone: OnDone;
}

/** What works in the project. */
export function PracticeList({ practices, isReadOnly, onDone }: ListProps): VNode {
  if (practices.length === 0)
    return <p class="fact">Nothing has been learned yet. What works again and again is kept here.</p>;
  return (
    <ul class="cards">
      {practices.map(({ id, pattern, reason, confidence, evidence }) => (
        <li key={pattern} class="card" data-row tabIndex={-1}>
          <div class="card-head">
            <Pattern text={pattern} />
          </div>
          {reason === '' || reason === pattern ? null : <p class="reason">{cleanText(reason)}</p>}
          <div class="card-actions practice-facts">
            <span class="fact">
              {Math.round(confidence * 100)} % sure ·{' '}
              <a href={searchHref(pattern)} title="Find it in the history">
                {cleanText(evidence)}
              </a>
            </span>
            {id === undefined || isReadOnly ? null : (
              <ForgetButton onForget={() => onDone(forget(id, pattern))} />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Where it worked. */
function searchHref(pattern: string): string {
  return hrefOf({ page: 'history', browser: { ...EMPTY_BROWSER, query: pattern.slice(0, 200) } });
}
