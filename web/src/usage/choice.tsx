import type { VNode } from 'preact';
import { replaceParams } from '../router/router.ts';

interface ChoiceProps<T extends string> {
  /** What is chosen. */
  readonly label: string;
  /** The parameter of the address that holds the choice. */
  readonly name: string;
  readonly choices: Readonly<Record<T, string>>;
  readonly value: T;
}

/** A few choices side by side, of which one is chosen. The address holds it. */
export function Choice<T extends string>({ label, name, choices, value }: ChoiceProps<T>): VNode {
  return (
    <div class="choice" role="group" aria-label={label}>
      {Object.entries<string>(choices).map(([key, title]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => replaceParams({ [name]: key })}>
          {title}
        </button>
      ))}
    </div>
  );
}
