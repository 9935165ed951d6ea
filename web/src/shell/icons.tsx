import type { VNode } from 'preact';

/** Outlines on a grid of 16 by 16. */
const PATHS = {
  projects: 'M2.5 3.5h4v4h-4zM9.5 3.5h4v4h-4zM2.5 10h4v3.5h-4zM9.5 10h4v3.5h-4z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.4 3.4',
  overview: 'M2.5 8 8 2.8 13.5 8M4 6.8v6.4h8V6.8M6.7 13.2V9.6h2.6v3.6',
  sessions: 'M2.5 3h11v8h-6l-3 2.5V11h-2zM5 6h6M5 8.3h4',
  files: 'M4 2h5l3 3v9H4zM9 2v3h3M6 8.5h4M6 11h4',
  usage: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  timeline: 'M2 8h12M5 8V4.5M8 8v4M11.5 8V3.5M5 3.6v.1M8 12.9v.1M11.5 2.6v.1',
  memory:
    'M8 2.5c2.8 0 4.5 1.9 4.5 4.2 0 1.6-.8 2.6-1.6 3.4-.5.5-.7 1-.7 1.6H5.8c0-.6-.2-1.1-.7-1.6-.8-.8-1.6-1.8-1.6-3.4C3.5 4.4 5.2 2.5 8 2.5zM6.2 13.8h3.6',
  chat: 'M2.5 13.5v-9a1.5 1.5 0 0 1 1.5-1.5h8a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H5z',
  settings:
    'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  switch: 'M5 6.2 8 3.2l3 3M5 9.8l3 3 3-3',
  keyboard: 'M1.5 4h13v8h-13zM4 6.7h.1M6.7 6.7h.1M9.3 6.7h.1M12 6.7h.1M5 9.5h6',
  action: 'M8.8 1.8 3.5 9H8l-.8 5.2L12.5 7H8z',
  theme: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 2.5v11',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  link: 'M6.7 9.3 9.3 6.7M7.5 4.8l1.2-1.2a2.6 2.6 0 0 1 3.7 3.7l-1.2 1.2M8.5 11.2l-1.2 1.2a2.6 2.6 0 0 1-3.7-3.7l1.2-1.2',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
} as const;

/** The icons that pages and actions may have. */
export type IconName = keyof typeof PATHS;

/** An icon in the colour of the text. It is decoration: the text beside it says the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
