import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectMemory } from '../../../src/server/rpc/api.ts';
import { chat } from '../chat/chat-store.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { AntiPatternList } from './anti-pattern-list.tsx';
import type { Done, OnDone } from './memory-change.ts';
import { PracticeList } from './practice-list.tsx';
import { Unavailable } from './unavailable.tsx';
import { useLiveAnswer } from './use-live-answer.ts';
import { WarningsGiven } from './warnings-given.tsx';

/** What was learned in the project, with what to do about it. */
export function MemoryPage(): VNode {
  const project = projectId.value;
  const { value, error, again } = useLiveAnswer(project, () => server.call('memory.get', { project }));
  const [done, setDone] = useState<Done | undefined>();
  const onDone: OnDone = async (doing) => {
    const result = await doing;
    if (result === undefined) return;
    await again();
    setDone(result);
  };
  if (value === undefined) return <Unavailable error={error} />;
  return (
    <section class="page memory" aria-label="Memory">
      <header class="page-head">
        <h1>Memory</h1>
        <Totals memory={value} />
      </header>
      <div class="memory-columns">
        <section>
          <h2>What fails here</h2>
          <AntiPatternList patterns={value.antiPatterns} isReadOnly={isReadOnly()} onDone={onDone} />
        </section>
        <section>
          <h2>What works here</h2>
          <PracticeList practices={value.bestPractices} isReadOnly={isReadOnly()} onDone={onDone} />
        </section>
      </div>
      <h2 id="warnings">Warnings given</h2>
      <WarningsGiven memory={value} />
      <DoneBar
        done={done}
        onUndo={async () => {
          if ((await done?.undo?.()) === true) await again();
          setDone(undefined);
        }}
        onClose={() => setDone(undefined)}
      />
    </section>
  );
}

function isReadOnly(): boolean {
  return chat.value?.isReadOnly === true;
}

function Totals({
  memory: { antiPatterns, bestPractices, warningTotals },
}: {
  readonly memory: ProjectMemory;
}): VNode {
  const given = Object.values(warningTotals).reduce((sum, count) => sum + count, 0);
  const named = (count: number, one: string, many: string) =>
    `${count.toLocaleString()} ${count === 1 ? one : many}`;
  return (
    <span class="fact">
      {named(antiPatterns.length, 'thing that fails', 'things that fail')} ·{' '}
      {named(bestPractices.length, 'that works', 'that work')} · {named(given, 'warning', 'warnings')}
    </span>
  );
}

interface DoneBarProps {
  readonly done: Done | undefined;
  readonly onUndo: () => Promise<void>;
  readonly onClose: () => void;
}

/** Says what was done and takes it back on a click. It stays until it is closed or something else is done. */
function DoneBar({ done, onUndo, onClose }: DoneBarProps): VNode {
  return (
    <div class={done === undefined ? 'hidden' : 'done-bar'} role="status">
      {done === undefined ? null : (
        <>
          <span>{cleanText(done.text)}</span>
          {done.undo === undefined ? null : (
            <button type="button" onClick={() => void onUndo()}>
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </>
      )}
    </div>
  );
}
