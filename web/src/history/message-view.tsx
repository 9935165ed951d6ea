import type { ComponentChild, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Attempt, Message } from '../../../src/server/rpc/api.ts';
import { addToPrompt } from '../chat/draft.ts';
import { imageUrl } from '../rpc/server.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { cleanText, formatDuration } from '../text/format.ts';
import { MarkdownView } from '../text/markdown-view.tsx';
import { Time } from '../text/time-view.tsx';

const MAX_LINE_LENGTH = 400;
const MAX_OUTPUT_LENGTH = 4_000;

/** A message with its images and actions. */
export function MessageView(props: {
  readonly message: Message;
  readonly project: string;
  readonly isMatch: boolean;
}): VNode {
  const { message, project, isMatch } = props;
  const role = message.kind === 'checkpoint' ? 'summary' : message.role;
  const who = message.foreign ? `foreign ${role}` : role;
  return (
    <article
      class={`message ${who}${isMatch ? ' is-match' : ''}`}
      data-message={message.id}
      aria-label={`${who} message`}
    >
      <header class="message-head">
        <span class="who">{who}</span>
        {message.model === undefined ? null : <span class="fact model">{cleanText(message.model)}</span>}
        <Time at={message.timestamp} />
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

/** The files that a reply changed; a click on one shows the changed lines. */
function FileEdits({ message: { filesModified = [], editResults = [] } }: { readonly message: Message }): VNode | null {
  const shown = new Set(editResults.map(({ path }) => path));
  const others = filesModified.filter((path) => !shown.has(path)).map((path) => ({ path }));
  const edits: NonNullable<Message['editResults']> = [...editResults, ...others];
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

const SIGNS: Readonly<Record<string, string>> = { success: '✓', failure: '✗' };

/** An attempt on one line; a click shows its result. */
export function AttemptView({ attempt, isMatch }: { readonly attempt: Attempt; readonly isMatch: boolean }): VNode {
  const [isOpen, setOpen] = useState(isMatch);
  const what = attempt.command ?? attempt.path ?? attempt.pattern ?? attempt.description ?? attempt.tool ?? '';
  const label = attempt.kind === 'feedback' ? describeFeedback(attempt) : cleanText(attempt.tool ?? what);
  const output = attempt.error ?? attempt.result ?? '';
  const tone = attempt.outcome === 'success' || attempt.outcome === 'failure' ? attempt.outcome : 'other';
  return (
    <article
      class={`attempt ${tone}${isMatch ? ' is-match' : ''}`}
      data-message={attempt.id}
      aria-label={`Attempt: ${attempt.outcome}`}
    >
      <button type="button" class="attempt-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="sign" title={attempt.outcome}>
          {SIGNS[attempt.outcome] ?? '·'}
          <span class="hidden">{attempt.outcome}</span>
        </span>
        {label === what ? null : <span class="fact">{label}</span>}
        <code dir="ltr">{cleanText(what.slice(0, MAX_LINE_LENGTH))}</code>
        {attempt.durationMs === undefined ? null : <span class="fact">{formatDuration(attempt.durationMs)}</span>}
      </button>
      {!isOpen && attempt.outcome === 'failure' && output !== '' ? (
        <p class="attempt-error">{firstLine(output)}</p>
      ) : null}
      {isOpen ? <Details attempt={attempt} what={what} output={output} /> : null}
    </article>
  );
}

/** The user's feedback on an earlier attempt. */
function describeFeedback({ outcome }: Attempt): string {
  return outcome === 'success' ? 'You said it worked' : 'You said it did not work';
}

function Details({
  attempt,
  what,
  output,
}: {
  readonly attempt: Attempt;
  readonly what: string;
  readonly output: string;
}): VNode {
  const facts: ComponentChild[] = [
    attempt.outcome,
    ...(attempt.kind === undefined ? [] : [cleanText(attempt.kind)]),
    ...(attempt.exitCode === undefined ? [] : [`exit code ${attempt.exitCode}`]),
    ...(attempt.cwd === undefined ? [] : [`in ${cleanText(attempt.cwd)}`]),
  ];
  return (
    <div class="attempt-details">
      <p class="facts">
        {facts.join(' · ')} · <Time at={attempt.timestamp} />
        <button type="button" class="quiet" onClick={() => void copyWithNotice(what)}>
          Copy
        </button>
      </p>
      {what.length > MAX_LINE_LENGTH ? <pre class="plain">{cleanText(what.slice(0, MAX_OUTPUT_LENGTH))}</pre> : null}
      {output === '' ? null : (
        <pre class="plain output" tabIndex={0}>
          {cleanText(output.slice(0, MAX_OUTPUT_LENGTH))}
        </pre>
      )}
    </div>
  );
}

function firstLine(text: string): string {
  const line = cleanText(text.slice(0, MAX_LINE_LENGTH))
    .split('\n')
    .find((part) => part.trim() !== '');
  return line ?? '';
}
