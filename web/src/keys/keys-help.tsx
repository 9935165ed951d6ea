import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isHelpShown, KEYS } from './keyboard.ts';

/** The list of keys. */
export function KeysHelp(): VNode {
  const close = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => close.current?.focus(), []);
  return (
    <section class="keys" role="dialog" aria-modal="true" aria-label="Keys">
      <header>
        <h2>Keys</h2>
        <button
          type="button"
          class="quiet"
          ref={close}
          aria-label="Close the list of keys"
          onClick={() => {
            isHelpShown.value = false;
          }}
        >
          ✕
        </button>
      </header>
      <dl>
        {KEYS.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
