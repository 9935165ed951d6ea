import type { VNode } from 'preact';
import { projectId, projects } from '../shell/project-store.ts';

/** In place of a page that has nothing to show: it is being fetched, there is no project yet, or something is wrong. */
export function Unavailable({ error }: { readonly error: string | undefined }): VNode {
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (projects.value !== undefined && projectId.value === '')
    return (
      <p class="empty">
        Nothing has been recorded yet. Sessions appear here while agents work; <code>yore import</code> brings
        in what they wrote on this machine before.
      </p>
    );
  return (
    <p class="empty" aria-busy="true">
      Loading…
    </p>
  );
}
