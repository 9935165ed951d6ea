import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type {
  Evidence,
  MemoryAntiPattern,
  MemoryPractice,
  MemoryWarning,
  ProjectMemory,
} from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';
import { tell } from '../shell/notices.ts';
import { projectId } from '../shell/project-store.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';

type Change = 'memory.dismiss' | 'memory.pin' | 'memory.reset' | 'memory.forget';
type OnChange = (change: Change, id: string) => Promise<void>;

/** What was learned in the project, with what to do about it. */
export function MemoryPage(): VNode {
  const project = projectId.value;
  const { value, error, again } = useAnswer(project, () => server.call('memory.get', { project }));
  const onChange: OnChange = async (change, id) => {
    try {
      await server.call(change, { project, id });
      again();
    } catch (thrown) {
      tell(messageOf(thrown), 'warning');
    }
  };
  if (value === undefined && error !== undefined) return <p class="empty problem">{error}</p>;
  if (value === undefined)
    return (
      <p class="empty" aria-busy="true">
        Loading…
      </p>
    );
  return <Memory memory={value} onChange={onChange} />;
}

function Memory({
  memory,
  onChange,
}: {
  readonly memory: ProjectMemory;
  readonly onChange: OnChange;
}): VNode {
  const { antiPatterns, bestPractices, warnings } = memory;
  return (
    <section class="page memory" aria-label="Memory">
      <header class="page-head">
        <h1>Memory</h1>
      </header>
      <h2>What fails here</h2>
      {antiPatterns.length === 0 ? <p class="fact">Nothing is known to fail.</p> : null}
      <ul class="cards">
        {antiPatterns.map((pattern) => (
          <AntiPatternCard key={pattern.id} pattern={pattern} onChange={onChange} />
        ))}
      </ul>
      <h2>What works here</h2>
      {bestPractices.length === 0 ? <p class="fact">Nothing has been learned yet.</p> : null}
      <ul class="cards">
        {bestPractices.map((practice) => (
          <PracticeCard key={practice.pattern} practice={practice} onChange={onChange} />
        ))}
      </ul>
      <h2>Warnings given</h2>
      {warnings.length === 0 ? (
        <p class="fact">No warning has been given yet.</p>
      ) : (
        <Warnings warnings={warnings} />
      )}
    </section>
  );
}

function AntiPatternCard({
  pattern,
  onChange,
}: {
  readonly pattern: MemoryAntiPattern;
  readonly onChange: OnChange;
}): VNode {
  const { id, kind, state, reason, count, occurredAt, alternative } = pattern;
  return (
    <li class={`card ${state}`} data-row tabIndex={-1}>
      <div class="card-head">
        <code dir="ltr">{cleanText(pattern.pattern)}</code>
        {state === 'active' ? null : <span class="badge">{state}</span>}
        <span class="fact">
          {kind === 'note' ? 'noted' : `${count} ×, last`} <TimeView at={occurredAt} />
        </span>
      </div>
      <p>{cleanText(reason)}</p>
      {alternative === undefined ? null : (
        <p class="instead">
          Worked instead: <code dir="ltr">{cleanText(alternative)}</code>
        </p>
      )}
      <div class="card-actions">
        {kind === 'failure' ? <EvidenceList id={id} count={count} /> : null}
        {kind === 'failure' && state !== 'pinned' ? (
          <Action name="Pin" onClick={() => onChange('memory.pin', id)} />
        ) : null}
        {kind === 'failure' && state !== 'dismissed' ? (
          <Action name="Dismiss" onClick={() => onChange('memory.dismiss', id)} />
        ) : null}
        {kind === 'failure' && state !== 'active' ? (
          <Action name="Reset" onClick={() => onChange('memory.reset', id)} />
        ) : null}
        <Forget onForget={() => onChange('memory.forget', id)} />
      </div>
    </li>
  );
}

function PracticeCard({
  practice,
  onChange,
}: {
  readonly practice: MemoryPractice;
  readonly onChange: OnChange;
}): VNode {
  const { id, pattern, reason, evidence, confidence } = practice;
  return (
    <li class="card" data-row tabIndex={-1}>
      <div class="card-head">
        <code dir="ltr">{cleanText(pattern)}</code>
        <span class="fact">
          {Math.round(confidence * 100)} % sure · {cleanText(evidence)}
        </span>
      </div>
      <p>{cleanText(reason)}</p>
      {id === undefined ? null : (
        <div class="card-actions">
          <Forget onForget={() => onChange('memory.forget', id)} />
        </div>
      )}
    </li>
  );
}

function Action({ name, onClick }: { readonly name: string; readonly onClick: () => Promise<void> }): VNode {
  return (
    <button type="button" onClick={() => void onClick()}>
      {name}
    </button>
  );
}

/** What is forgotten is gone: it takes a second click. */
function Forget({ onForget }: { readonly onForget: () => Promise<void> }): VNode {
  const [isSure, setSure] = useState(false);
  if (!isSure) {
    return (
      <button type="button" onClick={() => setSure(true)}>
        Forget
      </button>
    );
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => void onForget()}>
        Forget for good
      </button>
      <button type="button" class="quiet" onClick={() => setSure(false)}>
        Keep
      </button>
    </>
  );
}

function EvidenceList({ id, count }: { readonly id: string; readonly count: number }): VNode {
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
      <summary>Evidence ({count})</summary>
      {typeof list === 'string' ? <p class="problem">{list}</p> : null}
      <ul>
        {typeof list === 'object'
          ? list.map(({ sessionId, id: match, at, text }) => {
              const browser = { ...EMPTY_BROWSER, session: sessionId, sessionProject: project, match };
              return (
                <li key={match}>
                  <a href={hrefOf({ page: 'history', browser })}>
                    <TimeView at={at} /> <code dir="ltr">{cleanText(text)}</code>
                  </a>
                </li>
              );
            })
          : null}
      </ul>
    </details>
  );
}

const ENDS: Readonly<Record<MemoryWarning['ended'], readonly [text: string, tone: string]>> = {
  heeded: ['heeded', 'success'],
  'overridden-failed': ['overridden, failed', 'failure'],
  'overridden-succeeded': ['overridden, succeeded', 'success'],
  open: ['not yet known', ''],
};

function Warnings({ warnings }: { readonly warnings: readonly MemoryWarning[] }): VNode {
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
          {warnings.map(({ id, at, command, reason, ended, sessionId }) => (
            <tr key={id}>
              <td>
                <a
                  href={hrefOf({
                    page: 'history',
                    browser: { ...EMPTY_BROWSER, session: sessionId, sessionProject: projectId.value },
                  })}
                >
                  <TimeView at={at} />
                </a>
              </td>
              <td>
                <code dir="ltr">{cleanText(command)}</code>
              </td>
              <td>{cleanText(reason)}</td>
              <td class={ENDS[ended][1]}>{ENDS[ended][0]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
