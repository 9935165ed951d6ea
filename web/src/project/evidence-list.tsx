import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Evidence } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';

/** The attempts that something was learned from, fetched when asked for; each leads to its place in its session. */
export function EvidenceList({ id, count }: { readonly id: string; readonly count: number }): VNode {
  const [list, setList] = useState<readonly Evidence[] | string | undefined>();
  const project = projectId.value;
  const load = () => {
    server.call('memory.evidence', { project, id }).then(
      ({ evidence }) => setList(evidence),
      (error) => setList(messageOf(error)),
    );
  };
  return (
    <details class="evidence" onToggle={(event) => event.currentTarget.open && list === undefined && load()}>
      <summary>Evidence ({count.toLocaleString()})</summary>
      {typeof list === 'string' ? <p class="problem">{list}</p> : null}
      {typeof list === 'object' && list.length === 0 ? (
        <p class="fact">The sessions it comes from are not kept any more.</p>
      ) : null}
      <ul>{typeof list === 'object' ? list.map((item) => <Item key={item.id} item={item} />) : null}</ul>
    </details>
  );
}

function Item({ item: { sessionId, id, at, text } }: { readonly item: Evidence }): VNode {
  const sessionProject = projectId.value;
  const browser = { ...EMPTY_BROWSER, session: sessionId, sessionProject, match: id };
  const [first = '', ...rest] = cleanText(text).split('\n');
  return (
    <li>
      <a href={hrefOf({ page: 'history', browser })}>
        <TimeView at={at} /> <code dir="ltr">{first}</code>
      </a>
      {rest.length === 0 ? null : <p class="reason">{rest.join(' ').slice(0, 200)}</p>}
    </li>
  );
}
