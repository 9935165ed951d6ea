import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { updateBrowser } from '../history/browser-store.ts';
import { server } from '../rpc/server.ts';
import { tryCall } from '../shell/notices.ts';
import { cleanText } from '../text/format.ts';

interface LabelProps {
  readonly summary: SessionSummary;
}

type Change = Omit<Parameters<typeof server.call<'history.label'>>[1], 'id' | 'project'>;

/** Renames, stars or tags a session. Resolves to whether that was done. */
function label({ sessionId, project }: SessionSummary, change: Change): Promise<boolean> {
  return tryCall(server.call('history.label', { id: sessionId, project, ...change }));
}

/** The star of a session. */
export function StarButton({ summary }: LabelProps): VNode {
  const isStarred = summary.starred === true;
  return (
    <button
      type="button"
      class={`quiet star-button${isStarred ? ' star' : ''}`}
      aria-pressed={isStarred}
      aria-label="Star this session"
      title={isStarred ? 'Remove the star' : 'Star this session'}
      onClick={() => void label(summary, { starred: !isStarred })}
    >
      {isStarred ? '★' : '☆'}
    </button>
  );
}

/** The title of a session, which its button lets the user change. */
export function EditableTitle({ summary }: LabelProps): VNode {
  const [isEditing, setEditing] = useState(false);
  const title = cleanText(summary.title) || '(no text)';
  if (isEditing) return <TitleInput summary={summary} onDone={() => setEditing(false)} />;
  return (
    <>
      <h2 title={title}>
        <bdi>{title}</bdi>
      </h2>
      <button type="button" class="quiet" onClick={() => setEditing(true)}>
        Rename
      </button>
    </>
  );
}

function TitleInput({ summary, onDone }: LabelProps & { readonly onDone: () => void }): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const save = async () => {
    const title = input.current?.value.trim() ?? '';
    if (title === '' || title === summary.title || (await label(summary, { title }))) onDone();
  };
  return (
    <form
      class="title-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    >
      <input
        ref={input}
        type="text"
        aria-label="Title of the session"
        maxLength={200}
        value={cleanText(summary.title)}
      />
      <button type="submit">Save title</button>
    </form>
  );
}

/** The tags of a session: each filters the list, and can be removed; new ones can be added. */
export function Tags({ summary }: LabelProps): VNode {
  const [isAdding, setAdding] = useState(false);
  const { tags = [] } = summary;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isAdding) input.current?.focus();
  }, [isAdding]);
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag">
          <button type="button" title="Show sessions with this tag" onClick={() => updateBrowser({ tag, row: 0 })}>
            #{cleanText(tag)}
          </button>
          <button
            type="button"
            aria-label={`Remove the tag ${tag}`}
            onClick={() => void label(summary, { tags: tags.filter((other) => other !== tag) })}
          >
            ✕
          </button>
        </span>
      ))}
      {isAdding ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const names = (input.current?.value ?? '').split(',').map((name) => name.trim().replace(/^#/, ''));
            const added = names.filter((name) => name !== '');
            if (added.length > 0) void label(summary, { tags: [...new Set([...tags, ...added])] });
            setAdding(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            setAdding(false);
          }}
        >
          <input ref={input} type="text" aria-label="New tag" placeholder="tag" maxLength={40} size={12} />
        </form>
      ) : (
        <button type="button" class="quiet" onClick={() => setAdding(true)}>
          Add tag
        </button>
      )}
    </span>
  );
}
