import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MemoryWarning } from '../../../src/server/rpc/api.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';
import { Prose } from './prose.tsx';
import { ENDS } from './warning-ends.ts';
import { warningHref } from './warning-href.ts';

const SHOWN_AT_FIRST = 20;

/** Warnings one by one, the latest first. */
export function WarningTable({ warnings }: { readonly warnings: readonly MemoryWarning[] }): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? warnings : warnings.slice(0, SHOWN_AT_FIRST);
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Warnings given">
      <table class="warnings">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Command</th>
            <th scope="col">What was said</th>
            <th scope="col">How it ended</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((warning) => (
            <tr key={warning.id} data-row tabIndex={-1}>
              <td>
                <a href={warningHref(warning)}>
                  <TimeView at={warning.at} />
                </a>
              </td>
              <td>
                <code dir="ltr">{cleanText(warning.command)}</code>
              </td>
              <td class="said">
                <Prose text={warning.reason} />
              </td>
              <td class={ENDS[warning.ended].tone}>{ENDS[warning.ended].name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === warnings.length ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {warnings.length}
        </button>
      )}
    </div>
  );
}
