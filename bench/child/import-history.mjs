// Imports the histories in a user's home and prints time and memory: node import-history.mjs DIST HOME USER AGENT...
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, folder, user, ...agents] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(dist, path)).href);
const { openHome } = await load('project/index.js');
const { importTranscripts } = await load('import/index.js');

const home = openHome({ home: folder, env: { PATH: process.env.PATH } });
const places = { home: user, env: {}, platform: process.platform, projects: [] };
const started = performance.now();
const report = await importTranscripts(home, { places, agents });
const milliseconds = performance.now() - started;
home.close();

const sum = (count) => report.agents.reduce((total, agent) => total + count(agent), 0);
const records = sum(({ counts }) =>
  Object.values(counts.attempts).reduce((total, each) => total + each, counts.messages),
);
// maxRSS is in kilobytes on every platform.
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ milliseconds, peakBytes, records, bytes: sum(({ bytes }) => bytes) }));
