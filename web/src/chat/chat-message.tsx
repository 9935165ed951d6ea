import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import type { DisplayMessage } from '../../../src/server/rpc/api.ts';
import { Images } from '../history/message-view.tsx';
import { tell } from '../shell/notices.ts';
import { copyText } from '../text/code-blocks.ts';
import { ReplyText } from '../text/markdown-view.tsx';
import { TimeView } from '../text/time-view.tsx';

/** How the chat marks a reply that the user stopped. */
const STOPPED = /\n\n\[stopped by the user\]$/;

/** A message of the history, or a reply that is none: one that grows, or one that was broken off. */
export type ReplyState = 'kept' | 'growing' | 'broken off';

interface ChatMessageProps {
  readonly message: DisplayMessage;
  readonly project: string;
  readonly state: ReplyState;
}

/** Something that was said. */
export const ChatMessage = memo(function Message({ message, project, state }: ChatMessageProps): VNode {
  const who = message.kind === 'checkpoint' ? 'summary' : message.role;
  const isStopped = who === 'assistant' && STOPPED.test(message.content);
  const text = isStopped ? message.content.replace(STOPPED, '') : message.content;
  const isGrowing = state === 'growing';
  return (
    <article
      class={`message ${who}${isGrowing ? ' is-growing' : ''}`}
      data-message={state === 'kept' ? message.id : undefined}
      aria-label={LABELS[state] ?? `${who} message`}
    >
      <header class="message-head">
        <span class="who">{who}</span>
        {isStopped ? <span class="badge">stopped</span> : null}
        {state === 'broken off' ? <span class="badge failure">broken off</span> : null}
        {message.timestamp === undefined ? null : <TimeView at={message.timestamp} />}
        {isGrowing ? null : (
          <span class="message-actions">
            <button type="button" class="quiet" onClick={() => void copyMessage(text)}>
              Copy
            </button>
          </span>
        )}
      </header>
      {text === '' && isGrowing ? <p class="waiting">…</p> : <ReplyText text={text} isGrowing={isGrowing} />}
      <Images project={project} names={message.imageRefs ?? []} />
    </article>
  );
});

const LABELS: Readonly<Record<ReplyState, string | undefined>> = {
  kept: undefined,
  growing: 'Reply in the making',
  'broken off': 'Reply that was broken off',
};

async function copyMessage(text: string): Promise<void> {
  if (await copyText(text)) tell('Copied');
}
