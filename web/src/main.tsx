import { effect } from '@preact/signals';
import { render } from 'preact';
import { startChat } from './chat/chat-store.ts';
import { startBrowser } from './history/browser-store.ts';
import { startReader } from './reader/reader-store.ts';
import { server } from './rpc/server.ts';
import { App } from './shell/app.tsx';
import { startKeyboard } from './shell/keyboard.ts';
import { showNotice } from './shell/notices.ts';
import { loadProjects } from './shell/project-store.ts';

const root = document.getElementById('app');
if (root !== null) {
  effect(() => {
    if (server.openings.value > 0) void loadProjects();
  });
  startChat();
  startBrowser();
  startKeyboard();
  startReader();
  server.on('warning.given', ({ warning }) =>
    showNotice(`Agent warned: ${warning.command}. ${warning.reason}`, 'warning'),
  );
  render(<App />, root);
}
