import { openChat } from '../../src/chat/index.ts';
import { openHome } from '../../src/project/index.ts';
import { startServer } from '../../src/server/index.ts';

/** Serves a home like `yore serve`, until it is killed. Arguments: home, project folder, folder of the app, port. */
const [path = '', cwd = '', webFolder = '', port = '0'] = process.argv.slice(2);
const { env } = process;
const home = openHome({ home: path, env });
const server = await startServer({
  home,
  cwd,
  webFolder,
  version: '1.2.3',
  port: Number(port),
  onError: (error) => process.stderr.write(`${String(error)}\n`),
  openChat: (project, root) => openChat({ home, project, root, env, now: Date.now }).chat,
});
process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port })}\n`);
