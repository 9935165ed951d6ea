import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { tell } from '../shell/notices.ts';
import { attachments, cancel, chat, isSending, send } from './chat-store.ts';
import { draft, focusWishes } from './draft.ts';
import { MOST_IMAGES, readImages } from './read-images.ts';
import { RecalledPrompts } from './recalled-prompts.ts';

const recalled = new RecalledPrompts();
const MOST_ROWS = 12;

/** Where questions are typed. Enter sends, Shift+Enter makes a line, Up brings earlier ones back. */
export function PromptInput(): VNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const wishes = focusWishes.value;
  useEffect(() => area.current?.focus(), [wishes]);
  const isBusy = chat.value?.streaming !== null && chat.value !== undefined;
  const isReadOnly = chat.value?.isReadOnly === true;
  const isLocked = chat.value === undefined || chat.value.isCompacting || isReadOnly;
  const rows = Math.min(draft.value.split('\n').length, MOST_ROWS);
  const submit = () => {
    recalled.leave();
    void send();
  };
  return (
    <form
      class="prompt"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && !isLocked) submit();
      }}
    >
      <Attachments />
      <textarea
        ref={area}
        rows={Math.max(rows, 2)}
        aria-label="Message"
        placeholder={placeholder(isReadOnly)}
        value={draft.value}
        disabled={isLocked}
        onInput={(event) => {
          recalled.leave();
          draft.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            if (!isBusy && !isLocked) submit();
          } else void recallByKey(event);
        }}
        onPaste={(event) => {
          const files = event.clipboardData?.files;
          if (files === undefined || files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
      />
      <div class="prompt-actions">
        <label class="button quiet">
          Add image
          <input
            type="file"
            class="hidden"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            onChange={(event) => void attach(event.currentTarget.files ?? [])}
          />
        </label>
        <span class="hint">Enter sends · Shift+Enter: new line · ↑ earlier prompts</span>
        {isBusy ? (
          <button type="button" onClick={() => void cancel()}>
            Stop
          </button>
        ) : (
          <button
            type="submit"
            class="primary"
            disabled={isLocked || isSending.value || draft.value.trim() === ''}
          >
            Send
          </button>
        )}
      </div>
    </form>
  );
}

function placeholder(isReadOnly: boolean): string {
  if (isReadOnly) return 'This server only lets you read';
  return chat.value?.isCompacting === true ? 'Compacting…' : 'Ask about this project';
}

function Attachments(): VNode | null {
  if (attachments.value.length === 0) return null;
  return (
    <div class="thumbnails">
      {attachments.value.map((image, index) => (
        <button
          key={image}
          type="button"
          class="quiet"
          aria-label={`Remove image ${index + 1}`}
          onClick={() => {
            attachments.value = attachments.value.filter((other) => other !== image);
          }}
        >
          <img src={image} alt={`To be sent ${index + 1}`} /> ✕
        </button>
      ))}
    </div>
  );
}

async function attach(files: Iterable<File>): Promise<void> {
  const { images, problem } = await readImages(files, MOST_IMAGES - attachments.value.length);
  attachments.value = [...new Set([...attachments.value, ...images])];
  if (problem !== undefined) tell(problem, 'warning');
}

async function recallByKey(
  event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement },
): Promise<void> {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  const { selectionStart, value } = event.currentTarget;
  const isUp = event.key === 'ArrowUp';
  const isAtEdge = isUp
    ? !value.slice(0, selectionStart).includes('\n')
    : !value.slice(selectionStart).includes('\n');
  if (!isAtEdge || (!isUp && !recalled.isRecalling)) return;
  event.preventDefault();
  const prompt = isUp ? await recalled.older(value) : recalled.newer();
  if (prompt !== undefined) draft.value = prompt;
}
