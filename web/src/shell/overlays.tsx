import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';

/** What is shown over the page: the palette, the list of projects or of pages, or the keyboard shortcuts. */
type Overlay = 'none' | 'palette' | 'projects' | 'more' | 'keys';

/** The overlay of the shell; there is at most one. */
export const overlay: Signal<Overlay> = signal<Overlay>('none');

/** Shows an overlay, or closes it when it is the one that is shown. */
export function toggleOverlay(name: Overlay): void {
  overlay.value = overlay.value === name ? 'none' : name;
}

interface CoverProps {
  /** Where its content is: in the middle by default. */
  readonly place?: 'top' | 'switcher' | 'bottom';
  readonly children: ComponentChildren;
}

/** Covers the page with an overlay. A click beside the overlay closes it. */
export function Cover({ place, children }: CoverProps): VNode {
  return (
    <div class={`cover${place === undefined ? '' : ` at-${place}`}`}>
      <button type="button" class="cover-rest" tabIndex={-1} aria-hidden="true" onClick={() => toggleOverlay('none')} />
      {children}
    </div>
  );
}
