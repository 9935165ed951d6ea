import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** One choice of a {@link PickList}. */
export interface PickItem {
  /** Unique in the list. */
  readonly id: string;
  readonly content: ComponentChildren;
  readonly pick: () => void;
}

/** Choices under a heading. */
export interface PickGroup {
  readonly title: string;
  readonly items: readonly PickItem[];
}

interface PickListProps {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly query: string;
  readonly groups: readonly PickGroup[];
  /** Shown when there is nothing to choose. */
  readonly none: string;
  readonly isBusy?: boolean;
  readonly onQuery: (query: string) => void;
}

const PAGE_STEP = 8;

/** A text box over a list of choices, as the ARIA combobox pattern has it: arrow keys move, Enter chooses. */
export function PickList({ label, placeholder, query, groups, none, isBusy, onQuery }: PickListProps): VNode {
  // By id, because items are inserted before it when the server answers.
  const [chosen, choose] = useState<string>();
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = groups.flatMap((group) => group.items);
  const active = items.find(({ id }) => id === chosen) ?? items[0];
  useLayoutEffect(() => box.current?.focus(), []);
  useLayoutEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));
  const move = (key: string): boolean => {
    const now = items.indexOf(active as PickItem);
    const last = items.length - 1;
    const moveTo = (at: number) => choose(items[at]?.id);
    if (key === 'ArrowDown') moveTo(now >= last ? 0 : now + 1);
    else if (key === 'ArrowUp') moveTo(now <= 0 ? last : now - 1);
    else if (key === 'PageDown') moveTo(Math.min(now + PAGE_STEP, last));
    else if (key === 'PageUp') moveTo(Math.max(now - PAGE_STEP, 0));
    else if (key === 'Enter') active?.pick();
    else return false;
    return true;
  };
  return (
    <div class="pick">
      <input
        ref={box}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="pick-options"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : optionId(active)}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => {
          choose(undefined);
          onQuery(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (!event.isComposing && move(event.key)) event.preventDefault();
        }}
      />
      <div class="pick-options" id="pick-options" role="listbox" aria-label={label} aria-busy={isBusy} ref={list}>
        {groups.map((group) =>
          group.items.length === 0 ? null : (
            <div key={group.title} role="group" aria-label={group.title}>
              <p class="pick-title" aria-hidden="true">
                {group.title}
              </p>
              {group.items.map((item) => (
                <div
                  key={item.id}
                  id={optionId(item)}
                  class="pick-option"
                  role="option"
                  tabIndex={-1}
                  aria-selected={item === active}
                  onPointerMove={() => choose(item.id)}
                  // On mouse down, before the text box loses the focus.
                  onMouseDown={(event) => {
                    event.preventDefault();
                    item.pick();
                  }}
                >
                  {item.content}
                </div>
              ))}
            </div>
          ),
        )}
      </div>
      {items.length > 0 ? null : (
        <p class="pick-none" role="status">
          {none}
        </p>
      )}
    </div>
  );
}

function optionId({ id }: PickItem): string {
  return `pick-${id.replace(/[^\w-]/g, '_')}`;
}
