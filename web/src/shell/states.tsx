import type { ComponentChildren, VNode } from 'preact';
import { InlineCode } from '../text/inline-code.tsx';
import { typedCommand } from './project-store.ts';

/** The shape of a list that is being loaded. It appears after 150 ms, so that fast loads do not flicker. */
export function Skeleton({ rows = 6, label = 'Loading…' }: { readonly rows?: number; readonly label?: string }): VNode {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton-row" />
      ))}
    </div>
  );
}

/** What the server says instead of the data; commands and paths in it as code. */
export function ProblemNotice({ text }: { readonly text: string }): VNode {
  return (
    <p class="empty problem">
      <InlineCode text={text} />
    </p>
  );
}

interface EmptyStateProps {
  /** What is missing: "No sessions yet". */
  readonly title: string;
  /** What will appear here and why there is nothing. */
  readonly children: ComponentChildren;
  /** The one command of yore that fills it, such as `init`. */
  readonly command?: string;
}

/** Shown instead of a list or page without content. */
export function EmptyState({ title, children, command }: EmptyStateProps): VNode {
  return (
    <div class="empty-state">
      <h2>{title}</h2>
      <p>{children}</p>
      {command === undefined ? null : (
        <p class="empty-command">
          <code>{typedCommand(command)}</code>
        </p>
      )}
    </div>
  );
}
