// Indexes a home and prints the peak memory: node index-home.mjs DIST HOME
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectsIn } from '../product.mjs';

const [dist, home] = process.argv.slice(2);
const { SearchIndex } = await import(pathToFileURL(join(dist, 'search', 'index.js')).href);
const index = SearchIndex.open(home);
const { documents, bytesRead } = index.catchUp(projectsIn(home));
index.close();
// maxRSS is in kilobytes on every platform.
console.log(JSON.stringify({ documents, bytesRead, peakBytes: process.resourceUsage().maxRSS * 1024 }));
