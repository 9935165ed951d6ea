import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

/** What is forgotten is gone: it takes a second click. */
export function ForgetButton({ onForget }: { readonly onForget: () => Promise<void> }): VNode {
  const [isSure, setSure] = useState(false);
  if (!isSure) {
    return (
      <button type="button" title="Delete it and its evidence for good" onClick={() => setSure(true)}>
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
