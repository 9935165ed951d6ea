import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SentMessage } from '../../../src/server/rpc/api.ts';
import { addToPrompt } from '../chat/draft.ts';
import { outline } from '../reader/reader-store.ts';
import { imageUrl } from '../rpc/server.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { cleanText } from '../text/format.ts';
import { MarkdownView } from '../text/markdown-view.tsx';

/** A message of a session; its images are loaded by name. */
type ShownMessage = Omit<SentMessage, 'images'>;

/** A message with its images and actions. */
export function MessageView(props: {
  readonly message: ShownMessage;
  readonly project: string;
  readonly isMatch: boolean;
}): VNode {
  const { message, project, isMatch } = props;
  const role = message.kind === 'checkpoint' ? 'summary' : message.role;
  const who = message.foreign ? `foreign ${role}` : role;
  const author = message.author === undefined ? undefined : cleanText(message.author);
  const speaker = author === undefined ? who : role === 'user' ? author : `${who} of ${author}`;
  return (
    <article
      class={`message ${who}${isMatch ? ' is-match' : ''}`}
      data-message={message.id}
      tabIndex={-1}
      aria-label={`${speaker} message`}
    >
      <header class="message-head">
        <bdi class="who">{speaker}</bdi>
        {message.model === undefined || isOnlyModel(message.model) ? null : (
          <span class="fact model">{cleanText(message.model)}</span>
        )}
        <span class="message-actions">
          <button type="button" class="quiet" onClick={() => void copyWithNotice(message.content)}>
            Copy
          </button>
          <button type="button" class="quiet" onClick={() => addToPrompt(message.content)}>
            Add to prompt
          </button>
        </span>
      </header>
      <MarkdownView text={message.content} />
      <Images project={project} names={message.imageRefs ?? []} />
      <FileEdits message={message} />
    </article>
  );
}

/** Whether all replies of the session are from this model, which its head names then. */
function isOnlyModel(model: string): boolean {
  const { models = [] } = outline.value?.outline ?? {};
  return models.length === 1 && models[0] === model;
}

const MAX_NOTICE_LENGTH = 300;

/** What the program said in the name of the user or the agent: one quiet line that a click opens. */
export function NoticeView({ message, isMatch }: { readonly message: ShownMessage; readonly isMatch: boolean }): VNode {
  const [isOpen, setOpen] = useState(false);
  const text = cleanText(message.content).trim();
  const line =
    text
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim() || text;
  return (
    <article
      class={`message notice${isMatch ? ' is-match' : ''}`}
      data-message={message.id}
      tabIndex={-1}
      aria-label="notice"
    >
      <button type="button" class="notice-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {line.slice(0, MAX_NOTICE_LENGTH)}
      </button>
      {isOpen ? <MarkdownView text={message.content} /> : null}
    </article>
  );
}

/** The files that a reply changed; a click on one shows the changed lines. */
function FileEdits({
  message: { filesModified = [], editResults = [] },
}: {
  readonly message: ShownMessage;
}): VNode | null {
  const shown = new Set(editResults.map(({ path }) => path));
  const others = filesModified.filter((path) => !shown.has(path)).map((path) => ({ path }));
  const edits: NonNullable<SentMessage['editResults']> = [...editResults, ...others];
  if (edits.length === 0) return null;
  return (
    <div class="file-edits">
      {edits.map((edit, index) => (
        <details key={index}>
          <summary>
            <span class="fact">{cleanText(edit.status ?? edit.change ?? 'changed')}</span>{' '}
            <code dir="ltr">{cleanText(edit.path)}</code>
          </summary>
          {edit.diff === undefined ? null : (
            <pre class="plain output diff" tabIndex={0}>
              {cleanText(edit.diff)
                .split('\n')
                .map((line, row) => (
                  <span key={row} class={DIFF_CLASSES[line.charAt(0)]}>{`${line}\n`}</span>
                ))}
            </pre>
          )}
        </details>
      ))}
    </div>
  );
}

const DIFF_CLASSES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' };

/** The images of a message as thumbnails that open the full size. */
export function Images({
  project,
  names,
}: {
  readonly project: string;
  readonly names: readonly string[];
}): VNode | null {
  if (names.length === 0) return null;
  return (
    <div class="thumbnails">
      {names.map((name, index) => (
        <a key={name} href={imageUrl(project, name)} target="_blank" rel="noopener noreferrer">
          <img src={imageUrl(project, name)} alt={`Attachment ${index + 1}`} loading="lazy" />
        </a>
      ))}
    </div>
  );
}
