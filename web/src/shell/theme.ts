import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { readStored, writeStored } from './stored.ts';

/** How the app looks: as the system does, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const stored = readStored<Theme>('theme', 'system', (value) => THEMES.includes(value as Theme));
const chosen = signal<Theme>(stored);

/** The chosen theme. */
export const theme: ReadonlySignal<Theme> = chosen;

/** Chooses a theme for this browser. */
export function setTheme(next: Theme): void {
  chosen.value = next;
  writeStored('theme', next);
}

/** Applies the theme, now and when it is changed. */
export function startTheme(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (chosen.value === 'system') delete dataset.theme;
    else dataset.theme = chosen.value;
  });
}
