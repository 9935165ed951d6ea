import { newSession } from '../chat/chat-store.ts';
import { navigate } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import type { IconName } from './icons.tsx';
import { copyText, showNotice, tryCall } from './notices.ts';
import { toggleOverlay } from './overlays.tsx';
import { PAGES } from './pages.ts';
import { setTheme, THEMES, theme } from './theme.ts';

/** Something that can be done from anywhere: by its keys, or from the palette. */
export interface AppAction {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** One key, or two that are pressed one after the other. */
  readonly keys: string;
  readonly run: () => void;
}

/** All actions that have a key of their own. */
export const ACTIONS: readonly AppAction[] = [
  {
    id: 'switch-project',
    title: 'Switch project',
    icon: 'switch',
    keys: 'g g',
    run: () => toggleOverlay('projects'),
  },
  { id: 'new-session', title: 'Start a new chat session', icon: 'plus', keys: 'N', run: startChatSession },
  { id: 'copy-link', title: 'Copy link to this page', icon: 'link', keys: 'L', run: () => void copyLink() },
  {
    id: 'theme',
    title: 'Change theme: system, light, dark',
    icon: 'theme',
    keys: 'T',
    run: changeTheme,
  },
  {
    id: 'recording',
    title: 'Pause or resume recording',
    icon: 'pause',
    keys: 'R',
    run: () => void tryCall(toggleRecording()),
  },
  {
    id: 'shortcuts',
    title: 'Show keyboard shortcuts',
    icon: 'keyboard',
    keys: '?',
    run: () => toggleOverlay('keys'),
  },
];

/** The pages as actions. */
export const PAGE_ACTIONS: readonly AppAction[] = PAGES.map(({ id, title, icon, key }) => ({
  id: `page-${id}`,
  title,
  icon,
  keys: `g ${key}`,
  run: () => navigate({ page: id, isBrowsing: false }),
}));

function startChatSession(): void {
  navigate({ page: 'chat', isBrowsing: false });
  void newSession();
}

/** The address has no token, so that it works only where somebody has signed in. */
async function copyLink(): Promise<void> {
  if (await copyText(location.href)) showNotice('Link copied');
}

function changeTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  setTheme(next);
  showNotice(`Theme: ${next}`);
}

async function toggleRecording(): Promise<void> {
  const { recording } = await server.call('settings.get', {});
  const on = !recording.everywhere;
  await server.call('settings.record', { on });
  showNotice(on ? 'Recording is on.' : 'Recording is paused everywhere. Press R to resume.', on ? 'plain' : 'warning');
}
