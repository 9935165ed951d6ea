import type { HTMLAttributes, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { showNotice } from '../shell/notices.ts';
import { attachments, chat } from './chat-store.ts';

/** The images to send with the next question; a click removes one. */
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
          <img src={image} alt={`Attachment ${index + 1}`} /> ✕
        </button>
      ))}
    </div>
  );
}

/** Attaches the images among files that were pasted, dropped or chosen. */
export async function attach(files: Iterable<File>): Promise<void> {
  const { images, problem } = await readImages(files, MAX_IMAGES - attachments.value.length);
  attachments.value = [...new Set([...attachments.value, ...images])];
  if (problem !== undefined) showNotice(problem, 'warning');
}

/** Event handlers that attach dropped images; `isOver` while files are dragged over the element. */
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
      const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
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

const MAX_IMAGES = 5;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

/** Reads the images among files as data URIs, and says why some were left out. */
async function readImages(
  files: Iterable<File>,
  room: number,
): Promise<{ readonly images: readonly string[]; readonly problem?: string }> {
  const all = [...files];
  const valid = all.filter(({ type, size }) => TYPES.test(type) && size <= MAX_IMAGE_BYTES);
  const images = await Promise.all(valid.slice(0, room).map(dataUri));
  if (valid.length < all.length)
    return { images, problem: 'Only PNG, JPEG, GIF and WebP images of up to 5 MB can be sent.' };
  if (valid.length > room) return { images, problem: `You can attach at most ${MAX_IMAGES} images to a message.` };
  return { images };
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
