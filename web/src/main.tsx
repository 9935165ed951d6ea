import { effect } from '@preact/signals';
import { render } from 'preact';
import { startChat } from './chat/chat-store.ts';
import { startBrowser } from './history/browser-store.ts';
import { startReader } from './reader/reader-store.ts';
import { START_PAGE } from './router/route.ts';
import { replaceRoute, route } from './router/router.ts';
import { server } from './rpc/server.ts';
import { App } from './shell/app.tsx';
import { startKeyboard } from './shell/keyboard.ts';
import { showNotice } from './shell/notices.ts';
import { loadProjects, projects } from './shell/project-store.ts';
import { startTheme } from './shell/theme.ts';

const root = document.getElementById('app');
if (root !== null) {
  const isStart = /^#?\/?$/.test(location.hash);
  effect(() => {
    if (server.openings.value > 0) void loadProjects();
  });
  // There is nothing to choose from when there is one project.
  const stop = effect(() => {
    if (projects.value === undefined) return;
    if (isStart && projects.value.length === 1 && route.peek().page === START_PAGE) replaceRoute({ page: 'overview' });
    queueMicrotask(() => stop());
  });
  startTheme();
  startChat();
  startBrowser();
  startKeyboard();
  startReader();
  // Before the index is complete, the list is by when logs were changed.
  server.on('history.indexed', ({ done, total }) => {
    if (done === total) void loadProjects();
  });
  server.on('warning.given', ({ warning }) =>
    showNotice(`Agent warned: ${warning.command}. ${warning.reason}`, 'warning'),
  );
  render(<App />, root);
}
