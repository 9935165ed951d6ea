import type { HTMLAttributes, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { tell } from '../shell/notices.ts';
import { attachments, chat } from './chat-store.ts';
import { MOST_IMAGES, readImages } from './read-images.ts';

/** Images that go with the next question; a click takes one away. */
export function AttachedImages(): VNode | null {
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

/** Takes images among files that were pasted, dropped or chosen. */
export async function attach(files: Iterable<File>): Promise<void> {
  const { images, problem } = await readImages(files, MOST_IMAGES - attachments.value.length);
  attachments.value = [...new Set([...attachments.value, ...images])];
  if (problem !== undefined) tell(problem, 'warning');
}

/** Takes images that are dropped onto an element; `isOver` while something is held over it. */
export function useDroppedImages(): {
  readonly isOver: boolean;
  readonly handlers: HTMLAttributes<HTMLElement>;
} {
  const [isOver, setOver] = useState(false);
  const handlers: HTMLAttributes<HTMLElement> = {
    onDragOver: (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true || chat.value?.isReadOnly !== false) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event) => {
      const isInside =
        event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
      if (!isInside) setOver(false);
    },
    onDrop: (event) => {
      setOver(false);
      const files = event.dataTransfer?.files;
      if (files === undefined || files.length === 0 || chat.value?.isReadOnly !== false) return;
      event.preventDefault();
      void attach(files);
    },
  };
  return { isOver, handlers };
}
