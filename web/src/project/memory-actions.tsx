import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MemoryAntiPattern } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { onUndoKey, UNDO_KEY } from '../shell/keyboard.ts';
import { tryCall } from '../shell/notices.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { cleanText } from '../text/format.ts';

type State = MemoryAntiPattern['state'];

/** An action that has been carried out, and how to undo it. */
export interface CompletedAction {
  readonly text: string;
  readonly undo?: () => Promise<boolean>;
}

/** Waits for an action and shows its result. */
export type RunAction = (action: Promise<CompletedAction | undefined>) => Promise<void>;

const METHODS = { active: 'memory.reset', pinned: 'memory.pin', dismissed: 'memory.dismiss' } as const;
const RESULTS: Readonly<Record<State, string>> = {
  active: 'Reset',
  pinned: 'Pinned',
  dismissed: 'Dismissed',
};

/** Pins, dismisses or resets a failure. Undefined when that failed; a notice says why. */
export async function changeFailureState(
  pattern: MemoryAntiPattern,
  state: State,
): Promise<CompletedAction | undefined> {
  const project = currentProjectId.value;
  const { id, state: before } = pattern;
  const set = (next: State) => tryCall(server.call(METHODS[next], { project, id }));
  if (!(await set(state))) return undefined;
  return { text: `${RESULTS[state]}: ${pattern.pattern}`, undo: () => set(before) };
}

/** Deletes a failure or a note with its evidence. This cannot be undone. */
export async function forget(id: string, pattern: string): Promise<CompletedAction | undefined> {
  const isForgotten = await tryCall(server.call('memory.forget', { project: currentProjectId.value, id }));
  return isForgotten ? { text: `Forgotten: ${pattern}` } : undefined;
}

/** Runs the actions of a page, and confirms the last one in a bar that offers to undo it. */
export function useActions(refresh: () => Promise<void>): { readonly runAction: RunAction; readonly bar: VNode } {
  const [completed, setCompleted] = useState<CompletedAction | undefined>();
  const runAction: RunAction = async (action) => {
    const result = await action;
    if (result === undefined) return;
    await refresh();
    setCompleted(result);
  };
  const undo = async (): Promise<void> => {
    if ((await completed?.undo?.()) === true) await refresh();
    setCompleted(undefined);
  };
  return {
    runAction,
    bar: <ActionBar action={completed} onUndo={undo} onClose={() => setCompleted(undefined)} />,
  };
}

interface ActionBarProps {
  readonly action: CompletedAction | undefined;
  readonly onUndo: () => Promise<void>;
  readonly onClose: () => void;
}

/** It stays until it is closed, or until the next action. */
function ActionBar({ action, onUndo, onClose }: ActionBarProps): VNode {
  const undo = action?.undo === undefined ? undefined : onUndo;
  // At once: whoever sees the bar may press the key.
  useLayoutEffect(() => onUndoKey(undo), [action]);
  return (
    <div class={action === undefined ? 'hidden' : 'done-bar'} role="status">
      {action === undefined ? null : (
        <>
          <span>{cleanText(action.text)}</span>
          {undo === undefined ? null : (
            <button type="button" title={`Undo (${UNDO_KEY})`} onClick={() => void undo()}>
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

/** A button that asks for confirmation. */
export function ForgetButton({ onForget }: { readonly onForget: () => Promise<void> }): VNode {
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return (
      <button type="button" title="Delete this and its evidence permanently" onClick={() => setConfirming(true)}>
        Forget
      </button>
    );
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => void onForget()}>
        Forget permanently
      </button>
      <button type="button" class="quiet" onClick={() => setConfirming(false)}>
        Cancel
      </button>
    </>
  );
}
